// A selection without the white space at its edges.
import type { Span } from '../../renderer-core/model/spans.ts';

/** White space as HTML has it: a no-break space is none. Of nothing but white space an empty span at its start is left. */
export function trimmed(text: string, { start, end }: Span): Span {
  const written = text.slice(start, end);
  const front = /^[ \t\n\f\r]*/.exec(written)?.[0].length ?? 0;
  if (front === written.length) return { start, end: start };
  const back = /[ \t\n\f\r]*$/.exec(written)?.[0].length ?? 0;
  return { start: start + front, end: end - back };
}
