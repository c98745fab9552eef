// The files that a document loads: images, media, styles, scripts and fonts.
import { attr } from './attributes.ts';
import { toFileSpan } from './text/attributeText.ts';
import { findCssUrls } from './text/cssUrls.ts';
import { attributeValue, type HtmlElement, innerSpan, innerText, mappedText } from './text/html.ts';
import type { Span } from './text/spans.ts';
import { textField } from './variables/fields.ts';

/** A URL that the document loads. `attribute` is null for a URL in the text of a `<style>`. */
export type AssetReference = { url: string; span: Span; element: HtmlElement; tag: string; attribute: string | null };

/** Attributes that load their URL, by tag. Hyperlinks such as `<a href>` load nothing. */
const loadingAttributes = new Map<string, readonly string[]>(
  Object.entries({
    img: ['src'],
    source: ['src'],
    video: ['src', 'poster'],
    audio: ['src'],
    track: ['src'],
    script: ['src'],
    iframe: ['src'],
    embed: ['src'],
    input: ['src'],
    object: ['data'],
    image: ['href', 'xlink:href'],
    feImage: ['href', 'xlink:href'],
    use: ['href', 'xlink:href'],
  }),
);

const loadingRels = new Set(['stylesheet', 'icon', 'apple-touch-icon', 'preload', 'modulepreload', 'manifest']);

/** Lists the URLs that one element loads, in source order. Never throws. */
export function assetReferences(text: string, element: HtmlElement): AssetReference[] {
  const found: AssetReference[] = [];
  addWholeValues(found, element);
  addPartsOfValues(found, text, element);
  if (element.tag === 'style') {
    const { start } = innerSpan(element);
    for (const { url, span } of findCssUrls(innerText(text, element))) {
      add(found, element, url, { start: start + span.start, end: start + span.end }, null);
    }
  }
  return found.length > 1 ? found.sort((a, b) => a.span.start - b.span.start) : found;
}

function add(found: AssetReference[], element: HtmlElement, url: string, span: Span, attribute: string | null): void {
  if (isLoadable(url)) found.push({ url, span, element, tag: element.tag, attribute });
}

/** Adds attributes whose whole value is a URL. */
function addWholeValues(found: AssetReference[], element: HtmlElement): void {
  const isLoadingLink = element.tag === 'link' && linkRels(element).some((rel) => loadingRels.has(rel));
  const loading = isLoadingLink ? ['href'] : (loadingAttributes.get(element.tag) ?? []);
  for (const attribute of [...loading, attr.captionsSrc]) {
    const field = textField(element, attribute);
    if (field) add(found, element, field.text, field.span, attribute);
  }
}

/** Adds the URLs in `srcset` and `style`. */
function addPartsOfValues(found: AssetReference[], text: string, element: HtmlElement): void {
  const srcset = element.tag === 'img' || element.tag === 'source' ? mappedText(text, element, 'srcset') : undefined;
  if (srcset) {
    for (const { url, start } of srcsetUrls(srcset.text)) {
      add(found, element, url, toFileSpan(srcset, start, start + url.length), 'srcset');
    }
  }
  const style = mappedText(text, element, 'style');
  if (style) {
    for (const { url, span } of findCssUrls(style.text)) {
      add(found, element, url, toFileSpan(style, span.start, span.end), 'style');
    }
  }
}

/** The `rel` keywords of a `<link>`, in lower case. */
export function linkRels(element: HtmlElement): string[] {
  return (attributeValue(element, 'rel') ?? '').toLowerCase().split(/\s+/);
}

/** Whether a URL names a resource to load. False for empty URLs, fragments and URLs that contain their content. */
export function isLoadable(url: string): boolean {
  return url !== '' && !url.startsWith('#') && !/^(?:data|javascript|blob|about|mailto|tel):/i.test(url);
}

/** Candidates of a `srcset`: a URL, then optionally a width or density, then a comma. */
function srcsetUrls(value: string): { url: string; start: number }[] {
  const urls: { url: string; start: number }[] = [];
  const word = /[^\s,]\S*/g;
  for (let found = word.exec(value); found; found = word.exec(value)) {
    const url = found[0].replace(/,$/, '');
    urls.push({ url, start: found.index });
    // A comma directly after the URL ends the candidate; commas inside belong to the URL.
    const comma = url === found[0] ? value.indexOf(',', word.lastIndex) : word.lastIndex;
    word.lastIndex = comma < 0 ? value.length : comma;
  }
  return urls;
}
