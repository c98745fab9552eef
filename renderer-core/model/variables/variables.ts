// Declared variables as types and tables. Imports only types, because the checks of values in the page use them too.
import type { JsonProblem, JsonText } from '../text/jsonText.ts';
import type { Span } from '../text/spans.ts';

export const variableTypes = ['string', 'number', 'color', 'boolean', 'enum'] as const;
export type VariableType = (typeof variableTypes)[number];

/** The default of a declaration. */
export type VariableValue = string | number | boolean;

export type VariableOption = { value: string; label: string };

/** A valid declaration as plain data. Source: the contract's table of declaration fields. */
export type VariableDeclaration = {
  id: string;
  type: VariableType;
  label?: string;
  /** Help text for people who enter a value. */
  description?: string;
  default?: VariableValue;
  /** string only */
  placeholder?: string;
  /** string only */
  maxLength?: number;
  /** number only */
  min?: number;
  /** number only */
  max?: number;
  /** number only */
  step?: number;
  /** number only */
  unit?: string;
  /** enum only */
  options?: VariableOption[];
};

export type FieldName = keyof VariableDeclaration;

/** The spans of one field of a declaration: `span` covers key and value. */
export type FieldSpans = { span: Span; keySpan: Span; valueSpan: Span };

/** A field that is ignored. The declaration is still valid. `meant`: what a misspelled key stands for. */
export type IgnoredField = {
  field: string;
  reason: 'wrong-type' | 'wrong-place' | 'misspelled';
  message: string;
  span: Span;
  meant?: string;
};

/** A valid declaration with its spans. `optionSpans` are in the order of `declaration.options`. */
export type DeclaredVariable = {
  declaration: VariableDeclaration;
  span: Span;
  idSpan: Span;
  fields: Partial<Record<FieldName, FieldSpans>>;
  optionSpans: Span[];
  ignored: IgnoredField[];
};

export type RejectionReason =
  | 'not-an-object'
  | 'missing-id'
  | 'invalid-id'
  | 'duplicate-id'
  | 'missing-type'
  | 'unknown-type'
  | 'default-mismatch';

/** An invalid declaration, which is not used. `span` covers the invalid part, `declarationSpan` the whole array item. */
export type RejectedDeclaration = {
  reason: RejectionReason;
  message: string;
  span: Span;
  declarationSpan: Span;
  id?: string;
};

/** The declarations of one composition. `span` covers the attribute's value; it is missing without the attribute. */
export type Declarations = {
  declared: DeclaredVariable[];
  rejected: RejectedDeclaration[];
  problem?: JsonProblem;
  /** The whole value is a placeholder of a template engine. */
  isUnknown?: true;
  span?: Span;
  json?: JsonText;
};

/** The JSON type of every field and the variable types that it applies to. */
export const declarationFields: Record<
  FieldName,
  { json: 'string' | 'number' | 'array' | 'any'; on: readonly VariableType[] }
> = {
  id: { json: 'string', on: variableTypes },
  type: { json: 'string', on: variableTypes },
  label: { json: 'string', on: variableTypes },
  default: { json: 'any', on: variableTypes },
  placeholder: { json: 'string', on: ['string'] },
  maxLength: { json: 'number', on: ['string'] },
  min: { json: 'number', on: ['number'] },
  max: { json: 'number', on: ['number'] },
  step: { json: 'number', on: ['number'] },
  unit: { json: 'string', on: ['number'] },
  options: { json: 'array', on: ['enum'] },
  description: { json: 'string', on: variableTypes },
};
