// The files in the values of CSS properties, with absolute URLs.
import { findCssUrls } from '../../model/text/cssUrls.ts';

type Found = { url: string; start: number; end: number };

/** References to elements of the page are not files. */
function find(css: string, base: string): Found[] {
  if (!/url\(|image-set\(/i.test(css)) return [];
  const files = findCssUrls(css).filter(({ url }) => !url.startsWith('#') && URL.canParse(url, base));
  return files.map(({ url, span }) => ({ ...span, url: new URL(url, base).href }));
}

/** Blobs of scripts are excluded: they are already in memory. */
export const urlsIn = (css: string, base: string): string[] =>
  find(css, base).flatMap(({ url }) => (url.startsWith('blob:') ? [] : url));

/** Replaces each `url(…)`, and each string in `image-set`, for which `replace` returns something. */
export function replaceUrls(css: string, base: string, replace: (url: string) => string | undefined): string {
  let [result, from] = ['', 0];
  for (const { url, start, end } of find(css, base)) {
    const value = replace(url);
    const opening = /(?:url\(\s*)?["']?$/i.exec(css.slice(Math.max(from, start - 99), start))?.[0] ?? '';
    const closing = (opening.length > 1 ? /^["']?\s*\)/ : /^["']/).exec(css.slice(end, end + 99))?.[0];
    if (value === undefined || opening === '' || closing === undefined) continue;
    result += css.slice(from, start - opening.length) + value;
    from = end + closing.length;
  }
  return result + css.slice(from);
}
