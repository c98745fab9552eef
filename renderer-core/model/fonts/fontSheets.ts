// What a style sheet brings along: imported style sheets, and font files of other hosts.
import { type CssUrl, findCssUrls } from '../text/cssUrls.ts';
import { familiesIn } from './familyList.ts';
import { remoteHost } from './googleFonts.ts';

/** `span` covers the URL in the CSS text. */
export type RemoteFace = CssUrl & { family: string };

// Addresses of web font services contain semicolons.
const importRule =
  /\/\*[\s\S]*?(?:\*\/|$)|@import\s+(?:"[^"\n]*"?|'[^'\n]*'?|url\(\s*(?:"[^"\n]*"?|'[^'\n]*'?|[^)\s]*))/gi;
const faceRule = /\/\*[\s\S]*?(?:\*\/|$)|@font-face\s*\{[^}]*/gi;

/** The style sheets that `@import` rules load. Never throws. */
export function importsIn(css: string): CssUrl[] {
  if (!/@import/i.test(css)) return [];
  return urlsOf(css, importRule).flatMap(({ urls }) => urls);
}

/** The first font file of another host for each family that `@font-face` rules load from there. Never throws. */
export function remoteFaces(css: string): RemoteFace[] {
  const found = new Map<string, RemoteFace>();
  for (const { rule, urls } of urlsOf(css, faceRule)) {
    // A browser loads the first file that it can use.
    const url = urls.slice(0, 1).find((each) => remoteHost(each.url) !== undefined);
    const list = /(?<![\w-])font-family\s*:\s*([^;]+)/i.exec(rule)?.[1];
    const family = list === undefined ? undefined : familiesIn(list)[0]?.name;
    if (url && family !== undefined && !found.has(family)) found.set(family, { ...url, family });
  }
  return [...found.values()];
}

/** The parts of a style sheet that match, without comments, and the URLs in each. */
function urlsOf(css: string, part: RegExp): { rule: string; urls: CssUrl[] }[] {
  return [...css.matchAll(part)]
    .filter(([rule]) => rule.startsWith('@'))
    .map(({ 0: rule, index }) => ({
      rule,
      urls: findCssUrls(rule).map(({ url, span }) => ({
        url,
        span: { start: span.start + index, end: span.end + index },
      })),
    }));
}
