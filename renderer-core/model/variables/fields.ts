// Reads one attribute as a text, number or flag, and reports problems.
// Imports no parser, because the page script also reads numbers with it.
import { type AttributeKey, attr, attributeSpecs, type NumberRange } from '../attributes.ts';
import type { HtmlElement } from '../text/html.ts';
import type { Span } from '../text/spans.ts';

export type Severity = 'error' | 'warning';

/** A problem in a composition file. */
export type Problem<Code extends string = string> = { code: Code; severity: Severity; message: string; span: Span };

/** Receives problems, for example an array. */
export type ProblemSink<Code extends string> = { push(problem: Problem<Code>): unknown };

export type FieldProblemCode = 'not-a-number' | 'out-of-range';

/** The decoded, trimmed text of an attribute, and the span of its value (of its name if it has no value). */
export type TextField = { text: string; span: Span };

/** A number attribute: `raw` is the text; `value` is null if it is invalid (see `NumberRange` for clamping) or,
 * with `isUnknown`, a placeholder. */
export type NumberField = { raw: string; value: number | null; span: Span; isUnknown?: true };

const numberText = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** Parses a finite decimal number; null for anything else, including JavaScript notations such as 0x10 and Infinity. */
export function parseNumber(text: string): number | null {
  const trimmed = text.trim();
  const value = numberText.test(trimmed) ? Number(trimmed) : Number.NaN;
  return Number.isFinite(value) ? value : null;
}

/** Parses a frame rate in frames per second: `30`, `29.97` or `30000/1001`; null for anything else. */
export function parseFrameRateNumber(text: string): number | null {
  const [numerator = '', denominator, ...rest] = text.split('/');
  const over = denominator === undefined ? 1 : parseNumber(denominator);
  const top = parseNumber(numerator);
  if (rest.length > 0 || top === null || over === null || over === 0) return null;
  return top / over;
}

/** The text of an attribute; null if the element does not have it. */
export function textField(element: HtmlElement, name: string): TextField | null {
  const attribute = element.attributes.get(name);
  return attribute ? { text: attribute.value.trim(), span: attribute.valueSpan ?? attribute.nameSpan } : null;
}

/**
 * Reads a number attribute; null if the element does not have it. Adds a problem if the text is not a number or the number
 * is out of range.
 */
export function numberField(
  element: HtmlElement,
  key: AttributeKey,
  problems: ProblemSink<FieldProblemCode>,
): NumberField | null {
  const field = textField(element, attr[key]);
  if (!field) return null;
  if (element.attributes.get(attr[key])?.hasPlaceholder)
    return { raw: field.text, value: null, span: field.span, isUnknown: true };
  const { range = {}, value: kind } = attributeSpecs[key];
  const value = kind === 'frame-rate' ? parseFrameRateNumber(field.text) : parseNumber(field.text);
  if (value === null) {
    const severity = range.lenient ? 'warning' : 'error';
    problems.push({ code: 'not-a-number', severity, message: notANumber(key, field.text), span: field.span });
    return { raw: field.text, value, span: field.span };
  }
  const nearest = moveInto(range, value);
  if (nearest === value) return { raw: field.text, value, span: field.span };
  const message = `${attr[key]} must be ${describeRange(range)} (got ${value})`;
  problems.push({ code: 'out-of-range', severity: range.lenient ? 'warning' : 'error', message, span: field.span });
  return { raw: field.text, value: range.lenient ? nearest : null, span: field.span };
}

/**
 * Whether a flag attribute is on: present, and not `false`. Null if it is absent. `loop` and `muted` are on whatever their
 * value is, as in HTML.
 */
export function flagField(element: HtmlElement, key: AttributeKey): boolean | null {
  const field = textField(element, attr[key]);
  if (!field) return null;
  return key === 'loop' || key === 'muted' || isFlagOn(field.text);
}

/** Whether the text of a flag attribute that is present turns it on. */
export function isFlagOn(text: string): boolean {
  return text.trim().toLowerCase() !== 'false';
}

function notANumber(key: AttributeKey, text: string): string {
  const wanted = attributeSpecs[key].value === 'frame-rate' ? 'a number or a fraction such as 30000/1001' : 'a number';
  return text === ''
    ? `${attr[key]} must be ${wanted} (got an empty value)`
    : `${attr[key]} must be ${wanted} (got "${text}")${numberHint(key, text)}`;
}

function numberHint(key: AttributeKey, text: string): string {
  if (/^[+-]?[\d.]+\s*(?:s|sec|seconds|ms|px|fps)$/i.test(text)) return '; leave out the unit';
  const percent = percentValue(text);
  if (percent !== null && (key === 'volume' || key === 'playbackRate')) return `; write ${percent} instead of ${text}`;
  if (!/^\$(?:\w+|\{[^{}]+\})$/.test(text)) return '';
  return `; ${text} is replaced only in data-variable-values and data-color-grading, so set the attribute in a script`;
}

/** `50%` as 0.5; null for anything else. */
export function percentValue(text: string): number | null {
  const value = /%\s*$/.test(text) ? parseNumber(text.replace(/%\s*$/, '')) : null;
  return value === null ? null : Number((value / 100).toFixed(6));
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
