// Replaces parts of a text, so that an assembled page keeps the author's own text, line by line, everywhere else.
import type { Span } from '../model/spans.ts';

/** `span` of the original text becomes `text`; an empty span inserts. */
export type TextEdit = { span: Span; text: string };

/**
 * The part of `text` that `within` covers, edited. Edits that lie inside an earlier, larger one are dropped; those
 * outside `within` are ignored. Inserts at one place stand in the order given.
 */
export function editText(
  text: string,
  edits: readonly TextEdit[],
  within: Span = { start: 0, end: text.length },
): string {
  const inside = edits.filter(({ span }) => span.start >= within.start && span.end <= within.end);
  const ordered = inside
    .map((edit, order) => ({ ...edit, order }))
    .sort((a, b) => a.span.start - b.span.start || b.span.end - a.span.end || a.order - b.order);
  let result = '';
  let at = within.start;
  for (const { span, text: replacement } of ordered) {
    if (span.start < at) continue;
    result += text.slice(at, span.start) + replacement;
    at = span.end;
  }
  return result + text.slice(at, within.end);
}
