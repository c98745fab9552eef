// Parses the text that the user types for a variable and checks it against the declaration.
import { opaqueColor } from '../../renderer-core/model/text/cssColors.ts';
import type { CompositionInfo } from '../../server/protocol.ts';

/** A valid declaration of a variable. */
export type VariableDeclaration = CompositionInfo['variables'][number];

export type Value = string | number | boolean;

/** `key` is the key of the message in `FormStrings`; `values` are for its placeholders. */
export type Problem = {
  key: 'tooLong' | 'noNumber' | 'tooLarge' | 'atLeast' | 'atMost' | 'offStep' | 'noColor';
  values: readonly (string | number)[];
};

export type Checked = { value: Value } | { problem: Problem };

/** The text of a value in its input. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Parses the text for a string, a number or a color. */
export function checkText(text: string, declaration: VariableDeclaration): Checked {
  if (declaration.type === 'number') return checkNumber(text, declaration);
  return declaration.type === 'color' ? checkColor(text) : checkString(text, declaration);
}

const problem = (key: Problem['key'], ...values: (string | number)[]): Checked => ({ problem: { key, values } });

function checkString(text: string, { maxLength }: VariableDeclaration): Checked {
  // UTF-16 code units, as a script counts them.
  if (maxLength === undefined || text.length <= maxLength) return { value: text };
  return problem('tooLong', maxLength, text.length);
}

function checkNumber(text: string, { min, max, step }: VariableDeclaration): Checked {
  const trimmed = text.trim();
  // Number() would accept '' and '0x10'.
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed)) return problem('noNumber');
  const value = Number(trimmed);
  if (!Number.isFinite(value)) return problem('tooLarge');
  if (min !== undefined && value < min) return problem('atLeast', min);
  if (max !== undefined && value > max) return problem('atMost', max);
  if (step !== undefined && step > 0 && !isOnStep(value, min ?? 0, step)) {
    const [below, above] = neighbours(value, min ?? 0, step);
    const nearest = max === undefined || above <= max ? `${below}, ${above}` : `${below}`;
    return problem('offStep', step, nearest);
  }
  return { value };
}

/** Tolerates floating-point errors such as 0.1 + 0.2. */
function isOnStep(value: number, from: number, step: number): boolean {
  const steps = (value - from) / step;
  return Math.abs(steps - Math.round(steps)) < 1e-6;
}

function neighbours(value: number, from: number, step: number): [number, number] {
  const steps = Math.floor((value - from) / step);
  const at = (count: number) => Number((from + count * step).toPrecision(12));
  return [at(steps), at(steps + 1)];
}

/** The number `count` steps away, clamped to the range. */
export function stepped(value: number, count: number, { min, max, step }: VariableDeclaration): number {
  const size = stepOf({ min, max, step });
  const from = min ?? 0;
  const steps = (value - from) / size + count;
  const onStep = count > 0 ? Math.floor(steps + 1e-6) : Math.ceil(steps - 1e-6);
  const moved = Number((from + onStep * size).toPrecision(12));
  const highest = max === undefined ? moved : from + Math.floor((max - from) / size + 1e-6) * size;
  return Math.max(min ?? moved, Math.min(Number(highest.toPrecision(12)), moved));
}

/** The step of a slider and of the arrow keys: as declared, or a hundredth of a range of at most 10, or 1. */
export function stepOf({ min, max, step }: { [Key in 'min' | 'max' | 'step']: number | undefined }): number {
  if (step !== undefined && step > 0) return step;
  const isSmall = min !== undefined && max !== undefined && max - min <= 10 && max > min;
  return isSmall ? (max - min) / 100 : 1;
}

/** Converts any opaque CSS color to `#rrggbb`. The `#` of the input is optional. */
export function checkColor(text: string): Checked {
  const trimmed = text.trim();
  const value = opaqueColor(/^[\da-f]{3}$/i.test(trimmed) ? `#${trimmed}` : trimmed);
  return value === undefined ? problem('noColor') : { value };
}
