// One attribute as a typed field with its place: text, number, flag; and the problems that reading one can find.
// Imports no parser, because the script in the page reads numbers with it too.
import { type AttributeKey, attr, attributeSpecs, type NumberRange } from './attributes.ts';
import type { HtmlElement } from './html.ts';
import type { Span } from './spans.ts';

export type Severity = 'error' | 'warning';

/** Something wrong with what the author wrote. `message` is a sentence for people. */
export type Problem<Code extends string = string> = { code: Code; severity: Severity; message: string; span: Span };

/** Where readers put the problems they find; a list for more kinds of problem will do. */
export type ProblemSink<Code extends string> = { push(problem: Problem<Code>): unknown };

export type FieldProblemCode = 'not-a-number' | 'out-of-range';

/** An attribute's decoded text, trimmed, and the place of its value (of the attribute itself where it has no value). */
export type TextField = { text: string; span: Span };

/** A number attribute: `raw` as written; `value` null when it cannot be used (see `NumberRange` for what is moved). */
export type NumberField = { raw: string; value: number | null; span: Span };

const numberText = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** A finite decimal number as HTML writes it; null for anything else (also for what only JavaScript takes: 0x10, Infinity). */
export function parseNumber(text: string): number | null {
  const trimmed = text.trim();
  const value = numberText.test(trimmed) ? Number(trimmed) : Number.NaN;
  return Number.isFinite(value) ? value : null;
}

/** A frame rate as a plain number: `30`, `29.97` or a fraction `30000/1001`; null for anything else. */
export function parseFrameRateNumber(text: string): number | null {
  const [numerator = '', denominator, ...rest] = text.split('/');
  const over = denominator === undefined ? 1 : parseNumber(denominator);
  const top = parseNumber(numerator);
  if (rest.length > 0 || top === null || over === null || over === 0) return null;
  return top / over;
}

/** The text of an attribute; null when the element does not have it. */
export function textField(element: HtmlElement, name: string): TextField | null {
  const attribute = element.attributes.get(name);
  return attribute ? { text: attribute.value.trim(), span: attribute.valueSpan ?? attribute.nameSpan } : null;
}

/**
 * The number of an attribute of the table; null when the element does not have it. A text that is no number, or a
 * number out of the attribute's range, adds a problem.
 */
export function numberField(
  element: HtmlElement,
  key: AttributeKey,
  problems: ProblemSink<FieldProblemCode>,
): NumberField | null {
  const field = textField(element, attr[key]);
  if (!field) return null;
  const { range = {}, value: kind } = attributeSpecs[key];
  const value = kind === 'frame-rate' ? parseFrameRateNumber(field.text) : parseNumber(field.text);
  if (value === null) {
    const severity = range.lenient ? 'warning' : 'error';
    problems.push({ code: 'not-a-number', severity, message: notANumber(key, field.text), span: field.span });
    return { raw: field.text, value, span: field.span };
  }
  const nearest = moveInto(range, value);
  if (nearest === value) return { raw: field.text, value, span: field.span };
  const message = `${attr[key]} must be ${describeRange(range)}, not ${value}`;
  problems.push({ code: 'out-of-range', severity: range.lenient ? 'warning' : 'error', message, span: field.span });
  return { raw: field.text, value: range.lenient ? nearest : null, span: field.span };
}

/**
 * Whether a flag attribute is on: present, unless it says `false`. Null when it is absent.
 * `loop` and `muted` are on whatever they say, as in HTML.
 */
export function flagField(element: HtmlElement, key: AttributeKey): boolean | null {
  const field = textField(element, attr[key]);
  if (!field) return null;
  return key === 'loop' || key === 'muted' || isOn(field.text);
}

/** Whether the text of a flag attribute that is there switches it on. */
export function isOn(text: string): boolean {
  return text.trim().toLowerCase() !== 'false';
}

function notANumber(key: AttributeKey, text: string): string {
  const unit = /^([+-]?[\d.]+)\s*(s|sec|seconds|ms|px|fps)$/i.exec(text);
  const hint = unit ? '; write the number without a unit' : '';
  const wanted = attributeSpecs[key].value === 'frame-rate' ? 'a number or a fraction such as 30000/1001' : 'a number';
  return text === ''
    ? `${attr[key]} is empty; it must be ${wanted}`
    : `${attr[key]} must be ${wanted}, not "${text}"${hint}`;
}

function moveInto(range: NumberRange, value: number): number {
  const bounded = Math.max(range.min ?? value, Math.min(range.max ?? value, value));
  if (range.above !== undefined && bounded <= range.above) return Number.NaN;
  return range.integer ? Math.round(bounded) : bounded;
}

function describeRange({ min, max, above, integer }: NumberRange): string {
  const what = integer ? 'a whole number' : 'a number';
  if (above !== undefined) return `${what} greater than ${above}`;
  if (min !== undefined && max !== undefined) return `${what} from ${min} to ${max}`;
  if (min !== undefined) return `${what} of at least ${min}`;
  return what;
}
