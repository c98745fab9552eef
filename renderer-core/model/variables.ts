// Declarations of variables, read out of `data-composition-variables`: which are usable, which are not, and why.
import type { AttributeText } from './attributeText.ts';
import {
  type JsonMember,
  type JsonNode,
  type JsonProblem,
  type JsonText,
  jsonMember,
  jsonValue,
  readJson,
} from './jsonText.ts';
import type { Span } from './spans.ts';
import { didYouMean } from './suggest.ts';
import { fitsType, reservedId, shortForm } from './values.ts';

export const variableTypes = ['string', 'number', 'color', 'boolean', 'enum'] as const;
export type VariableType = (typeof variableTypes)[number];

/** What a usable declaration can have as its default. */
export type VariableValue = string | number | boolean;

export type VariableOption = { value: string; label: string };

/** A usable declaration, as plain data. Source: the contract's table of declaration fields. */
export type VariableDeclaration = {
  id: string;
  type: VariableType;
  label?: string;
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

/** Where one field of a declaration stands: `span` covers key and value. */
export type FieldSpans = { span: Span; keySpan: Span; valueSpan: Span };

/** A field that is passed over, the declaration staying usable. */
export type IgnoredField = {
  field: string;
  reason: 'wrong-type' | 'wrong-place' | 'unknown';
  message: string;
  span: Span;
};

/** A usable declaration with its places. `optionSpans` stand in the order of `declaration.options`. */
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

/** A declaration that nothing uses. `span` is the part to blame, `declarationSpan` the whole element of the array. */
export type RejectedDeclaration = {
  reason: RejectionReason;
  message: string;
  span: Span;
  declarationSpan: Span;
  id?: string;
};

/** Everything about the declarations of one composition. `span` is the attribute's value; missing without the attribute. */
export type Declarations = {
  declared: DeclaredVariable[];
  rejected: RejectedDeclaration[];
  problem?: JsonProblem;
  span?: Span;
  json?: JsonText;
};

/** The JSON type of every field and the variable types that it belongs to. */
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
};

const isFieldName = (name: string): name is FieldName => Object.hasOwn(declarationFields, name);
const isVariableType = (name: unknown): name is VariableType => variableTypes.some((type) => type === name);

/**
 * Reads the declarations. Usable is every one with a string id, a known type and a default that is absent or of that
 * type; of equal ids the first. The others are kept as rejected. Broken JSON declares nothing and is the `problem`.
 */
export function readDeclarations(source: AttributeText): Declarations {
  const json = readJson(source);
  const result: Declarations = { declared: [], rejected: [], span: source.span, json };
  if (json.problem || !json.root) return { ...result, ...(json.problem && { problem: json.problem }) };
  if (json.root.kind !== 'array') {
    const message = `The declarations must be a JSON array, [{"id": …}], not ${kindName(json.root)}`;
    return { ...result, problem: { message, span: json.root.span } };
  }
  const seen = new Set<string>();
  for (const item of json.root.items) {
    const read = readDeclaration(item, seen);
    if ('reason' in read) result.rejected.push(read);
    else {
      seen.add(read.declaration.id);
      result.declared.push(read);
    }
  }
  return result;
}

function readDeclaration(node: JsonNode, seen: ReadonlySet<string>): DeclaredVariable | RejectedDeclaration {
  const declarationSpan = node.span;
  const id = jsonMember(node, 'id')?.value;
  const known = id?.kind === 'string' ? { id: id.value } : {};
  const reject = (reason: RejectionReason, span: Span, message: string): RejectedDeclaration => ({
    reason,
    message,
    span,
    declarationSpan,
    ...known,
  });
  if (node.kind !== 'object')
    return reject('not-an-object', node.span, `A declaration must be a JSON object, not ${kindName(node)}`);
  if (!id) return reject('missing-id', node.span, 'This declaration has no "id"');
  if (id.kind !== 'string' || id.value === '' || id.value === reservedId) {
    const why =
      id.kind === 'string' ? `${shortForm(id.value)} cannot be an id` : `An id must be a string, not ${kindName(id)}`;
    return reject('invalid-id', id.span, why);
  }
  if (seen.has(id.value)) {
    return reject('duplicate-id', id.span, `"${id.value}" is already declared; only the first declaration counts`);
  }
  const type = jsonMember(node, 'type')?.value;
  if (!type)
    return reject(
      'missing-type',
      node.span,
      `Variable "${id.value}" has no "type"; it is one of ${variableTypes.join(', ')}`,
    );
  const typeName = jsonValue(type);
  if (!isVariableType(typeName)) {
    const hint = typeof typeName === 'string' ? didYouMean(typeName, variableTypes) : '';
    const message = `${shortForm(typeName)} is not a variable type; it is one of ${variableTypes.join(', ')}${hint}`;
    return reject('unknown-type', type.span, message);
  }
  const given = jsonMember(node, 'default')?.value;
  if (given && !fitsType(typeName, jsonValue(given))) {
    const message = `The default of "${id.value}" must be ${defaultShape[typeName]}, not ${shortForm(jsonValue(given))}`;
    return reject('default-mismatch', given.span, message);
  }
  return readFields(node, id.value, typeName, id.span);
}

const defaultShape: Record<VariableType, string> = {
  string: 'a string',
  number: 'a number',
  color: 'a color as #rrggbb',
  boolean: 'true or false',
  enum: 'a string, the value of one of its options',
};

function readFields(
  node: JsonNode & { kind: 'object' },
  id: string,
  type: VariableType,
  idSpan: Span,
): DeclaredVariable {
  const declaration: VariableDeclaration & Partial<Record<FieldName, unknown>> = { id, type };
  const variable: DeclaredVariable = { declaration, span: node.span, idSpan, fields: {}, optionSpans: [], ignored: [] };
  // Of equal keys the last counts, as for JSON.parse.
  for (const member of new Map(node.members.map((each) => [each.key, each])).values()) {
    if (!member.value) continue;
    const wrong = whyIgnored(member, type);
    if (wrong) variable.ignored.push({ field: member.key, span: member.span, ...wrong });
    else if (isFieldName(member.key)) {
      variable.fields[member.key] = { span: member.span, keySpan: member.keySpan, valueSpan: member.value.span };
      if (member.key === 'options') readOptions(member.value, variable);
      else Object.assign(declaration, { [member.key]: jsonValue(member.value) });
    }
  }
  return variable;
}

function whyIgnored(member: JsonMember, type: VariableType): Pick<IgnoredField, 'reason' | 'message'> | undefined {
  if (!isFieldName(member.key)) {
    const hint = didYouMean(member.key, Object.keys(declarationFields));
    return { reason: 'unknown', message: `A declaration has no field "${member.key}"${hint}` };
  }
  const { json, on } = declarationFields[member.key];
  if (!on.includes(type)) {
    return {
      reason: 'wrong-place',
      message: `"${member.key}" belongs to ${on.join(', ')} variables, not to a ${type}`,
    };
  }
  if (json !== 'any' && member.value && member.value.kind !== json) {
    const message = `"${member.key}" must be ${json === 'array' ? 'an' : 'a'} ${json}, not ${kindName(member.value)}`;
    return { reason: 'wrong-type', message };
  }
  return undefined;
}

/** Options with a string value are kept; one without a label shows its value. */
function readOptions(node: JsonNode, variable: DeclaredVariable): void {
  if (node.kind !== 'array') return;
  const options: VariableOption[] = [];
  for (const item of node.items) {
    const value = jsonMember(item, 'value')?.value;
    const label = jsonMember(item, 'label')?.value;
    if (value?.kind === 'string') {
      options.push({ value: value.value, label: label?.kind === 'string' ? label.value : value.value });
      variable.optionSpans.push(item.span);
    }
    if (value?.kind !== 'string' || label?.kind !== 'string') {
      const message = 'An option is an object with a string "value" and a string "label"';
      variable.ignored.push({ field: 'options', reason: 'wrong-type', message, span: item.span });
    }
  }
  variable.declaration.options = options;
}

/** A JSON value's kind with its article, for messages. */
export function kindName(node: JsonNode): string {
  if (node.kind === 'null') return 'null';
  return `${node.kind === 'array' || node.kind === 'object' ? 'an' : 'a'} ${node.kind}`;
}
