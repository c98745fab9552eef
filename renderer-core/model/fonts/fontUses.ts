// Finds the font families that styles name, and those that @font-face rules declare.

import type { Composition } from '../composition.ts';
import { toFileSpan } from '../text/attributeText.ts';
import { findCssUrls } from '../text/cssUrls.ts';
import { type HtmlElement, mappedText } from '../text/html.ts';
import { moved, type Span } from '../text/spans.ts';
import { familiesIn, familiesStart, type ListedFamily } from './familyList.ts';
import { genericFamilies } from './pinnedFamilies.ts';

// Comments, strings and URLs are matched so that they are skipped. A value ends before `;`, `}` or `!important`. Its parts are
// limited: a very long value would overflow the stack of the regular expression engine.
const value = String.raw`((?:"[^"\n]*"?|'[^'\n]*'?|\([^()]*\)|[^;{}"'()!]+){0,9999})`;
const token = new RegExp(
  String.raw`\/\*[\s\S]*?(?:\*\/|$)|@font-face\s*\{([^}]*)|(?<![\w-])(font-family|font|--[\w-]+)\s*:\s*${value}`,
  'gi',
);

/** Custom properties can contain long texts, which are not lists of families. */
const longest = 10_000;

/** The families that one declaration names, in order. */
export type FamilyList = {
  families: readonly ListedFamily[];
  /** Those before the first function such as `var()`, which may be any family. */
  leading: readonly ListedFamily[];
};

/** The families that the declarations other than `@font-face` name. Spans are in the CSS text. */
export function familiesUsed(css: string): ListedFamily[] {
  return familyLists(css).flatMap(({ families }) => families);
}

/** The lists of families in declarations other than `@font-face`. Spans are in the CSS text. */
export function familyLists(css: string): FamilyList[] {
  const found: FamilyList[] = [];
  for (const match of css.matchAll(token)) {
    const [whole, , property, list] = match;
    if (property === undefined || list === undefined || list.length > longest) continue;
    const start = match.index + whole.length - list.length;
    const offset = property.toLowerCase() === 'font-family' ? 0 : shorthandSize(property, list);
    if (offset === undefined) continue;
    found.push(familyList(list.slice(offset), start + offset));
  }
  return found;
}

/** @param start the offset of the list */
function familyList(text: string, start: number): FamilyList {
  const named = familiesIn(text).filter(({ name }) => !wholeValues.has(name.toLowerCase()));
  const call = /[\w-]\(/.exec(text)?.index ?? text.length;
  const place = (families: readonly ListedFamily[]) =>
    families.map(({ span, ...family }) => ({ ...family, span: moved(span, start) }));
  return { families: place(named), leading: place(named.filter(({ span }) => span.end <= call)) };
}

const wholeValues = new Set(['inherit', 'initial', 'unset', 'revert', 'revert-layer']);

/** The length of what comes before the families in a `font`, or in a custom property that contains families. */
function shorthandSize(property: string, text: string): number | undefined {
  const found = familiesStart(text);
  if (property.toLowerCase() === 'font') return found;
  // A custom property may be anything: a list that ends with a generic family is one of fonts.
  const last = /(?:^|[\s,])([a-z-]+)\s*$/i.exec(text)?.[1]?.toLowerCase() ?? '';
  const isList = Object.hasOwn(genericFamilies, last) && familiesIn(text).at(-1)?.isGeneric === true;
  return isList ? (found ?? 0) : undefined;
}

/** The families that the @font-face rules of a style sheet declare, each once. */
export function familiesDeclared(css: string): string[] {
  const names = [...css.matchAll(token)].flatMap(([, rule]) => {
    const list = rule === undefined ? undefined : /(?<![\w-])font-family\s*:\s*([^;]+)/i.exec(rule)?.[1];
    return list === undefined ? [] : familiesIn(list).map(({ name }) => name);
  });
  return [...new Set(names)];
}

/** The families that a composition file names in its own styles. Spans are in the file. */
export function fontUses(composition: Composition): ListedFamily[] {
  return fontLists(composition).flatMap(({ families }) => families);
}

/** The lists of families in a composition file, in its order. Spans are in the file. */
export function fontLists({ text, html, styles }: Composition): FamilyList[] {
  const inSheets = styles.flatMap(({ text: css, span }) =>
    familyLists(css).map((list) => placed(list, (family) => moved(family, span.start))),
  );
  const inAttributes = html.elements.flatMap((element) =>
    listsIn(element).flatMap(({ name, listsOf }) => {
      const value = mappedText(text, element, name);
      if (!value) return [];
      return listsOf(value.text).map((list) => placed(list, ({ start, end }) => toFileSpan(value, start, end)));
    }),
  );
  const startOf = ({ families }: FamilyList) => families[0]?.span.start ?? 0;
  return [...inSheets, ...inAttributes].sort((a, b) => startOf(a) - startOf(b));
}

/** The attributes of an element that can contain families. */
function listsIn({ attributes }: HtmlElement): { name: string; listsOf(value: string): FamilyList[] }[] {
  const found = [];
  // Most style attributes contain no families. Decoding all of them would be slow.
  if (/font|--/i.test(attributes.get('style')?.value ?? '')) found.push({ name: 'style', listsOf: familyLists });
  if (attributes.has('font-family'))
    found.push({ name: 'font-family', listsOf: (value: string) => [familyList(value, 0)] });
  return found;
}

function placed({ families, leading }: FamilyList, place: (span: Span) => Span): FamilyList {
  const all = (list: readonly ListedFamily[]) => list.map(({ span, ...family }) => ({ ...family, span: place(span) }));
  return { families: all(families), leading: all(leading) };
}

/**
 * A face of a style sheet. `weight` is as in CSS: `400`, or `100 900` for a variable font. `ranges` is its `unicode-range`,
 * empty without one; `urls` are those of its files, in order.
 */
export type DeclaredFace = {
  family: string;
  weight: string;
  isUpright: boolean;
  ranges: string;
  urls: readonly string[];
};

/** The faces that the @font-face rules of a style sheet declare, in order. */
export function facesDeclared(css: string): DeclaredFace[] {
  return [...css.matchAll(token)].flatMap(([, rule]) => {
    const descriptor = (name: string) =>
      new RegExp(`(?<![\\w-])${name}\\s*:\\s*([^;]+)`, 'i').exec(rule ?? '')?.[1]?.trim() ?? '';
    const family = familiesIn(descriptor('font-family'))[0]?.name;
    if (rule === undefined || family === undefined) return [];
    const weight = descriptor('font-weight').toLowerCase();
    return {
      family,
      weight: namedWeights[weight] ?? weight,
      isUpright: /^(?:normal)?$/i.test(descriptor('font-style')),
      ranges: descriptor('unicode-range'),
      urls: findCssUrls(rule).map(({ url }) => url),
    };
  });
}

const namedWeights: Readonly<Record<string, string>> = { '': '400', normal: '400', bold: '700' };
