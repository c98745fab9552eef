// Edits of attributes as text of the file: values encoded for their quotes, attributes added, replaced and removed.
import { encodeAttributeText, type Quote } from '../model/attributeText.ts';
import type { HtmlAttribute, HtmlElement } from '../model/html.ts';
import type { Span } from '../model/spans.ts';
import type { TextEdit } from './finding.ts';

/** The quotes around a value that stands at `span`. */
export function quoteAround(text: string, span: Span): Quote {
  const sign = text[span.start - 1];
  return sign === '"' || sign === "'" ? sign : '';
}

/** Gives an attribute another value; one without a value gets quotes. */
export function setAttribute(attribute: HtmlAttribute, value: string): TextEdit {
  const { valueSpan, quote, nameSpan } = attribute;
  const hasPlace = valueSpan && (quote !== '' || (value !== '' && valueSpan.end > valueSpan.start));
  if (hasPlace) return { span: valueSpan, text: encodeAttributeText(value, quote) };
  return { span: { start: nameSpan.end, end: attribute.span.end }, text: `="${encodeAttributeText(value, '"')}"` };
}

/** Puts an attribute behind the last one of an element, in the quotes that need the least encoding. */
export function addAttribute(element: HtmlElement, name: string, value: string): TextEdit {
  const last = [...element.attributes.values()].reduce((end, { span }) => Math.max(end, span.end), 0);
  const at = Math.max(last, element.startTag.start + 1 + element.tag.length);
  const quote = value.includes('"') && !value.includes("'") ? "'" : '"';
  return {
    span: { start: at, end: at },
    text: ` ${name}=${quote}${encodeAttributeText(value, quote)}${quote}`,
  };
}

/** Takes an attribute away, with the white space in front of it. */
export function removeAttribute(text: string, { span }: HtmlAttribute): TextEdit {
  let { start } = span;
  while (start > 0 && /\s/.test(text[start - 1] ?? '')) start--;
  return { span: { start, end: span.end }, text: '' };
}
