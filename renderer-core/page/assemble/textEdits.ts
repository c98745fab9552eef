// Applies edits to a text, and maps lines of the edited text to the original ones.
import type { Span } from '../../model/text/spans.ts';

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

/** The rest of `line`, from `column` on (counted from 1), is shifted to the right by `columns`. */
export type TextShift = LineShift & { column: number; columns: number };

type Position = { line: number; column: number };

/** What edits shift in the part `within` of `text`, which follows `prefix` in the edited text. */
export function textShifts(
  text: string,
  edits: readonly TextEdit[],
  within: Span = { start: 0, end: text.length },
  prefix = '',
): TextShift[] {
  const shifts: TextShift[] = [];
  let original = moved({ line: 1, column: 1 }, text.slice(0, within.start));
  let edited = moved({ line: 1, column: 1 }, prefix);
  const add = () =>
    shifts.push({ ...edited, by: edited.line - original.line, columns: edited.column - original.column });
  if (prefix !== '' || within.start > 0) add();
  let at = within.start;
  for (const { span, text: replacement } of applied(edits, within)) {
    const kept = text.slice(at, span.start);
    original = moved(moved(original, kept), text.slice(span.start, span.end));
    edited = moved(moved(edited, kept), replacement);
    at = span.end;
    add();
  }
  return shifts;
}

/** The position in the original text for one in the edited text. */
export function originalPosition({ line, column }: Position, shifts: readonly TextShift[]): Position {
  const shift = shifts.findLast((one) => one.line < line || (one.line === line && one.column <= column));
  if (!shift) return { line, column };
  return { line: line - shift.by, column: shift.line === line ? column - shift.columns : column };
}

/** The shifts of whole lines. */
export const lineShifts = (shifts: readonly TextShift[]): LineShift[] =>
  shifts.filter(({ by }, index) => by !== (shifts[index - 1]?.by ?? 0)).map(({ line, by }) => ({ line, by }));

/** The line of the original text for a line of the edited text. */
export function originalLine(line: number, shifts: readonly LineShift[]): number {
  return line - (shifts.findLast((shift) => shift.line <= line)?.by ?? 0);
}

/** The position after `text`. */
function moved({ line, column }: Position, text: string): Position {
  const breaks = text.split('\n').length - 1;
  return breaks === 0
    ? { line, column: column + text.length }
    : { line: line + breaks, column: text.length - text.lastIndexOf('\n') };
}

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
