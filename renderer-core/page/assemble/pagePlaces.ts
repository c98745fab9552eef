// Places in the markup of a page: for the runtime, for scripts at the end, and the content of an embedded file.
import type { Composition } from '../../model/composition.ts';
import type { HtmlElement } from '../../model/text/html.ts';
import { innerSpan } from '../../model/text/html.ts';
import type { Span } from '../../model/text/spans.ts';

const headTags = new Set(['base', 'head', 'link', 'meta', 'script', 'style', 'title']);

/** The offset for the runtime: before everything that runs or renders. */
export function headStart({ html, text }: Composition): number {
  const tag =
    html.elements.find((element) => element.tag === 'head') ?? html.elements.find((element) => element.tag === 'html');
  if (tag) return tag.startTag.end;
  return /^\uFEFF?(?:\s|<!--.*?-->)*<!doctype[^>]*>/is.exec(text)?.[0].length ?? 0;
}

/** The offset after the author's elements in the head, or its start if the end cannot be known. */
export function headEnd(composition: Composition): number {
  const { elements } = composition.html;
  const end =
    elements.find(({ tag }) => tag === 'head')?.endTag ?? elements.find(({ tag }) => tag === 'body')?.startTag;
  return end?.start ?? headStart(composition);
}

export function bodyEnd({ html, text }: Composition): number {
  for (const tag of ['body', 'html']) {
    const end = html.elements.find((element) => element.tag === tag)?.endTag;
    if (end) return end.start;
  }
  return text.length;
}

export function templateContent({ template, text }: Composition): Span {
  return template ? innerSpan(template) : { start: 0, end: text.length };
}

/** The root with the elements next to it, such as definitions of SVG that it uses. */
export function contentSpan({ html, kind, template }: Composition, root: HtmlElement): Span {
  const { parent } = root;
  if (parent !== template && parent?.tag !== 'body' && parent?.tag !== 'html') return root.span;
  const siblings = kind === 'document' && parent ? parent.children : (template?.children ?? html.children);
  const content = siblings.filter(({ tag }) => !headTags.has(tag));
  return { start: content[0]?.span.start ?? root.span.start, end: content.at(-1)?.span.end ?? root.span.end };
}
