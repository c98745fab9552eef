// Which element's tag or code an offset stands in, also in a tag that nothing closes yet.
import type { Composition } from '../../renderer-core/model/composition.ts';
import { type HtmlAttribute, type HtmlElement, parseHtml } from '../../renderer-core/model/html.ts';
import type { Span } from '../../renderer-core/model/spans.ts';

const sorted = new WeakMap<Composition, readonly HtmlElement[]>();

/** The elements by the place of their start tags; a parser moves some (what stands between table rows) in its own order. */
function elementsByPlace(composition: Composition): readonly HtmlElement[] {
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
 * The element whose start tag is the last to begin in front of an offset: the offset stands in that tag or somewhere behind it.
 * A tag at the end of the file that is not closed yet is an element here, though the parser drops it.
 */
export function elementAt(composition: Composition, offset: number): HtmlElement | undefined {
  const elements = elementsByPlace(composition);
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

/** Elements whose content is text, in which `<` opens nothing. */
const rawText = new Set(['script', 'style', 'textarea', 'title', 'plaintext', 'xmp', 'iframe', 'noembed', 'noframes']);

/** No start tag that somebody is typing is longer than this. */
const longestTag = 20_000;

/** Reads the tag that the end of the file leaves open, when the offset stands in it. */
function openTag(text: string, last: HtmlElement | undefined, offset: number): HtmlElement | undefined {
  if (last && rawText.has(last.tag) && !last.endTag) return undefined;
  const from = Math.max(last?.endTag?.end ?? last?.startTag.end ?? 0, text.length - longestTag);
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

/** The element that is still open at the place of a tag behind the last element. */
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
  // One behind the end of the file: the cursor at the very end still stands inside the tag.
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
