// Finds the texts that a composition shows, as far as they are in its file.

import type { Composition } from '../composition.ts';
import { hiddenTags } from '../fonts/missingGlyph.ts';
import { readAttributeText, toFileSpan } from './attributeText.ts';
import { unescapeCss } from './cssUrls.ts';
import { type HtmlElement, innerSpan } from './html.ts';
import { moved, type Span } from './spans.ts';

/** A decoded text. `place` is the span of a part of it in the file. */
export type ShownText = { text: string; place(start: number, end: number): Span };

/** Texts of elements, defaults and values of variables, and `content` of styles. Not in the order of the file. */
export function shownTexts(composition: Composition): ShownText[] {
  return [...elementTexts(composition), ...variableTexts(composition), ...contentTexts(composition)];
}

function* elementTexts({ text, html, template }: Composition): Generator<ShownText> {
  const hidden = new Set<HtmlElement>();
  for (const element of html.elements) {
    if (element.template !== template) continue;
    const { parent } = element;
    if ((parent && hidden.has(parent)) || isHidden(element)) hidden.add(element);
    else for (const span of spansBetweenChildren(element)) yield elementText(text, span);
  }
}

const isHidden = ({ tag, attributes }: HtmlElement): boolean =>
  hiddenTags.includes(tag) || (tag === 'textarea' && attributes.has('hidden'));

function spansBetweenChildren(element: HtmlElement): Span[] {
  const { start, end } = innerSpan(element);
  const spans: Span[] = [];
  let at = start;
  for (const { span } of element.children) {
    if (span.start > at) spans.push({ start: at, end: Math.min(span.start, end) });
    at = Math.max(at, span.end);
  }
  return end > at ? [...spans, { start: at, end }] : spans;
}

/** Comments, and tags that the parser has ignored. */
const notText = /<!--[\s\S]*?(?:-->|$)|<\/?[a-z][^>]*>?/gi;

function elementText(fileText: string, span: Span): ShownText {
  const raw = fileText.slice(span.start, span.end).replace(notText, (part) => ' '.repeat(part.length));
  const decoded = readAttributeText(raw, { start: 0, end: raw.length }, '');
  const place = (start: number, end: number) => moved(toFileSpan(decoded, start, end), span.start);
  return { text: decoded.text, place };
}

function variableTexts({ text, variables, hosts, inlineCompositions }: Composition): ShownText[] {
  const defaults = variables.declared.flatMap(({ declaration: { type, default: value }, fields }) =>
    (type === 'string' || type === 'enum') && fields.default ? [{ value, valueSpan: fields.default.valueSpan }] : [],
  );
  const given = [...hosts, ...inlineCompositions].flatMap(({ values }) => values?.entries ?? []);
  return [...defaults, ...given].flatMap(({ value, valueSpan }) =>
    typeof value === 'string' ? [writtenText(text, value, valueSpan)] : [],
  );
}

const contentValue = /\/\*[\s\S]*?(?:\*\/|$)|(?<![\w-])content\s*:([^;{}]{0,999})/gi;
const string = /"((?:[^"\\]|\\[\s\S])*)"|'((?:[^'\\]|\\[\s\S])*)'/g;

function contentTexts({ text, styles }: Composition): ShownText[] {
  return styles.flatMap(({ text: css, span }) =>
    [...css.matchAll(contentValue)].flatMap(({ 0: whole, 1: value = '', index }) =>
      [...value.matchAll(string)].map(({ 0: quoted, 1: double, 2: single, index: at }) => {
        const start = span.start + index + whole.length - value.length + at;
        return writtenText(text, unescapeCss(double ?? single ?? ''), { start, end: start + quoted.length });
      }),
    ),
  );
}

/** A text that is written at `span`, perhaps with escapes. A part that is written with them has the whole span. */
function writtenText(fileText: string, text: string, span: Span): ShownText {
  const written = fileText.slice(span.start, span.end);
  const place = (start: number, end: number): Span => {
    const at = written.indexOf(text.slice(start, end));
    return at < 0 ? span : moved({ start: at, end: at + end - start }, span.start);
  };
  return { text, place };
}
