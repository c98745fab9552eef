// What a user types for a variable, checked against its declaration before it is used.
import type { CompositionInfo } from '../../server/protocol.ts';

/** A usable declaration of a variable. */
export type VariableDeclaration = CompositionInfo['variables'][number];

export type Value = string | number | boolean;

/** `problem` is a sentence for below the input. */
export type Checked = { value: Value } | { problem: string };

/** The text in its input box before anybody types. */
export function textOf(value: Value | undefined): string {
  return value === undefined ? '' : String(value);
}

/** Reads what was typed for a string or number. */
export function checkText(text: string, declaration: VariableDeclaration): Checked {
  return declaration.type === 'number' ? checkNumber(text, declaration) : checkString(text, declaration);
}

function checkString(text: string, { maxLength }: VariableDeclaration): Checked {
  // Counted as the composition's script would.
  if (maxLength === undefined || text.length <= maxLength) return { value: text };
  return { problem: `At most ${maxLength} characters; these are ${text.length}.` };
}

function checkNumber(text: string, { min, max, step }: VariableDeclaration): Checked {
  const trimmed = text.trim();
  // Number() alone would take '' for 0 and read '0x10'.
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed)) return { problem: 'Write a number, such as 12 or 0.5.' };
  const value = Number(trimmed);
  if (!Number.isFinite(value)) return { problem: 'This number is too large.' };
  if (min !== undefined && value < min) return { problem: `At least ${min}.` };
  if (max !== undefined && value > max) return { problem: `At most ${max}.` };
  if (step !== undefined && step > 0 && !isOnStep(value, min ?? 0, step)) {
    const [below, above] = neighbours(value, min ?? 0, step);
    const inReach = max === undefined || above <= max ? `${below} or ${above}` : `${below}`;
    return { problem: `In steps of ${step}${min === undefined ? '' : ` from ${min}`}: ${inReach}.` };
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

/** `#RRGGBB` is taken too, `#rgb` and the `#` left out are written in full. */
export function checkColor(text: string): Checked {
  const digits = /^#?([\da-f]{6}|[\da-f]{3})$/i.exec(text.trim())?.[1]?.toLowerCase();
  if (digits === undefined) return { problem: 'Write a colour as #rrggbb, such as #ff5500.' };
  return { value: `#${digits.length === 6 ? digits : [...digits].map((digit) => digit + digit).join('')}` };
}

/** One line that says what may be typed. */
export function describeInput(declaration: VariableDeclaration): string {
  const { type, min, max, step, unit, maxLength } = declaration;
  const range =
    min !== undefined && max !== undefined
      ? `${min} to ${max}`
      : min !== undefined
        ? `from ${min}`
        : max !== undefined
          ? `up to ${max}`
          : '';
  const facts = {
    string: ['Text', maxLength === undefined ? '' : `at most ${maxLength} characters`],
    number: ['Number', range, step === undefined ? '' : `in steps of ${step}`, unit ?? ''],
    color: ['Colour, #rrggbb'],
    boolean: ['Yes or no'],
    enum: ['One of the options'],
  }[type];
  const given = declaration.default;
  const byDefault = given === undefined ? '' : ` Default: ${given === '' ? 'empty' : given}.`;
  return `${facts.filter((fact) => fact !== '').join(', ')}.${byDefault}`;
}

/** Only what differs from the defaults, which the composition applies by itself. */
export function changedValues(
  variables: readonly VariableDeclaration[],
  values: ReadonlyMap<string, Value>,
): Record<string, Value> {
  const changed: Record<string, Value> = {};
  for (const { id, default: byDefault } of variables) {
    const value = values.get(id);
    const isUntouched = byDefault === undefined && value === '';
    if (value !== undefined && value !== byDefault && !isUntouched) changed[id] = value;
  }
  return changed;
}
