// Checks values against min, max and maxLength. A value beyond a limit is used all the same, so this is not a value issue.
import type { VariableDeclaration } from './variables.ts';

/** `limit`: the exceeded limit. `rule` completes the sentence `"id" must be …`. */
export type ExceededLimit = { bound: 'min' | 'max' | 'maxLength'; limit: number; rule: string };

/** Returns the limit of the declaration that `value` exceeds. Contradictory limits and values of other types exceed none. */
export function exceededLimit(
  { min = -Infinity, max = Infinity, maxLength = Infinity }: Pick<VariableDeclaration, 'min' | 'max' | 'maxLength'>,
  value: unknown,
): ExceededLimit | undefined {
  if (typeof value === 'string' && value.length > maxLength) {
    const rule = `at most ${maxLength} characters long (got ${value.length})`;
    return { bound: 'maxLength', limit: maxLength, rule };
  }
  if (typeof value !== 'number' || min > max) return undefined;
  if (value < min) return { bound: 'min', limit: min, rule: `at least ${min} (got ${value})` };
  return value > max ? { bound: 'max', limit: max, rule: `at most ${max} (got ${value})` } : undefined;
}
