// Comments that disable rules: `<!-- framework-ignore-next-line rule-a, rule-b: reason -->`, `<!-- framework-ignore-file rule -->`.
import type { Composition } from '../model/composition.ts';
import { indexLines, type LineIndex, positionAt, type Span } from '../model/text/spans.ts';

/** One comment. `covers` is the span in which it disables the rules `names`. */
export type Ignore = {
  kind: 'next-line' | 'file';
  span: Span;
  names: { name: string; span: Span }[];
  covers: Span;
};

const mark = 'framework-ignore';
const comment =
  /(?:<!--|\/\*|\/\/)[ \t]*framework-ignore-(next-line|file)\b[ \t]*((?:(?!-->|\*\/)[^\n\r])*)(?:-->|\*\/)?/g;

/**
 * Finds the comments of a file; `//` and `/* *\/` work in scripts and styles too. The next line is extended to the end of the
 * start tags that begin on it, because a tag cannot contain a comment.
 */
export function findIgnores({ text, html }: Composition): Ignore[] {
  if (!text.includes(mark)) return [];
  const lines = indexLines(text);
  return [...text.matchAll(comment)].map((match) => {
    const [whole, kind, rest = ''] = match;
    const span = { start: match.index, end: match.index + whole.length };
    const names = namesIn(rest, span.start + whole.indexOf(rest, whole.indexOf(mark)));
    if (kind === 'file') return { kind, span, names, covers: { start: 0, end: text.length } };
    const covers = lineAfter(lines, span.end);
    for (const { startTag } of html.elements) {
      if (startTag.start >= covers.start && startTag.start < covers.end)
        covers.end = Math.max(covers.end, startTag.end);
    }
    return { kind: 'next-line', span, names, covers };
  });
}

/** The names before the colon that starts the reason. */
function namesIn(rest: string, offset: number): Ignore['names'] {
  const list = rest.split(':')[0] ?? '';
  return [...list.matchAll(/[^\s,]+/g)].map((match) => ({
    name: match[0],
    span: { start: offset + match.index, end: offset + match.index + match[0].length },
  }));
}

function lineAfter(lines: LineIndex, offset: number): Span {
  const { line } = positionAt(lines, offset);
  return { start: lines.starts[line] ?? lines.length, end: lines.starts[line + 1] ?? lines.length };
}

/** Whether the comment disables a rule at the start of a span. */
export function silences({ names, covers }: Ignore, id: string, { span }: { span: Span }): boolean {
  return (
    covers.start <= span.start &&
    span.start < Math.max(covers.end, covers.start + 1) &&
    names.some(({ name }) => name === id)
  );
}
