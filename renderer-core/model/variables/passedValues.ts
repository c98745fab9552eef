// The values that a host passes to its embedded file. Bundled into the page.
import { parseReference } from '../references.ts';
import { mergeValues } from './values.ts';
import type { VariableDeclaration } from './variables.ts';

/** A value that refers to a variable of the embedding composition, which has no value. */
export type UnresolvedValue = { id: string; name: string };

/**
 * The values of an instance: its declared defaults, and above them the `given` values of its host. A given value that is
 * exactly `$name` or `${name}` becomes the value of that variable in `embedding`, the values of the embedding composition,
 * and keeps its type. If there is none, the key counts as missing and is listed. `passed` are the resolved given values.
 */
export function instanceValues(
  declarations: readonly VariableDeclaration[],
  given: Readonly<Record<string, unknown>>,
  embedding: Readonly<Record<string, unknown>>,
): { values: Record<string, unknown>; passed: Record<string, unknown>; unresolved: UnresolvedValue[] } {
  const unresolved: UnresolvedValue[] = [];
  const entries = Object.entries(given).flatMap(([id, value]): [string, unknown][] => {
    const name = passedName(value);
    if (name === undefined) return [[id, value]];
    if (Object.hasOwn(embedding, name) && embedding[name] !== undefined) return [[id, embedding[name]]];
    unresolved.push({ id, name });
    return [];
  });
  const passed = Object.fromEntries(entries);
  return { values: mergeValues(declarations, passed), passed, unresolved };
}

/** The name of the embedding composition's variable if a host's value is a reference to one. */
export const passedName = (value: unknown): string | undefined =>
  typeof value === 'string' ? parseReference(value) : undefined;

export const unresolvedMessage = ({ id, name }: UnresolvedValue): string =>
  `Variable "${name}" of the embedding composition has no value, so "${id}" is not passed on`;
