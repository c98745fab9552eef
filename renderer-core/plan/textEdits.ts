// Applies edits to a text, and maps lines of the edited text to the original ones.
import type { Span } from '../model/spans.ts';

/** Replaces `span` of the original text with `text`; an empty span inserts. */
export type TextEdit = { span: Span; text: string };

/**
 * Returns the edited part of `text` in the span `within`. Edits inside an earlier, larger one and edits outside `within` are
 * ignored. Insertions at the same offset keep their order.
 */
export function applyTextEdits(
  text: string,
  edits: readonly TextEdit[],
  within: Span = { start: 0, end: text.length },
): string {
  let result = '';
  let at = within.start;
  for (const { span, text: replacement } of applied(edits, within)) {
    result += text.slice(at, span.start) + replacement;
    at = span.end;
  }
  return result + text.slice(at, within.end);
}

/** From line `line` of the edited text on (counted from 1), lines are shifted down by `by`. */
export type LineShift = { line: number; by: number };

/** The line shifts that the edits cause in `text`. */
export function lineShifts(text: string, edits: readonly TextEdit[]): LineShift[] {
  const shifts: LineShift[] = [];
  let [line, by, at] = [1, 0, 0];
  for (const { span, text: replacement } of applied(edits, { start: 0, end: text.length })) {
    const [added, removed] = [breaks(replacement), breaks(text.slice(span.start, span.end))];
    line += breaks(text.slice(at, span.start)) + added;
    at = span.end;
    if (added === removed) continue;
    by += added - removed;
    shifts.push({ line, by });
  }
  return shifts;
}

/** The line of the original text for a line of the edited text. */
export function originalLine(line: number, shifts: readonly LineShift[]): number {
  return line - (shifts.findLast((shift) => shift.line <= line)?.by ?? 0);
}

const breaks = (text: string): number => text.split('\n').length - 1;

/** The edits that are applied, in order. */
function applied(edits: readonly TextEdit[], within: Span): TextEdit[] {
  const inside = edits.filter(({ span }) => span.start >= within.start && span.end <= within.end);
  const ordered = inside
    .map((edit, order) => ({ ...edit, order }))
    .sort((a, b) => a.span.start - b.span.start || b.span.end - a.span.end || a.order - b.order);
  let at = within.start;
  return ordered.filter(({ span }) => {
    if (span.start < at) return false;
    at = span.end;
    return true;
  });
}
