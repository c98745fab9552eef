// The images and fonts in the page's style sheets, including those that no element uses yet.
import { loadedSheets } from './ownSheets.ts';
import type { Tree } from './shadowRoots.ts';
import { urlsIn } from './styleUrls.ts';

/** An image of a style. Masks and shapes require CORS; the browser caches such requests separately. */
export type StyleImage = { url: string; needsConsent: boolean };

export type FontSource = { family: string; weight: string; urls: string[] };

export type Styled = { style: CSSStyleDeclaration; base: string };

/** The elements whose `style` attribute has a file. */
export const styledFile = '[style*="url("]';

const longhands = [
  'background-image',
  'border-image-source',
  'list-style-image',
  'content',
  'mask-image',
  'shape-outside',
];
/** A shorthand with a `var()` has no values for its longhands. */
export const shorthands = ['background', 'border-image', 'list-style', 'mask'];

/** The images in rules and `style` attributes of the document and shadow trees, without duplicates. */
export function styleImages(trees: readonly Tree[]): StyleImage[] {
  const found = new Map<string, StyleImage>();
  for (const { style, base } of trees.flatMap((tree) => [...styledIn(tree)])) {
    for (const property of [...longhands, ...shorthands]) {
      const needsConsent = /^(?:mask|shape)/.test(property);
      for (const url of urlsIn(style.getPropertyValue(property), base)) {
        if (url.startsWith('http')) found.set(`${needsConsent} ${url}`, { url, needsConsent });
      }
    }
  }
  return [...found.values()];
}

/** The declarations in rules, unless `withRules` is false, and those of elements whose `style` has a file. */
export function* styledIn(tree: Tree, withRules = true): Generator<Styled> {
  for (const { rule, base } of withRules ? allRules(tree) : []) {
    if ('style' in rule && !(rule instanceof CSSFontFaceRule)) yield { style: rule.style as CSSStyleDeclaration, base };
  }
  for (const { style, baseURI } of tree.querySelectorAll<HTMLElement>(styledFile)) yield { style, base: baseURI };
}

/** The `@font-face` rules with files. Rules with only `local()` sources are excluded: system fonts may be missing. */
export function fontSources(document: Document): FontSource[] {
  const sources: FontSource[] = [];
  for (const { rule, base } of allRules(document)) {
    if (!(rule instanceof CSSFontFaceRule)) continue;
    const urls = urlsIn(rule.style.getPropertyValue('src'), base);
    const family = familyName(rule.style.getPropertyValue('font-family'));
    const weight = rule.style.getPropertyValue('font-weight') || 'normal';
    if (urls.length > 0) sources.push({ family, weight, urls });
  }
  return sources;
}

/** `"Open Sans"` and `Open Sans` are the same family. */
export const familyName = (family: string): string => family.replace(/^(["'])(.*)\1$/, '$2');

/** Also rules inside of others, and those of the sheets that the product has loaded. */
export function* allRules(tree: Tree): Generator<{ rule: CSSRule; base: string }> {
  const loaded = 'documentElement' in tree ? loadedSheets(tree) : [];
  for (const sheet of [...loaded, ...tree.styleSheets, ...tree.adoptedStyleSheets])
    yield* sheetRules(sheet, tree.baseURI);
}

/** What is another when sheets or rules of a tree have been added or removed, or a sheet has new text. */
export function sheetState({ styleSheets, adoptedStyleSheets }: Tree): readonly unknown[] {
  return [...styleSheets, ...adoptedStyleSheets].flatMap((sheet) => {
    const rules = readableRules(sheet);
    return [sheet, sheet.disabled, rules?.length, rules?.[rules.length - 1]];
  });
}

export const isSameState = (one: readonly unknown[] | undefined, other: readonly unknown[]): boolean =>
  one?.length === other.length && one.every((value, index) => value === other[index]);

/** Rules of sheets from other origins without CORS cannot be read. */
function readableRules(sheet: CSSStyleSheet): CSSRuleList | undefined {
  try {
    return sheet.cssRules;
  } catch {
    return undefined;
  }
}

function* sheetRules(sheet: CSSStyleSheet, base: string): Generator<{ rule: CSSRule; base: string }> {
  if (sheet.disabled || !applies(sheet.media)) return;
  yield* nestedRules(readableRules(sheet) ?? [], sheet.href ?? base);
}

function* nestedRules(rules: Iterable<CSSRule>, base: string): Generator<{ rule: CSSRule; base: string }> {
  for (const rule of rules) {
    if (rule instanceof CSSMediaRule && !applies(rule.media)) continue;
    yield { rule, base };
    if (rule instanceof CSSImportRule && rule.styleSheet) yield* sheetRules(rule.styleSheet, base);
    if ('cssRules' in rule) yield* nestedRules(rule.cssRules as CSSRuleList, base);
  }
}

const applies = (media: MediaList): boolean => media.length === 0 || matchMedia(media.mediaText).matches;
