// Removes white space at the edges of a span.
import type { Span } from '../../../renderer-core/model/text/spans.ts';

/** White space as defined by HTML, which excludes the no-break space. A blank span becomes empty, at its start. */
export function trimSpan(text: string, { start, end }: Span): Span {
  const written = text.slice(start, end);
  const front = /^[ \t\n\f\r]*/.exec(written)?.[0].length ?? 0;
  if (front === written.length) return { start, end: start };
  const back = /[ \t\n\f\r]*$/.exec(written)?.[0].length ?? 0;
  return { start: start + front, end: end - back };
}
