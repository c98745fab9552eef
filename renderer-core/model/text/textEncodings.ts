// How browsers decode the style sheets and scripts of a page: a file that declares no encoding has that of what loads it.
import type { Composition } from '../composition.ts';
import { referenceBase, referenceCandidates } from '../graph.ts';
import { runs } from '../script/runs.ts';
import { findCssUrls } from './cssUrls.ts';
import { attributeValue, type HtmlElement } from './html.ts';
import { type DecodedText, encodingOf } from './textEncoding.ts';

export type DecodingFiles = {
  exists(path: string): boolean;
  decode(path: string, fallback?: string): DecodedText | undefined;
};

export type TextEncodings = {
  /** The encoding of each composition file. */
  pages: ReadonlyMap<string, string>;
  /** The encodings of the style sheets and scripts that declare none, by path. */
  fallbacks: ReadonlyMap<string, string>;
  /** The composition files that are not UTF-8 and declare no encoding. */
  undeclared: string[];
  invalid: InvalidText[];
};

/** A style sheet or script with a character that cannot be decoded. `loadedAs`: the file that a composition names. */
export type InvalidText = { file: string; loadedAs: string; decoded: DecodedText; offset: number };

type Load = { path: string; loadedAs: string; fallback: string };

export function textEncodings(compositions: ReadonlyMap<string, Composition>, files: DecodingFiles): TextEncodings {
  const decoded = new Map([...compositions.keys()].map((file) => [file, files.decode(file)]));
  const pages = new Map([...decoded].map(([file, page]) => [file, page?.encoding ?? 'utf-8']));
  const loads = [...compositions].flatMap(([file, composition]) =>
    loadsOf(file, composition, pages.get(file) ?? 'utf-8', files),
  );
  const fallbacks = new Map<string, string>();
  const invalid: InvalidText[] = [];
  const seen = new Set<string>();
  // The loop appends imported sheets.
  for (const { path, loadedAs, fallback } of loads) {
    const sheet = seen.has(path) ? undefined : files.decode(path, fallback);
    seen.add(path);
    if (!sheet) continue;
    if (!sheet.isDeclared) fallbacks.set(path, fallback);
    const offset = sheet.invalidAt === null ? -1 : invalidOffset(path, sheet.text);
    if (offset >= 0) invalid.push({ file: path, loadedAs, decoded: sheet, offset });
    if (isSheet(path)) loads.push(...importsOf(path, loadedAs, sheet, files));
  }
  const undeclared = [...decoded].flatMap(([file, page]) =>
    page && !page.isDeclared && page.encoding !== 'utf-8' ? [file] : [],
  );
  return { pages, fallbacks, undeclared, invalid };
}

const isSheet = (path: string): boolean => /\.css$/i.test(path);

function loadsOf(file: string, composition: Composition, encoding: string, files: DecodingFiles): Load[] {
  const { stylesheets, scripts } = composition;
  const load = (element: HtmlElement, url: string, fallback: string): Load[] => {
    const base = referenceBase(file, composition, element.span.start);
    const path = referenceCandidates(base, url).find(files.exists);
    return path === undefined ? [] : [{ path, loadedAs: path, fallback }];
  };
  const named = (element: HtmlElement) => encodingOf(attributeValue(element, 'charset') ?? '') ?? encoding;
  return [
    ...stylesheets.flatMap(({ element, href }) => load(element, href.text, named(element))),
    ...scripts.flatMap((script) => {
      const { element, src, isModule } = script;
      if (!src || !(isModule || runs(script))) return [];
      return load(element, src.text, isModule ? 'utf-8' : named(element));
    }),
  ];
}

/** An imported sheet has the encoding of the sheet that imports it. */
function importsOf(sheet: string, loadedAs: string, { text, encoding }: DecodedText, files: DecodingFiles): Load[] {
  return findCssUrls(text).flatMap(({ url }) => {
    const path = referenceCandidates(sheet, url).find((candidate) => isSheet(candidate) && files.exists(candidate));
    return path === undefined ? [] : [{ path, loadedAs, fallback: encoding }];
  });
}

/** Licenses in comments of old libraries are often in another encoding, which does no harm. */
function invalidOffset(path: string, text: string): number {
  const tokens = isSheet(path) ? cssTokens : scriptTokens;
  const blank = (token: string) => (/^\/[*/]/.test(token) ? ' '.repeat(token.length) : token);
  return text.replace(tokens, blank).indexOf('\uFFFD');
}

const cssTokens = /\/\*.*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/gs;
const scriptTokens = /\/\*.*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/gs;
