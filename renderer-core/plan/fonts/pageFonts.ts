// Decides which pinned fonts a composition's page declares, from the texts of its files.

import { isLoadable } from '../../model/assets.ts';
import {
  genericFamilies,
  mathFamily,
  type Replacement,
  replacedNames,
  replacementFor,
} from '../../model/fonts/pinnedFamilies.ts';
import { type ProjectGraph, referenceBase } from '../../model/graph.ts';
import { captionFiles } from '../captionFiles.ts';
import { localPath, type ProjectFiles } from '../projectPaths.ts';

/** The pinned fonts that a page declares. */
export type PageFonts = {
  /** Families by the name under which the page uses them, in the order of the style sheet. */
  names: readonly string[];
  /** The names that the page's texts use. */
  named: readonly string[];
  /** The families that the font sheets of the project declare, in lower case. */
  ofProject: readonly string[];
  /** The families that follow in every list, in order. */
  fallback: readonly string[];
  /** Fallbacks by language, for pages with Chinese, Japanese or Korean text. */
  byLanguage: Readonly<Record<string, readonly string[]>>;
  /** Families that only text needs which is not in the files, if any. Without them, the page is shown as far as it is known. */
  possible: readonly string[];
  /**
   * The characters that a script may draw on a canvas or measure; empty if no script does. Their fonts must be there at once,
   * because a script does not wait for them: it would measure the text in another font.
   */
  neededAtOnce: readonly number[];
};

const scripts = ['Arabic', 'Hebrew', 'Devanagari', 'Thai'].map((script) => `Noto Sans ${script}`);
const symbols = ['Noto Sans Symbols', 'Noto Sans Symbols 2', 'Noto Sans Math', 'Framework Symbols', 'Framework Boxes'];
const simplified = 'Noto Sans SC';
const traditional = 'Noto Sans TC';
const japanese = 'Noto Sans JP';
const korean = 'Noto Sans KR';

const languages = [
  ['ja', japanese],
  ['ko', korean],
  ['zh', simplified],
  ['zh-TW', traditional],
  ['zh-HK', traditional],
  ['zh-Hant', traditional],
] as const;

const eastAsian =
  /[\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\u{20000}-\u{3ffff}]/u;
const emoji = ['Framework Emoji', 'Noto Color Emoji'];
/** Emoji, what makes other characters emoji, and the only other character that no smaller font has. */
const isEmoji = /[\p{Emoji_Presentation}\u{1f000}-\u{1fbff}\u2139]|\ufe0f|\u20e3/u;
/** As style sheets write them: `content: "\2705"`. */
const cssEmoji = /\\0{0,2}(1f[\da-f]{3}|2[\da-f]{3})(?![\da-f])/gi;
/** Text that is not in the files. */
const unknownText = /\bfetch\(|XMLHttpRequest|fromCodePoint|fromCharCode/;
/** Characters as numbers: `\u4e2d`, `\u{4e2d}`, `&#x4e2d;`, `&#20013;`. */
const numbers = /\\u\{?([\da-f]{4,6})\}?|&#x([\da-f]{1,6});|&#(\d{1,7});/gi;
/** Longer scripts are libraries, which do not add text of their own. */
const maxOwnScript = 40_000;
const drawsText = /\b(?:fillText|strokeText|measureText)\b/;
/** What scripts read or set of the layout, which depends on the fonts of the text; SplitText reads where lines end. */
const measuresText = new RegExp(
  String.raw`\b(?:${[
    '(?:offset|client|scroll)(?:Width|Height|Top|Left)',
    'scroll(?:To|By|IntoView)',
    'getBoundingClientRect|getClientRects|getComputedStyle',
    'getBBox|getComputedTextLength|getSubStringLength|get(?:Start|End)PositionOfChar|getExtentOfChar',
    'ResizeObserver|IntersectionObserver|SplitText',
  ].join('|')})\b`,
);

/** Names of families that the texts may use. A name may also be an ordinary word, which only adds an unused rule. */
const mentioned = new RegExp(
  String.raw`(?<=[\s:,"'\x60(=]|^)(${[...replacedNames, ...Object.keys(genericFamilies)]
    .map((name) => name.replaceAll(/[-.]/g, '\\$&'))
    .sort((a, b) => b.length - a.length)
    .join('|')})(?=\s*(?:[,;"'\x60)}!<]|$))`,
  'gim',
);
const declared = /@font-face\s*\{[^}]*?font-family\s*:\s*["']?([^"';}]+)|new\s+FontFace\(\s*["'`]([^"'`]+)/gi;

/** `values` are those of the top-level composition. */
export function choosePageFonts(graph: ProjectGraph, values: Record<string, unknown>, files: ProjectFiles): PageFonts {
  const texts = [...projectTexts(graph, values, files), JSON.stringify(values)].map(withCharacters);
  const sheets = (files.fontSheets ?? []).map((path) => files.read(path) ?? '');
  const ofProject = declaredIn(sheets);
  const own = new Set([...declaredIn(texts), ...ofProject]);
  const used = texts.flatMap((text) => [...text.matchAll(mentioned)].map(([, name]) => lower(name)));
  if (texts.some((text) => /<math[\s>]|MathML/.test(text))) used.push(mathFamily);
  const isUnknown = texts.some((text) => text.length < maxOwnScript && unknownText.test(text));
  const [knowsEastAsian, knowsEmoji] = [texts.some((text) => eastAsian.test(text)), texts.some(hasEmoji)];
  const [hasEastAsian, usesEmoji] = [knowsEastAsian || isUnknown, knowsEmoji || isUnknown];
  const order = eastAsianOrder(texts);
  const fallbackWith = (families: readonly string[]) => [
    ...['Tinos', 'Inter', ...(usesEmoji ? emoji.slice(0, 1) : []), ...symbols, ...scripts],
    ...(hasEastAsian ? families : []),
    ...(usesEmoji ? emoji.slice(1) : []),
  ];
  const fallback = fallbackWith(order);
  const names = new Set(['Arimo', 'Cousine', ...fallback].map(lower));
  const named = used.map((name) => genericFamilies[name] ?? name);
  for (const name of named) names.add(lower(name));
  const first = (family: string) => fallbackWith([family, ...order.filter((other) => other !== family)]);
  // Many pages name a font of emoji at the end of a list, and have no emoji.
  const isUsed = ({ family }: Replacement) => usesEmoji || !emoji.includes(family);
  const replaced = [...names].flatMap((name) => (own.has(name) ? [] : (replacementFor(name) ?? [])));
  return {
    names: replaced.filter(isUsed).map(({ name }) => name),
    fallback,
    named,
    ofProject,
    byLanguage: hasEastAsian
      ? Object.fromEntries(languages.map(([language, family]) => [language, first(family)]))
      : {},
    possible: isUnknown ? [...(knowsEastAsian ? [] : order), ...(knowsEmoji ? [] : emoji)] : [],
    neededAtOnce: texts.some((text) => drawsText.test(text) || measuresText.test(text)) ? charactersOf(texts) : [],
  };
}

/** The fonts of a page if those of some families are not there. */
export function withoutFamilies(fonts: PageFonts, families: ReadonlySet<string>): PageFonts {
  const isThere = (family: string) => !families.has(family);
  return {
    ...fonts,
    names: fonts.names.filter((name) => isThere(replacementFor(name)?.family ?? name)),
    fallback: fonts.fallback.filter(isThere),
    byLanguage: Object.fromEntries(Object.entries(fonts.byLanguage).map(([key, list]) => [key, list.filter(isThere)])),
  };
}

const hasEmoji = (text: string): boolean =>
  isEmoji.test(text) ||
  [...text.matchAll(cssEmoji)].some(([, code = '']) => isEmoji.test(String.fromCodePoint(Number.parseInt(code, 16))));

const declaredIn = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => [...text.matchAll(declared)].map(([, css, js]) => lower(css ?? js)));

const lower = (name: string | undefined): string => (name ?? '').trim().toLowerCase();

/** Without a language, characters that several languages share look as in the one that the text seems to be. */
function eastAsianOrder(texts: readonly string[]): string[] {
  const all = [simplified, traditional, japanese, korean];
  const likely = texts.some((text) => /[\u3040-\u30ff]/.test(text))
    ? japanese
    : texts.some((text) => /[\uac00-\ud7a3]/.test(text))
      ? korean
      : simplified;
  return [likely, ...all.filter((family) => family !== likely)];
}

const withCharacters = (text: string): string =>
  text.replace(numbers, (whole, escaped?: string, hex?: string, decimal?: string) => {
    const code = decimal === undefined ? Number.parseInt(escaped ?? hex ?? '', 16) : Number(decimal);
    return code > 127 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });

/** The characters of the texts, and those of ASCII, which scripts compute. */
function charactersOf(texts: readonly string[]): number[] {
  const found = new Set(Array.from({ length: 95 }, (_, index) => 32 + index));
  for (const text of texts) for (const character of text) found.add(character.codePointAt(0) ?? 32);
  return [...found].sort((a, b) => a - b);
}

/** The texts of the composition files, and of the style sheets, scripts and captions in the project that they load. */
function projectTexts(graph: ProjectGraph, values: Record<string, unknown>, files: ProjectFiles): string[] {
  const found = new Map<string, string>();
  for (const [file, composition] of graph.files) {
    found.set(file, composition.text);
    for (const { url, span } of composition.assetReferences) {
      const base = referenceBase(file, composition, span.start);
      const path = isLoadable(url) ? localPath(url, base, files) : undefined;
      if (path === undefined || !/\.(?:css|m?js|json|svg)$/i.test(path) || found.has(path)) continue;
      const linked = files.read(path);
      if (linked !== undefined) found.set(path, linked);
    }
  }
  const captions = captionFiles(graph, values, files).flatMap(({ path }) => path ?? []);
  return [...found.values(), ...captions.flatMap((path) => files.read(path) ?? [])];
}
