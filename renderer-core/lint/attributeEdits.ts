// Creates edits that set, add and remove attributes.
import { encodeAttributeText, type Quote } from '../model/text/attributeText.ts';
import type { HtmlAttribute, HtmlElement } from '../model/text/html.ts';
import type { Span } from '../model/text/spans.ts';
import type { TextEdit } from './finding.ts';

/** The quotes around the attribute value at `span`. */
export function quoteAround(text: string, span: Span): Quote {
  const sign = text[span.start - 1];
  return sign === '"' || sign === "'" ? sign : '';
}

/** Sets the value of an attribute; one without a value gets quotes. */
export function setAttribute(attribute: HtmlAttribute, value: string): TextEdit {
  const { valueSpan, quote, nameSpan } = attribute;
  const isReplaceable = valueSpan && (quote !== '' || (value !== '' && valueSpan.end > valueSpan.start));
  if (isReplaceable) return { span: valueSpan, text: encodeAttributeText(value, quote) };
  return { span: { start: nameSpan.end, end: attribute.span.end }, text: `="${encodeAttributeText(value, '"')}"` };
}

/** Adds an attribute after the last one of an element, in the quotes that need less encoding. */
export function addAttribute(element: HtmlElement, name: string, value: string): TextEdit {
  const last = [...element.attributes.values()].reduce((end, { span }) => Math.max(end, span.end), 0);
  const at = Math.max(last, element.startTag.start + 1 + element.tag.length);
  const quote = value.includes('"') && !value.includes("'") ? "'" : '"';
  return {
    span: { start: at, end: at },
    text: ` ${name}=${quote}${encodeAttributeText(value, quote)}${quote}`,
  };
}

/** Removes an attribute and the whitespace before it. */
export function removeAttribute(text: string, { span }: HtmlAttribute): TextEdit {
  let { start } = span;
  while (start > 0 && /\s/.test(text[start - 1] ?? '')) start--;
  return { span: { start, end: span.end }, text: '' };
}
