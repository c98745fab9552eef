// The grammar of `data-start`: seconds, or the end of another clip with an offset.
import { attr } from './attributes.ts';
import { type AttributeText, toFileSpan } from './text/attributeText.ts';
import type { Span } from './text/spans.ts';
import { parseNumber } from './variables/fields.ts';

/** The start of a clip: seconds in its composition, or `offset` seconds after the end of another clip. */
export type StartSpec =
  | { kind: 'seconds'; seconds: number; span: Span }
  | { kind: 'after'; id: string; offset: number; span: Span; idSpan: Span };

export type StartProblem = { message: string; span: Span };

/**
 * Parses `data-start`: a number, `id`, `id + s` or `id - s`, with optional whitespace around. A minus sign belongs to the id
 * unless whitespace precedes it, because ids contain hyphens: `a-roll`, but `a -2`.
 */
export function parseStart(value: AttributeText): StartSpec | { problem: StartProblem } {
  const text = value.text.trim();
  const offset = value.text.length - value.text.trimStart().length;
  const span = toFileSpan(value, offset, offset + text.length);
  if (text === '')
    return {
      problem: {
        message: `${attr.start} must be a number of seconds or the id of a clip (got an empty value)`,
        span,
      },
    };
  const seconds = parseNumber(text);
  if (seconds !== null) return { kind: 'seconds', seconds, span };
  const { id, sign, amount } = splitReference(text);
  const idSpan = toFileSpan(value, offset, offset + id.length);
  if (/\s/.test(id) || id === '') {
    return {
      problem: {
        message: `${attr.start} must be seconds, an id, id + seconds or id - seconds (got "${text}")`,
        span,
      },
    };
  }
  if (sign === undefined) return { kind: 'after', id, offset: 0, span, idSpan };
  const shift = parseNumber(amount);
  if (shift === null || /^[+-]/.test(amount)) {
    return { problem: { message: `Expected a number of seconds after "${id} ${sign}" (got "${amount}")`, span } };
  }
  return { kind: 'after', id, offset: sign === '-' ? -shift : shift, span, idSpan };
}

function splitReference(text: string): { id: string; sign?: '+' | '-'; amount: string } {
  for (let i = 1; i < text.length; i++) {
    const sign = text[i];
    if (sign === '+' || (sign === '-' && /\s/.test(text[i - 1] ?? ''))) {
      return { id: text.slice(0, i).trimEnd(), sign, amount: text.slice(i + 1).trim() };
    }
  }
  return { id: text, amount: '' };
}
