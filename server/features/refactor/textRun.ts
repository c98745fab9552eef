// The literal text between two child elements: as the browser shows it, and the smallest edit that changes it.
import { decodeHTML } from 'entities/decode';
import type { TextEdit } from '../../../renderer-core/lint/finding.ts';
import { type HtmlElement, innerSpan } from '../../../renderer-core/model/text/html.ts';
import { type Span, textOf } from '../../../renderer-core/model/text/spans.ts';
import { trimSpan } from './trimSpan.ts';

/** A part of the source, and what it shows. Comments show nothing. */
type Piece = { text: string; start: number; end: number };

export type TextRun = { text: string; end: number; pieces: readonly Piece[] };

/** White space as browsers collapse it, for comparisons. No-break spaces stay. */
export const collapsed = (text: string): string => text.replace(/[ \t\r\n\f]+/g, ' ').trim();

const isLineBreak = ({ tag, attributes }: HtmlElement): boolean => tag === 'br' && attributes.size === 0;

const piece = /[ \t\r\n\f]*<br\s*\/?>[ \t\r\n\f]*|<!--[\s\S]*?-->|&(?:#x?[\da-f]+|[a-z\d]+);?|[ \t\r\n\f]+|[\s\S]/gi;

/**
 * The text after `before` child elements, without the white space around it. Plain `<br>` are line breaks and not counted.
 * `keepsLines`: line breaks of the source are shown too.
 */
export function textRun(source: string, holder: HtmlElement, before: number, keepsLines: boolean): TextRun {
  const around = holder.children.filter((child) => !isLineBreak(child)).sort((a, b) => a.span.start - b.span.start);
  const inner = innerSpan(holder);
  const start = before === 0 ? inner.start : (around[before - 1]?.span.end ?? inner.end);
  const outer = { start, end: Math.max(start, around[before]?.span.start ?? inner.end) };
  const span = trimSpan(source, withoutComments(source, outer));
  const pieces = [...textOf(source, span).matchAll(piece)].map(({ 0: written, index }) => {
    const at = span.start + index;
    return { text: shownText(written, keepsLines), start: at, end: at + written.length };
  });
  return { text: pieces.map(({ text }) => text).join(''), end: span.end, pieces };
}

/** Comments at the start and the end are not a part of the text. */
function withoutComments(source: string, { start, end }: Span): Span {
  const front = /^(?:\s*<!--[\s\S]*?-->)*/.exec(source.slice(start, end))?.[0].length ?? 0;
  const back = /(?:<!--(?:(?!-->)[\s\S])*-->\s*)*$/.exec(source.slice(start + front, end))?.[0].length ?? 0;
  return { start: start + front, end: end - back };
}

function shownText(written: string, keepsLines: boolean): string {
  if (written.startsWith('<!--')) return '';
  if (/<br/i.test(written)) return '\n';
  if (/^\s/.test(written) && written.trim() === '') return keepsLines ? written.replace(/\r\n?/g, '\n') : ' ';
  return written.length > 1 && written.startsWith('&') ? decodeHTML(written) : written;
}

/** Keeps the spelling of the unchanged start and end. Undefined if a comment would be deleted. */
export function textRunEdit(source: string, run: TextRun, value: string, keepsLines: boolean): TextEdit | undefined {
  const { pieces } = run;
  let [first, last] = [0, pieces.length];
  let [from, to] = [0, value.length];
  for (let next = pieces[first]; next && value.startsWith(next.text, from); next = pieces[++first])
    from += next.text.length;
  for (let next = pieces[last - 1]; next && last > first; next = pieces[--last - 1]) {
    if (to - next.text.length < from || !value.startsWith(next.text, to - next.text.length)) break;
    to -= next.text.length;
  }
  const changed = pieces.slice(first, last);
  if (changed.some(({ start }) => source.startsWith('<!--', start))) return undefined;
  const start = pieces[first]?.start ?? run.end;
  const text = encoded(value.slice(from, to), keepsLines ? '\n' : /<br\s*\/>/i.test(source) ? '<br />' : '<br>');
  return { span: { start, end: changed.at(-1)?.end ?? start }, text };
}

function encoded(text: string, lineBreak: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('\u00a0', '&nbsp;')
    .replace(/\r\n?|\n/g, lineBreak);
}
