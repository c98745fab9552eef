// Whether every value of an embedding composition's variable fits the variable that it is passed to.
import type { ValueIssue } from './valueIssue.ts';
import { describeExpected, fitsType } from './values.ts';
import type { VariableDeclaration } from './variables.ts';

/** The kind of issue that a value of `source` can have in `target`; undefined if all of them fit. */
export function passedMismatch(
  source: VariableDeclaration,
  target: VariableDeclaration,
): Exclude<ValueIssue['kind'], 'undeclared'> | undefined {
  if (target.type === 'string') return isText(source) ? undefined : 'type-mismatch';
  if (target.type === 'enum') {
    if (source.type !== 'enum') return 'type-mismatch';
    return foreignOption(source, target) === undefined ? undefined : 'enum-out-of-range';
  }
  if (source.type === target.type) return undefined;
  const areColors = target.type === 'color' && source.type === 'enum' && source.options?.length;
  const fits = areColors && source.options?.every(({ value }) => fitsType('color', value));
  return fits ? undefined : 'type-mismatch';
}

/** Describes a mismatch for a message. `reference` is the value as it is written. */
export function describeMismatch(source: VariableDeclaration, target: VariableDeclaration, reference: string): string {
  const other = source.type === 'enum' && target.type === 'enum' ? foreignOption(source, target) : undefined;
  const given = other === undefined ? `a variable of type ${source.type}` : `which can be ${JSON.stringify(other)}`;
  return `Variable "${target.id}" must be ${describeExpected(target)} (got ${reference}, ${given})`;
}

const isText = ({ type }: VariableDeclaration): boolean => type === 'string' || type === 'color' || type === 'enum';

/** An option of one enum that another does not have. Without options, an enum is incomplete and cannot be compared. */
function foreignOption(source: VariableDeclaration, target: VariableDeclaration): string | undefined {
  const known = target.options?.map(({ value }) => value) ?? [];
  return known.length === 0 ? undefined : source.options?.find(({ value }) => !known.includes(value))?.value;
}
