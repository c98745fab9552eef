// The value of an attribute as the browser decodes it, with a map from decoded offsets to offsets in the file.
import { DecodingMode, HtmlEntityDecoder } from 'entities/decode';
import type { Span } from './spans.ts';

/** How an attribute's value is delimited; `''` is an unquoted value. */
export type Quote = '"' | "'" | '';

/**
 * A decoded attribute value. `steps` lists flat pairs (decoded offset, file offset) at the points where decoding changes
 * the number of characters; between two steps both offsets advance together.
 */
export type AttributeText = {
  text: string;
  span: Span;
  quote: Quote;
  steps: readonly number[];
  /** In a file that was parsed as a template: the text contains placeholders. */
  hasPlaceholder?: true;
};

const special = /[&\r\0]/g;
const unquotable = /[\s"'=<>`]/g;

/** Encodes a text for an attribute with these quotes, so that the browser decodes it to the same text. */
export function encodeAttributeText(text: string, quote: Quote): string {
  const safe = text.replace(/&(?=[#a-z]|$)/gi, '&amp;');
  if (quote === '"') return safe.replaceAll('"', '&quot;');
  if (quote === "'") return safe.replaceAll("'", '&#39;');
  return safe.replace(unquotable, (sign) => `&#${sign.charCodeAt(0)};`);
}

/**
 * Decodes the value at `span` (between the quotes) by the rules of the HTML standard for attribute values: character
 * references, `\r\n` and `\r` as `\n`, NUL as U+FFFD. Never throws.
 */
export function readAttributeText(fileText: string, span: Span, quote: Quote): AttributeText {
  const raw = fileText.slice(span.start, span.end);
  const steps: number[] = [0, span.start];
  let text = '';
  let copied = 0;
  special.lastIndex = 0;
  for (let found = special.exec(raw); found; found = special.exec(raw)) {
    const at = found.index;
    const { decoded, length } = decodeAt(raw, at);
    if (length === decoded.length && raw.startsWith(decoded, at)) continue;
    text += raw.slice(copied, at) + decoded;
    copied = at + length;
    special.lastIndex = copied;
    // All decoded characters map to the whole reference: one step before it and one after it.
    steps.push(text.length - decoded.length, span.start + at, text.length, span.start + copied);
  }
  return { text: text + raw.slice(copied), span, quote, steps };
}

function decodeAt(raw: string, at: number): { decoded: string; length: number } {
  const character = raw[at];
  if (character === '\r') return { decoded: '\n', length: raw[at + 1] === '\n' ? 2 : 1 };
  if (character === '\0') return { decoded: '\uFFFD', length: 1 };
  let decoded = '';
  const decoder = new HtmlEntityDecoder((codePoint) => {
    decoded += String.fromCodePoint(codePoint);
  });
  decoder.startEntity(DecodingMode.Attribute);
  const written = decoder.write(raw, at + 1);
  const length = written < 0 ? decoder.end() : written;
  return length > 0 ? { decoded, length } : { decoded: '&', length: 1 };
}

/**
 * The file offset of a decoded offset, `0 <= decoded <= text.length`. Between the characters of one reference (a few
 * references decode to two) it is the start of the reference.
 */
export function toFileOffset(value: AttributeText, decoded: number): number {
  const inside = Math.max(0, Math.min(decoded, value.text.length));
  const step = lastStep(value.steps, 0, inside);
  const from = value.steps[step] ?? 0;
  const base = value.steps[step + 1] ?? value.span.start;
  // Steps alternate: every second one opens a reference, inside which the file offset does not advance.
  return step % 4 === 2 ? base : base + (inside - from);
}

/** The file span of a decoded range. */
export function toFileSpan(value: AttributeText, start: number, end: number): Span {
  const from = toFileOffset(value, start);
  return { start: from, end: Math.max(from, toFileOffset(value, end)) };
}

/** The decoded offset of a file offset. Inside a character reference it is that of the reference's first character. */
export function toDecodedOffset(value: AttributeText, fileOffset: number): number {
  const inside = Math.max(value.span.start, Math.min(fileOffset, value.span.end));
  const step = lastStep(value.steps, 1, inside);
  const from = value.steps[step] ?? 0;
  const base = value.steps[step + 1] ?? value.span.start;
  return step % 4 === 2 ? from : from + (inside - base);
}

/** The index of the last pair whose `side` (0 decoded, 1 file) is at most `offset`. */
function lastStep(steps: readonly number[], side: 0 | 1, offset: number): number {
  let low = 0;
  let high = steps.length / 2 - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((steps[middle * 2 + side] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low * 2;
}
