// Positions and texts in the markup of a page.
import type { Composition } from '../../model/composition.ts';
import type { HtmlElement } from '../../model/text/html.ts';
import type { Span } from '../../model/text/spans.ts';
import { sourceAttribute } from '../runtime/page.ts';
import type { TextEdit } from './textEdits.ts';

/** The empty span at an offset. */
export const at = (offset: number): Span => ({ start: offset, end: offset });

export const afterTagName = ({ startTag, tag }: HtmlElement): number => startTag.start + 1 + tag.length;

/** The parser replaces carriage returns that are not escaped. */
export const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('\r', '&#13;');

export const escapeAttribute = (text: string): string =>
  escapeText(text).replaceAll('"', '&quot;').replaceAll("'", '&#39;');

/** Elements that render nothing, or whose attributes decide what runs. They get no source attribute. */
const unmarked = new Set(['base', 'head', 'link', 'meta', 'noscript', 'script', 'style', 'template', 'title']);

/**
 * Adds `<file>:<start>:<end>` to every start tag, for the preview: the number of the file and the offsets of the element
 * in it, in UTF-16 units.
 */
export function markEdits(file: number, { html }: Composition): TextEdit[] {
  return html.elements
    .filter(({ tag }) => !unmarked.has(tag))
    .map((element) => {
      const { start, end } = element.span;
      return { span: at(afterTagName(element)), text: ` ${sourceAttribute}="${file}:${start}:${end}"` };
    });
}

/** A policy of the author would also apply to what the product adds. Browsers ignore the old name. */
export function policyEdits({ html }: Composition): TextEdit[] {
  return html.elements.flatMap(({ tag, attributes }) => {
    const header = attributes.get('http-equiv');
    const isPolicy = tag === 'meta' && /^\s*content-security-policy\s*$/i.test(header?.value ?? '');
    return isPolicy && header?.valueSpan ? [{ span: header.valueSpan, text: 'x-content-security-policy' }] : [];
  });
}
