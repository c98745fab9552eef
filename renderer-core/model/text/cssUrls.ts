// Finds the URLs of a style sheet: `url(...)`, `@import "..."` and the strings of `image-set(...)`.
import type { Span } from './spans.ts';

/** A URL with its escapes resolved; `span` covers it without quotes. */
export type CssUrl = { url: string; span: Span };

// Comments and strings are matched so that they are skipped. Each alternative runs in linear time, also if it is not closed.
// Escapes are limited: a font embedded as one long URL would overflow the stack of the regular expression engine.
const inDouble = String.raw`[^"\\\n]*(?:\\[\s\S][^"\\\n]*){0,9999}`;
const inSingle = String.raw`[^'\\\n]*(?:\\[\s\S][^'\\\n]*){0,9999}`;
const bare = String.raw`[^\s"'()\\]*(?:\\[\s\S][^\s"'()\\]*){0,9999}`;
const token = new RegExp(
  String.raw`\/\*[\s\S]*?(?:\*\/|$)|(@import\s+|image-set\(\s*)?(?:"(${inDouble})"?|'(${inSingle})'?)|\burl\(\s*(?:"(${inDouble})"?|'(${inSingle})'?|(${bare}))`,
  'gi',
);

/** Finds the URLs in CSS text (a style sheet or the value of a `style` attribute). Never throws. */
export function findCssUrls(css: string): CssUrl[] {
  const urls: CssUrl[] = [];
  for (const match of css.matchAll(token)) {
    const [whole, before, double, single, urlDouble, urlSingle, urlBare] = match;
    const written = before === undefined ? (urlDouble ?? urlSingle ?? urlBare) : (double ?? single);
    if (!written) continue;
    // The URL is the last part of the match, except for its closing quote.
    const start = match.index + whole.lastIndexOf(written);
    urls.push({ url: unescapeCss(written), span: { start, end: start + written.length } });
  }
  return urls;
}

/** Resolves the escapes of a CSS text. */
export function unescapeCss(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(
    /\\(?:([0-9a-f]{1,6})\s?|\n|([\s\S]))/gi,
    (_, hex: string | undefined, literal: string | undefined) => {
      if (hex === undefined) return literal ?? '';
      const code = Number.parseInt(hex, 16);
      return code === 0 || code > 0x10ffff ? '\uFFFD' : String.fromCodePoint(code);
    },
  );
}
