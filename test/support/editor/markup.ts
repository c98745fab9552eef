// Markup in tests: marked ranges «like this», and several files in one string, each after a line `=== path`.
import type { Span } from '../../../renderer-core/model/text/spans.ts';

/** Removes the marks and returns the marked spans, in the order in which they open. */
export function marked(markup: string): { text: string; spans: Span[] } {
  const spans: Span[] = [];
  const open: Span[] = [];
  let text = '';
  for (const character of markup) {
    if (character === '«') {
      const span = { start: text.length, end: text.length };
      spans.push(span);
      open.push(span);
    } else if (character === '»') {
      const span = open.pop();
      if (!span) throw new Error(`» without « in ${markup}`);
      span.end = text.length;
    } else text += character;
  }
  if (open.length > 0) throw new Error(`« without » in ${markup}`);
  return { text, spans };
}

/** Inserts marks around spans of a text, so that a wrong span is readable in the test failure. */
export function mark(text: string, spans: readonly Span[]): string {
  // At the same position, closing marks come first, then empty ranges, then opening marks.
  const marks = spans.flatMap(({ start, end }) =>
    start === end
      ? [{ at: start, order: 1, mark: '«»' }]
      : [
          { at: start, order: 2, mark: '«' },
          { at: end, order: 0, mark: '»' },
        ],
  );
  marks.sort((a, b) => a.at - b.at || a.order - b.order);
  let result = '';
  let copied = 0;
  for (const { at, mark: sign } of marks) {
    result += text.slice(copied, at) + sign;
    copied = at;
  }
  return result + text.slice(copied);
}

/** Splits a string with `=== path` lines into files by path. */
export function filesOf(source: string): Map<string, string> {
  const files = new Map<string, string>();
  for (const part of source.split(/^=== /m).slice(1)) {
    const lineEnd = part.indexOf('\n');
    const path = lineEnd < 0 ? part : part.slice(0, lineEnd);
    files.set(path.trim(), lineEnd < 0 ? '' : part.slice(lineEnd + 1));
  }
  return files;
}
