// The images and fonts in the page's style sheets, including those that no element uses yet.
import type { Tree } from './shadowRoots.ts';

/** An image of a style. Masks and shapes require CORS; the browser caches such requests separately. */
export type StyleImage = { url: string; needsConsent: boolean };

export type FontSource = { family: string; weight: string; urls: string[] };

type Styled = { style: CSSStyleDeclaration; base: string };

const plainProperties = ['background-image', 'border-image-source', 'list-style-image', 'content'];
const consentProperties = ['mask-image', 'shape-outside'];

/** The images in rules and `style` attributes of the document and shadow trees, without duplicates. */
export function styleImages(trees: readonly Tree[]): StyleImage[] {
  const found = new Map<string, StyleImage>();
  const read = ({ style, base }: Styled) => {
    for (const property of [...plainProperties, ...consentProperties]) {
      const needsConsent = consentProperties.includes(property);
      for (const url of urlsIn(style.getPropertyValue(property), base)) {
        found.set(`${needsConsent} ${url}`, { url, needsConsent });
      }
    }
  };
  for (const tree of trees) {
    for (const { rule, base } of allRules(tree)) {
      if ('style' in rule && !(rule instanceof CSSFontFaceRule))
        read({ style: rule.style as CSSStyleDeclaration, base });
    }
    for (const { style, baseURI } of tree.querySelectorAll<HTMLElement>('[style*="url("]'))
      read({ style, base: baseURI });
  }
  return [...found.values()];
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

function* allRules(tree: Tree): Generator<{ rule: CSSRule; base: string }> {
  for (const sheet of [...tree.styleSheets, ...tree.adoptedStyleSheets]) yield* sheetRules(sheet, tree.baseURI);
}

function* sheetRules(sheet: CSSStyleSheet, base: string): Generator<{ rule: CSSRule; base: string }> {
  if (sheet.disabled || !applies(sheet.media)) return;
  let rules: CSSRuleList;
  try {
    rules = sheet.cssRules;
  } catch {
    // Rules of sheets from other origins without CORS cannot be read.
    return;
  }
  yield* nestedRules(rules, sheet.href ?? base);
}

function* nestedRules(rules: CSSRuleList, base: string): Generator<{ rule: CSSRule; base: string }> {
  for (const rule of rules) {
    if (rule instanceof CSSMediaRule && !applies(rule.media)) continue;
    yield { rule, base };
    if (rule instanceof CSSImportRule && rule.styleSheet) yield* sheetRules(rule.styleSheet, base);
    if ('cssRules' in rule) yield* nestedRules(rule.cssRules as CSSRuleList, base);
  }
}

const applies = (media: MediaList): boolean => media.length === 0 || matchMedia(media.mediaText).matches;

/** The file URLs in a computed property value, where the browser always writes `url("...")`. */
function urlsIn(value: string, base: string): string[] {
  const urls: string[] = [];
  for (const [, written = ''] of value.matchAll(/url\("((?:[^"\\]|\\.)*)"\)/gs)) {
    const reference = written.replace(/\\(.)/gs, '$1');
    const url = URL.canParse(reference, base) ? new URL(reference, base) : undefined;
    if (!reference.startsWith('#') && (url?.protocol === 'http:' || url?.protocol === 'https:')) urls.push(url.href);
  }
  return urls;
}
