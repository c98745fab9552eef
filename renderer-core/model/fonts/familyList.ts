// Reads lists of font families, as in `font-family: "Open Sans", Arial, sans-serif`.
import { unescapeCss } from '../text/cssUrls.ts';
import type { Span } from '../text/spans.ts';
import { genericFamilies } from './pinnedFamilies.ts';

/** `span` covers the name with its quotes. */
export type ListedFamily = { name: string; isGeneric: boolean; span: Span };

// Functions such as var() are one item. Each alternative runs in linear time, and parts are limited: a very long item would
// overflow the stack of the regular expression engine.
const item =
  /"([^"\\]*(?:\\[\s\S][^"\\]*){0,9999})"?|'([^'\\]*(?:\\[\s\S][^'\\]*){0,9999})'?|((?:\((?:[^()]|\([^()]*\)){0,9999}\)|[^,"'()]+){1,999})/g;

/** The families of a list in order. Functions such as `var()` are left out. Never throws. */
export function familiesIn(list: string): ListedFamily[] {
  const found: ListedFamily[] = [];
  for (const match of list.matchAll(item)) {
    const [whole, double, single, bare] = match;
    const quoted = double ?? single;
    if (quoted === undefined && (bare?.includes('(') || !bare?.trim())) continue;
    const name = quoted === undefined ? unescapeCss((bare ?? '').trim().replace(/\s+/g, ' ')) : unescapeCss(quoted);
    const start = match.index + (whole.length - whole.trimStart().length);
    const isGeneric = quoted === undefined && Object.hasOwn(genericFamilies, name.toLowerCase());
    found.push({ name, isGeneric, span: { start, end: start + whole.trim().length } });
  }
  return found;
}

/** The family name in quotes, for CSS. */
export const quoted = (name: string): string => `"${name.replace(/[\\"]/g, '\\$&')}"`;

const defaults = new Set(['inherit', 'initial', 'unset', 'revert', 'revert-layer']);

/**
 * The list with named families in place of generic ones, and with `fallback` at its end. `initial` is the browser's standard
 * font, a serif. Other keywords that are a whole value, and lists that end with the fallback already, are returned as they are.
 */
export function pinnedList(list: string, fallback: string): string {
  const keyword = list.trim().toLowerCase();
  if (keyword === 'initial') return `${quoted('Tinos')}, ${fallback}`;
  if (keyword === '' || defaults.has(keyword) || list.includes(fallback)) return list;
  return `${withNamedFamilies(list)}, ${fallback}`;
}

/** The list with named families in place of generic ones, also in what `var()` falls back to. */
export function withNamedFamilies(list: string): string {
  let named = list;
  for (const { name, isGeneric, span } of familiesIn(list).reverse()) {
    if (isGeneric)
      named = named.slice(0, span.start) + quoted(genericFamilies[name.toLowerCase()] ?? name) + named.slice(span.end);
  }
  return named.replace(
    /(\bvar\(\s*--[\w-]+\s*,)((?:[^()]|\([^()]*\))*)(?=\))/gi,
    (_, start: string, inner: string) => start + withNamedFamilies(inner),
  );
}

const fontSize =
  /^[^,"']*?(?:\d(?:px|em|rem|pt|%|v[wh]|cq\w+)|\b(?:x+-)?(?:small|large)\b|\bmedium\b|\))(?:\s*\/\s*[^\s,]+)?\s+/i;

/** Where the families begin in a value of `font`, such as `bold 20px/1.2 Arial, serif`; undefined if it has no size. */
export const familiesStart = (font: string): number | undefined => fontSize.exec(font)?.[0].length;

const systemFonts = new Set(['caption', 'icon', 'menu', 'message-box', 'small-caption', 'status-bar']);

/** A value of `font` with families as in `pinnedList`. The fonts of the system's own controls have the same size everywhere. */
export function pinnedFont(font: string, fallback: string): string {
  const keyword = font.trim().toLowerCase();
  if (systemFonts.has(keyword)) return `13px ${quoted('Inter')}, ${fallback}`;
  if (keyword === 'initial' || keyword === '' || defaults.has(keyword)) return font;
  const start = familiesStart(font);
  if (start !== undefined) return font.slice(0, start) + pinnedList(font.slice(start), fallback);
  // A custom property with a whole font, which may end with any family.
  return /^var\(\s*--[\w-]+\s*\)$/.test(keyword) ? `${font}, ${fallback}` : font;
}
