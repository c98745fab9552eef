// Positions and texts in the markup of a page.
import type { HtmlElement } from '../model/html.ts';
import type { Span } from '../model/spans.ts';

/** The empty span at an offset. */
export const at = (offset: number): Span => ({ start: offset, end: offset });

export const afterTagName = ({ startTag, tag }: HtmlElement): number => startTag.start + 1 + tag.length;

/** The parser replaces carriage returns that are not escaped. */
export const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('\r', '&#13;');

export const escapeAttribute = (text: string): string =>
  escapeText(text).replaceAll('"', '&quot;').replaceAll("'", '&#39;');
