// What a user types for a variable, checked against its declaration before it is used.
import { opaqueColor } from '../../renderer-core/model/cssColors.ts';
import type { CompositionInfo } from '../../server/protocol.ts';

/** A usable declaration of a variable. */
export type VariableDeclaration = CompositionInfo['variables'][number];

export type Value = string | number | boolean;

/** Which sentence says what is wrong, and what stands in its places `{0}`, `{1}`. */
export type Problem = {
  say: 'tooLong' | 'noNumber' | 'tooLarge' | 'atLeast' | 'atMost' | 'offStep' | 'noColor';
  values: readonly (string | number)[];
};

export type Checked = { value: Value } | { problem: Problem };

/** What is in its field before anybody types. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Reads what was typed for a string, a number or a colour. */
export function checkText(text: string, declaration: VariableDeclaration): Checked {
  if (declaration.type === 'number') return checkNumber(text, declaration);
  return declaration.type === 'color' ? checkColor(text) : checkString(text, declaration);
}

const problem = (say: Problem['say'], ...values: (string | number)[]): Checked => ({ problem: { say, values } });

function checkString(text: string, { maxLength }: VariableDeclaration): Checked {
  // Counted as the composition's script would.
  if (maxLength === undefined || text.length <= maxLength) return { value: text };
  return problem('tooLong', maxLength, text.length);
}

function checkNumber(text: string, { min, max, step }: VariableDeclaration): Checked {
  const trimmed = text.trim();
  // Number() alone would take '' for 0 and read '0x10'.
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed)) return problem('noNumber');
  const value = Number(trimmed);
  if (!Number.isFinite(value)) return problem('tooLarge');
  if (min !== undefined && value < min) return problem('atLeast', min);
  if (max !== undefined && value > max) return problem('atMost', max);
  if (step !== undefined && step > 0 && !isOnStep(value, min ?? 0, step)) {
    const [below, above] = neighbours(value, min ?? 0, step);
    const inReach = max === undefined || above <= max ? `${below}, ${above}` : `${below}`;
    return problem('offStep', step, inReach);
  }
  return { value };
}

/** With the tolerance that 0.1 + 0.2 needs. */
function isOnStep(value: number, from: number, step: number): boolean {
  const steps = (value - from) / step;
  return Math.abs(steps - Math.round(steps)) < 1e-6;
}

function neighbours(value: number, from: number, step: number): [number, number] {
  const steps = Math.floor((value - from) / step);
  const at = (count: number) => Number((from + count * step).toPrecision(12));
  return [at(steps), at(steps + 1)];
}

/** The number `count` steps away, on the steps and inside the range. Without a step it is 1, or a hundredth of a small range. */
export function stepped(value: number, count: number, { min, max, step }: VariableDeclaration): number {
  const size = stepOf({ min, max, step });
  const from = min ?? 0;
  const steps = (value - from) / size + count;
  const onStep = count > 0 ? Math.floor(steps + 1e-6) : Math.ceil(steps - 1e-6);
  const moved = Number((from + onStep * size).toPrecision(12));
  const highest = max === undefined ? moved : from + Math.floor((max - from) / size + 1e-6) * size;
  return Math.max(min ?? moved, Math.min(Number(highest.toPrecision(12)), moved));
}

/** How far apart the numbers are that a slider or an arrow key reaches. */
export function stepOf({ min, max, step }: { [Key in 'min' | 'max' | 'step']: number | undefined }): number {
  if (step !== undefined && step > 0) return step;
  const isSmall = min !== undefined && max !== undefined && max - min <= 10 && max > min;
  return isSmall ? (max - min) / 100 : 1;
}

/** Any opaque colour of CSS, written as `#rrggbb`; the `#` may be left out. */
export function checkColor(text: string): Checked {
  const trimmed = text.trim();
  const value = opaqueColor(/^[\da-f]{3}$/i.test(trimmed) ? `#${trimmed}` : trimmed);
  return value === undefined ? problem('noColor') : { value };
}
