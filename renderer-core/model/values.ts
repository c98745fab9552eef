// Values for declared variables: checking them, and THE merge of their layers. Bundled into the page: imports nothing heavy.
import { didYouMean } from './suggest.ts';
import type { VariableDeclaration, VariableType } from './variables.ts';

export type ValueIssueKind = 'undeclared' | 'type-mismatch' | 'enum-out-of-range';

/**
 * A value that does not fit the declarations. `message` is a whole sentence for people; `expected` is missing for
 * an undeclared id; `given` is the value in a short printable form.
 */
export type ValueIssue = { kind: ValueIssueKind; id: string; message: string; expected?: string; given: string };

/** A key that no object may get by assignment, because that would replace its prototype. */
export const reservedId = '__proto__';

const hexColor = /^#[0-9a-f]{6}$/i;

/** Whether a value has the JSON shape of a variable type. Numbers must be finite, colors `#rrggbb`; options are not looked at. */
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

/** What a declaration takes, for messages: `a number`, `one of "a", "b"`. */
export function expectation(declaration: Pick<VariableDeclaration, 'type' | 'options'>): string {
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
        ? `one of ${declaration.options.map((option) => JSON.stringify(option.value)).join(', ')}`
        : 'a string';
  }
}

/** A value in a short printable form, at most 60 characters. Never throws. */
export function shortForm(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value === 'function') return 'a function';
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

/**
 * Every way in which given values do not fit the declarations, in the order of the values. An `undefined` value
 * counts as not given. min, max and maxLength make no issue. Issues are warnings unless checking is strict.
 */
export function checkValues(
  declarations: readonly VariableDeclaration[],
  values: Readonly<Record<string, unknown>>,
): ValueIssue[] {
  const byId = new Map(declarations.map((declaration) => [declaration.id, declaration]));
  const issues: ValueIssue[] = [];
  for (const [id, value] of Object.entries(values)) {
    if (value === undefined) continue;
    const declaration = byId.get(id);
    const issue = declaration ? checkValue(declaration, value) : undeclared(id, value, byId);
    if (issue) issues.push(issue);
  }
  return issues;
}

/** What is wrong with one value for one declaration, or undefined. */
export function checkValue(declaration: VariableDeclaration, value: unknown): ValueIssue | undefined {
  const { id, type, options } = declaration;
  const expected = expectation(declaration);
  const given = shortForm(value);
  if (!fitsType(type, value)) {
    const message = `Variable "${id}" takes ${expected}, but ${given} was given${mismatchHint(type, value)}`;
    return { kind: 'type-mismatch', id, message, expected, given };
  }
  if (type === 'enum' && options && !options.some((option) => option.value === value)) {
    const names = options.map((option) => option.value);
    const hint = didYouMean(String(value), names);
    const takes = names.length ? expected : 'none, because it declares no options';
    return {
      kind: 'enum-out-of-range',
      id,
      message: `Variable "${id}" takes ${takes}, but ${given} was given${hint}`,
      expected,
      given,
    };
  }
  return undefined;
}

function undeclared(id: string, value: unknown, byId: ReadonlyMap<string, VariableDeclaration>): ValueIssue {
  const hint =
    byId.size === 0
      ? '; it declares no variables'
      : didYouMean(id, byId.keys()) || `; it declares ${listed(byId.keys())}`;
  return {
    kind: 'undeclared',
    id,
    message: `Variable "${id}" is not declared by this composition${hint}`,
    given: shortForm(value),
  };
}

function listed(ids: Iterable<string>): string {
  const all = [...ids].map((id) => `"${id}"`);
  return all.length > 8 ? `${all.slice(0, 8).join(', ')} and ${all.length - 8} more` : all.join(', ');
}

function mismatchHint(type: VariableType, value: unknown): string {
  if (typeof value === 'string') {
    const text = value.trim();
    if (type === 'number' && text !== '' && Number.isFinite(Number(text)))
      return `; without quotes, ${text} is a number`;
    if (type === 'boolean' && (text === 'true' || text === 'false')) return `; write ${text} without quotes`;
    if (type === 'color') return colorHint(text);
  }
  if ((type === 'string' || type === 'enum') && (typeof value === 'number' || typeof value === 'boolean')) {
    return `; write it in quotes, "${value}"`;
  }
  if (type === 'string' && typeof value === 'object' && value !== null) {
    return '; pass structured data as a string of JSON';
  }
  return '';
}

function colorHint(text: string): string {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(text);
  if (short)
    return `; written out it is #${short
      .slice(1)
      .map((digit) => digit + digit)
      .join('')}`;
  if (/^[0-9a-f]{6}$/i.test(text)) return `; did you mean #${text}?`;
  return /^#[0-9a-f]{8}$/i.test(text) ? '; a color has no alpha part' : '';
}

/**
 * Merges the layers of values, lowest first: the declared defaults, then each given layer (host values, then the
 * command line). A key that is missing or `undefined` in a layer falls through to the layer below. Values are passed
 * on as they are, undeclared and mistyped ones too: those make issues, not errors. Returns a fresh plain object.
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
