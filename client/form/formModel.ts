// The variables of a composition as the fields of a form, as data.
import { checkValue } from '../../renderer-core/model/values.ts';
import type { Values } from '../values.ts';
import type { VariableDeclaration } from './valueText.ts';

/** `lines`: a text of several lines. `slider`: a number between two bounds. */
export type FieldKind = 'text' | 'lines' | 'number' | 'slider' | 'color' | 'switch' | 'radios' | 'select';

export type Field = {
  id: string;
  label: string;
  kind: FieldKind;
  declaration: VariableDeclaration;
  /** What was tried, else the default. */
  value: unknown;
  /** Another value than the default is tried. */
  isChanged: boolean;
  /** What the model says about the value, as the command line would. */
  problem?: string;
};

/** One for each declaration, in their order. */
export function formFields(declarations: readonly VariableDeclaration[], values: Values): Field[] {
  return declarations.map((declaration) => {
    const { id, label, default: byDefault } = declaration;
    const tried = Object.hasOwn(values, id) ? values[id] : undefined;
    const value = tried ?? byDefault;
    const issue = tried === undefined ? undefined : checkValue(declaration, tried);
    return {
      id,
      label: label || id,
      kind: kindOf(declaration, value),
      declaration,
      value,
      isChanged: tried !== undefined && tried !== byDefault,
      ...(issue ? { problem: issue.message } : {}),
    };
  });
}

/** Longer texts get a field of several lines. */
const longText = 72;
/** More options than that are a list to choose from. */
const mostRadios = 4;

function kindOf({ type, maxLength, min, max, options, default: byDefault }: VariableDeclaration, value: unknown) {
  switch (type) {
    case 'boolean':
      return 'switch';
    case 'color':
      return 'color';
    case 'number':
      return min !== undefined && max !== undefined && min < max ? 'slider' : 'number';
    case 'enum':
      return (options?.length ?? 0) <= mostRadios ? 'radios' : 'select';
    case 'string': {
      const isLong = (maxLength ?? 0) > longText || String(byDefault ?? '').length > longText;
      return isLong || [value, byDefault].some((text) => String(text).includes('\n')) ? 'lines' : 'text';
    }
  }
}

/** Values that no declaration takes: kept and shown, because another version of the composition may declare them. */
export function unknownValues(declarations: readonly VariableDeclaration[], values: Values): [string, unknown][] {
  const known = new Set(declarations.map(({ id }) => id));
  return Object.entries(values).filter(([id, value]) => !known.has(id) && value !== undefined);
}

/** The values with another one for a variable; a default, or an empty text where there is none, counts as not given. */
export function withValue(
  declarations: readonly VariableDeclaration[],
  values: Values,
  id: string,
  value: unknown,
): Values {
  return onlyChanged(declarations, { ...values, [id]: value });
}

/** Without those that are the defaults, which the composition applies by itself. */
export function onlyChanged(declarations: readonly VariableDeclaration[], values: Values): Values {
  const defaults = new Map(declarations.map(({ id, default: byDefault }) => [id, byDefault]));
  const isGiven = ([id, value]: [string, unknown]) =>
    value !== undefined && !(defaults.has(id) && (defaults.get(id) ?? '') === value);
  return Object.fromEntries(Object.entries(values).filter(isGiven));
}
