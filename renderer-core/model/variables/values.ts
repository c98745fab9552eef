// Checks values of variables and merges their layers. The plan and the page use the same merge. Bundled into the page.
import { didYouMean } from '../text/suggest.ts';
import type { ValueIssue } from './valueIssue.ts';
import type { VariableDeclaration, VariableType } from './variables.ts';

/** A key that must not be assigned to an object, because that would replace its prototype. */
export const reservedId = '__proto__';

/** Whether styles can read a variable with this id as the custom property `--id`. */
export function hasCustomProperty(id: string): boolean {
  return /^[\w-]+$/.test(id);
}

const hexColor = /^#[0-9a-f]{6}$/i;

/** Whether a value has the JSON type of a variable type. Numbers must be finite, colors `#rrggbb`; options are not checked. */
export function fitsType(type: VariableType, value: unknown): boolean {
  switch (type) {
    case 'number':
      return typeof value === 'number' && Number.isFinite(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'color':
      return typeof value === 'string' && hexColor.test(value);
    default:
      return typeof value === 'string';
  }
}

/** Describes the allowed values for messages: `a number`, `one of "a", "b"`. */
export function describeExpected(declaration: Pick<VariableDeclaration, 'type' | 'options'>): string {
  switch (declaration.type) {
    case 'string':
      return 'a string';
    case 'number':
      return 'a number';
    case 'boolean':
      return 'true or false';
    case 'color':
      return 'a color as #rrggbb';
    case 'enum':
      return declaration.options?.length
        ? `one of ${listed(declaration.options.map(({ value }) => value))}`
        : 'a string';
  }
}

/** Formats a value for a message, in at most 60 characters. Never throws. */
export function formatValue(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value === 'function') return 'a function';
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

/**
 * Lists the values that do not fit the declarations, in the order of the values. `undefined` values are ignored. min, max
 * and maxLength are not checked. Issues are warnings unless checking is strict. `invalid`: the ids of declarations that
 * cannot be used, which is a problem of the declaration and not of the value.
 */
export function checkValues(
  declarations: readonly VariableDeclaration[],
  values: Readonly<Record<string, unknown>>,
  invalid: readonly string[] = [],
): ValueIssue[] {
  const byId = byIdOf(declarations);
  const known = byId.size === 0 ? '; it declares no variables' : `; declared variables: ${listed(byId.keys())}`;
  return misfitsOf(byId, values, invalid).flatMap((id, index) => {
    const declaration = byId.get(id);
    // Comparing all names of a long list with all others would take minutes.
    const suggest = index < mostSuggestions ? didYouMean : noSuggestion;
    const issue = declaration
      ? checkValue(declaration, values[id], suggest)
      : undeclared(id, values[id], suggest(id, byId.keys()) || known);
    return issue ?? [];
  });
}

/** The ids of the values that `checkValues` lists, without the work of its messages. */
export const misfits = (
  declarations: readonly VariableDeclaration[],
  values: Readonly<Record<string, unknown>>,
  invalid: readonly string[] = [],
): string[] => misfitsOf(byIdOf(declarations), values, invalid);

const byIdOf = (declarations: readonly VariableDeclaration[]): Map<string, VariableDeclaration> =>
  new Map(declarations.map((declaration) => [declaration.id, declaration]));

function misfitsOf(
  byId: ReadonlyMap<string, VariableDeclaration>,
  values: Readonly<Record<string, unknown>>,
  invalid: readonly string[],
): string[] {
  const unusable = new Set(invalid);
  return Object.keys(values).filter((id) => {
    const declaration = byId.get(id);
    if (values[id] === undefined || (!declaration && unusable.has(id))) return false;
    return !declaration || !fits(declaration, values[id]);
  });
}

function fits({ type, options }: VariableDeclaration, value: unknown): boolean {
  const isOption = type !== 'enum' || !options || options.some((option) => option.value === value);
  return isOption && fitsType(type, value);
}

/** Whether a value has the wrong type, or is not an option. A value for an undeclared variable has no effect instead. */
export const isMisfit = (issue: Pick<ValueIssue, 'kind'> | undefined): boolean =>
  issue !== undefined && issue.kind !== 'undeclared';

/** Checks one value against its declaration. */
export function checkValue(
  declaration: VariableDeclaration,
  value: unknown,
  suggest: typeof didYouMean = didYouMean,
): ValueIssue | undefined {
  if (fits(declaration, value)) return undefined;
  const { id, type, options } = declaration;
  const expected = describeExpected(declaration);
  const given = formatValue(value);
  if (!fitsType(type, value)) {
    const message = `Variable "${id}" must be ${expected} (got ${given})${mismatchHint(type, value)}`;
    return { kind: 'type-mismatch', id, message, expected, given };
  }
  const names = options?.map((option) => option.value) ?? [];
  const hint = suggest(String(value), names);
  const rule = names.length ? `must be ${expected}` : 'accepts no value because it declares no options';
  return {
    kind: 'enum-out-of-range',
    id,
    message: `Variable "${id}" ${rule} (got ${given})${hint}`,
    expected,
    given,
  };
}

/** Later values of a list get no suggestion. */
const mostSuggestions = 10;
const noSuggestion = (): string => '';

function undeclared(id: string, value: unknown, hint: string): ValueIssue {
  return {
    kind: 'undeclared',
    id,
    message: `Variable "${id}" is not declared by this composition${hint}`,
    given: formatValue(value),
  };
}

/** Names the composition that does not declare the variable. */
export const inFile = (message: string, path: string): string =>
  message.replace('by this composition', () => `by ${path}`);

function listed(names: Iterable<string>): string {
  const all = [...names];
  const shown = all.slice(0, mostListed).map((name) => JSON.stringify(name));
  return all.length > mostListed ? `${shown.join(', ')} and ${all.length - mostListed} more` : shown.join(', ');
}

/** The names in one message. */
const mostListed = 8;

function mismatchHint(type: VariableType, value: unknown): string {
  if (typeof value === 'string') {
    const text = value.trim();
    if (type === 'number' && text !== '' && Number.isFinite(Number(text)))
      return `; write ${String(Number(text))} without quotes`;
    if (type === 'boolean' && (text === 'true' || text === 'false')) return `; write ${text} without quotes`;
    if (type === 'color') return colorHint(text);
  }
  if ((type === 'string' || type === 'enum') && (typeof value === 'number' || typeof value === 'boolean')) {
    return `; write it in quotes: "${value}"`;
  }
  if (type === 'string' && typeof value === 'object' && value !== null) {
    return '; pass structured data as a JSON string';
  }
  return '';
}

function colorHint(text: string): string {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(text);
  if (short)
    return `; write it as #${short
      .slice(1)
      .map((digit) => digit + digit)
      .join('')}`;
  if (/^[0-9a-f]{6}$/i.test(text)) return `; did you mean #${text}?`;
  return /^#[0-9a-f]{8}$/i.test(text) ? '; alpha is not supported' : '';
}

/**
 * Merges the layers of values, lowest first: the declared defaults, then each given layer (host values, then the command
 * line). A key that is missing or `undefined` in a layer falls through to the layer below. Undeclared and invalid values are
 * passed on unchanged: they cause issues, not errors. Returns a new plain object.
 */
export function mergeValues(
  declarations: readonly VariableDeclaration[],
  ...layers: readonly (Readonly<Record<string, unknown>> | undefined)[]
): Record<string, unknown> {
  const merged: Record<string, unknown> = {};
  for (const { id, default: value } of declarations) {
    if (value !== undefined && id !== reservedId) merged[id] = value;
  }
  for (const layer of layers) {
    for (const [id, value] of Object.entries(layer ?? {})) {
      if (value !== undefined && id !== reservedId) merged[id] = value;
    }
  }
  return merged;
}
