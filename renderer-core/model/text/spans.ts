// Positions in a file: spans of UTF-16 offsets, and lines and columns.

/** A range of a file's text in UTF-16 offsets; `end` is exclusive, `0 <= start <= end <= text.length`. */
export type Span = { start: number; end: number };

/** A position as editors show it: `line` and `column` count from 1, `column` in UTF-16 units. */
export type LineAndColumn = { line: number; column: number };

/** The offset of each line start. Build it once to look up several positions in one text. */
export type LineIndex = { starts: readonly number[]; length: number };

const lineFeed = 10;
const carriageReturn = 13;

/** Finds the line starts of a text. `\n`, `\r\n` and a lone `\r` each end a line, as in an HTML parser. */
export function indexLines(text: string): LineIndex {
  const starts = [0];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === lineFeed || (code === carriageReturn && text.charCodeAt(i + 1) !== lineFeed)) starts.push(i + 1);
  }
  return { starts, length: text.length };
}

/** Converts an offset to a position. An offset outside the text is clamped. */
export function positionAt(index: LineIndex, offset: number): LineAndColumn {
  const inside = Math.max(0, Math.min(offset, index.length));
  let low = 0;
  let high = index.starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((index.starts[middle] ?? 0) <= inside) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: inside - (index.starts[low] ?? 0) + 1 };
}

/** Converts one offset to a position. For several offsets of the same text, use `indexLines` and `positionAt`. */
export function lineAndColumn(text: string, offset: number): LineAndColumn {
  return positionAt(indexLines(text), offset);
}

export const moved = ({ start, end }: Span, by: number): Span => ({ start: start + by, end: end + by });

export function textOf(text: string, span: Span): string {
  return text.slice(span.start, span.end);
}

/** Whether a cursor at `offset` is in the span or directly after its last character. */
export function touches(span: Span, offset: number): boolean {
  return span.start <= offset && offset <= span.end;
}
