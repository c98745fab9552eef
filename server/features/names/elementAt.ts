// Finds the element whose tag or content contains an offset, including a tag that is not closed yet.
import type { Composition } from '../../../renderer-core/model/composition.ts';
import { type HtmlAttribute, type HtmlElement, parseHtml } from '../../../renderer-core/model/text/html.ts';
import type { Span } from '../../../renderer-core/model/text/spans.ts';

const sorted = new WeakMap<Composition, readonly HtmlElement[]>();

/** The elements sorted by start tag. A parser reorders some of them, such as content between table rows. */
function elementsByStart(composition: Composition): readonly HtmlElement[] {
  let elements = sorted.get(composition);
  if (!elements) {
    const { elements: all } = composition.html;
    const isSorted = all.every((element, i) => i === 0 || startOf(all[i - 1]) <= startOf(element));
    elements = isSorted ? all : [...all].sort((a, b) => startOf(a) - startOf(b));
    sorted.set(composition, elements);
  }
  return elements;
}

const startOf = (element: HtmlElement | undefined): number => element?.startTag.start ?? 0;

/**
 * The element with the last start tag before an offset: the offset is in that tag or after it. Includes an unclosed tag at
 * the end of the file, which the parser drops.
 */
export function elementAt(composition: Composition, offset: number): HtmlElement | undefined {
  const elements = elementsByStart(composition);
  let low = 0;
  let high = elements.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (startOf(elements[middle]) < offset) low = middle + 1;
    else high = middle;
  }
  const before = elements[low - 1];
  if (low < elements.length || (before && offset < before.startTag.end)) return before;
  return openTag(composition.text, before, offset) ?? before;
}

/** Elements with text content, where `<` does not open a tag. */
const rawText = new Set(['script', 'style', 'textarea', 'title', 'plaintext', 'xmp', 'iframe', 'noembed', 'noframes']);

/** Longer unclosed tags are not recognized, to limit the work. */
const maxTagLength = 20_000;

/** Parses the unclosed tag at the end of the file if the offset is in it. */
function openTag(text: string, last: HtmlElement | undefined, offset: number): HtmlElement | undefined {
  if (last && rawText.has(last.tag) && !last.endTag) return undefined;
  const from = Math.max(last?.endTag?.end ?? last?.startTag.end ?? 0, text.length - maxTagLength);
  const tail = text.slice(from);
  if (tail.lastIndexOf('<!--') > tail.lastIndexOf('-->')) return undefined;
  const found = /<[a-z][^<]*$/i.exec(tail) ?? /<[a-z][\s\S]*$/i.exec(tail);
  const start = from + (found?.index ?? 0);
  if (!found || offset <= start) return undefined;
  for (const end of ['>', '">', "'>"]) {
    const element = parseHtml(found[0] + end).elements[0];
    const isWhole = element?.startTag.start === 0 && element.startTag.end === found[0].length + end.length;
    if (isWhole) return moved(element, start, text.length, parentAt(last, start));
  }
  return undefined;
}

/** The element that is still open at an offset after the last element. */
function parentAt(last: HtmlElement | undefined, start: number): HtmlElement | null {
  for (let element = last ?? null; element; element = element.parent) {
    if (element.span.end >= start && !element.endTag) return element;
  }
  return null;
}

function moved(element: HtmlElement, by: number, end: number, parent: HtmlElement | null): HtmlElement {
  const move = (span: Span): Span => ({ start: Math.min(end, span.start + by), end: Math.min(end, span.end + by) });
  const attributes = new Map<string, HtmlAttribute>();
  for (const [name, attribute] of element.attributes) {
    const { span, nameSpan, valueSpan } = attribute;
    attributes.set(name, {
      ...attribute,
      span: move(span),
      nameSpan: move(nameSpan),
      valueSpan: valueSpan && move(valueSpan),
    });
  }
  // One past the end of the file, so that a cursor at the end of the file is inside the tag.
  const startTag = { start: by, end: end + 1 };
  return {
    ...element,
    attributes,
    span: startTag,
    startTag,
    endTag: null,
    parent,
    children: [],
    template: parent?.template ?? null,
  };
}
