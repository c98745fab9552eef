// The fields of the variables form, derived from the declarations and the draft values.
import { checkValue } from '../../renderer-core/model/variables/values.ts';
import type { Values } from '../compositions/draftValues.ts';
import type { VariableDeclaration } from './valueText.ts';

/** `lines`: multi-line text. `slider`: a number with a minimum and a maximum. */
export type FieldKind = 'text' | 'lines' | 'number' | 'slider' | 'color' | 'switch' | 'radios' | 'select';

export type Field = {
  id: string;
  label: string;
  kind: FieldKind;
  declaration: VariableDeclaration;
  /** The draft value, or else the default. */
  value: unknown;
  /** Whether the value differs from the default. */
  isChanged: boolean;
  /** The error message of the model, which is the same as that of the command line. */
  problem?: string;
};

/** One field for each declaration, in the same order. */
export function formFields(declarations: readonly VariableDeclaration[], values: Values): Field[] {
  return declarations.map((declaration) => {
    const { id, label, default: byDefault } = declaration;
    const draft = Object.hasOwn(values, id) ? values[id] : undefined;
    const value = draft ?? byDefault;
    const issue = draft === undefined ? undefined : checkValue(declaration, draft);
    return {
      id,
      label: label || id,
      kind: kindOf(declaration, value),
      declaration,
      value,
      isChanged: draft !== undefined && draft !== byDefault,
      ...(issue ? { problem: issue.message } : {}),
    };
  });
}

/** Longer texts get a multi-line field. */
const maxLineLength = 72;
/** More options are shown as a list. */
const maxRadios = 4;

function kindOf({ type, maxLength, min, max, options, default: byDefault }: VariableDeclaration, value: unknown) {
  switch (type) {
    case 'boolean':
      return 'switch';
    case 'color':
      return 'color';
    case 'number':
      return min !== undefined && max !== undefined && min < max ? 'slider' : 'number';
    case 'enum':
      return (options?.length ?? 0) <= maxRadios ? 'radios' : 'select';
    case 'string': {
      const isLong = (maxLength ?? 0) > maxLineLength || String(byDefault ?? '').length > maxLineLength;
      return isLong || [value, byDefault].some((text) => String(text).includes('\n')) ? 'lines' : 'text';
    }
  }
}

/** Values of undeclared variables. They are kept, because another version of the composition may declare them. */
export function unknownValues(declarations: readonly VariableDeclaration[], values: Values): [string, unknown][] {
  const known = new Set(declarations.map(({ id }) => id));
  return Object.entries(values).filter(([id, value]) => !known.has(id) && value !== undefined);
}

/** Sets one value. A value that equals the default, or an empty text without a default, is removed. */
export function withValue(
  declarations: readonly VariableDeclaration[],
  values: Values,
  id: string,
  value: unknown,
): Values {
  return onlyChanged(declarations, { ...values, [id]: value });
}

/** Removes the values that equal the defaults. */
export function onlyChanged(declarations: readonly VariableDeclaration[], values: Values): Values {
  const defaults = new Map(declarations.map(({ id, default: byDefault }) => [id, byDefault]));
  const isGiven = ([id, value]: [string, unknown]) =>
    value !== undefined && !(defaults.has(id) && (defaults.get(id) ?? '') === value);
  return Object.fromEntries(Object.entries(values).filter(isGiven));
}
