// Places in a file's text: spans as UTF-16 offsets, and lines and columns for people.

/** A piece of a file's text: UTF-16 offsets, `end` exclusive, `0 <= start <= end <= text.length`. */
export type Span = { start: number; end: number };

/** A place for people: `line` and `column` count from 1, `column` in UTF-16 units. */
export type LineAndColumn = { line: number; column: number };

/** Where each line of a text starts. Build it once to ask for many places of one text. */
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

/** The place of an offset. An offset outside the text is moved to its nearest end. */
export function placeAt(index: LineIndex, offset: number): LineAndColumn {
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

/** The place of one offset. For many offsets of the same text use `indexLines` and `placeAt`. */
export function lineAndColumn(text: string, offset: number): LineAndColumn {
  return placeAt(indexLines(text), offset);
}

/** The text that a span covers. */
export function textOf(text: string, span: Span): string {
  return text.slice(span.start, span.end);
}

/** Whether a cursor at `offset` touches the span; the place just behind its last character counts. */
export function touches(span: Span, offset: number): boolean {
  return span.start <= offset && offset <= span.end;
}
