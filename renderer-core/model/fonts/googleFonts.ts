// Reads which families the URL of a web font service asks for, such as Google Fonts.
import { percentDecode } from '../text/percentText.ts';

/** `weights` are those that the URL names, in multiples of 100 for a range; empty if it names none. */
export type RequestedFamily = { name: string; weights: readonly number[]; hasItalic: boolean };

/** Hosts whose style sheets only declare fonts. The families in URLs of the first ones are known. */
const googleHosts = ['fonts.googleapis.com', 'fonts.googleapis.cn', 'fonts.bunny.net'];
const otherHosts = [
  'use.typekit.net',
  'fast.fonts.net',
  'cloud.typography.com',
  'api.fontshare.com',
  'fonts.cdnfonts.com',
];

/** The host of a remote URL, also of one without a scheme (`//fonts.bunny.net/css`); undefined for other URLs. */
export function remoteHost(url: string): string | undefined {
  return /^\s*(?:https?:)?\/\/([^/?#\s]+)/i.exec(url)?.[1]?.toLowerCase();
}

/** Whether a URL is a style sheet of a web font service. */
export function isFontService(url: string): boolean {
  const host = remoteHost(url);
  return host !== undefined && [...googleHosts, ...otherHosts].includes(host);
}

/**
 * The families of a Google Fonts URL, in both of its formats: `css?family=Open+Sans:400,700i|Roboto` and
 * `css2?family=DM+Sans:ital,wght@0,400;1,700&family=Inter:wght@100..900`. Empty for other URLs. Never throws.
 */
export function googleFontFamilies(url: string): RequestedFamily[] {
  const host = remoteHost(url);
  if (host === undefined || !googleHosts.includes(host)) return [];
  const query = url.replace(/^[^?]*\??/, '').replace(/#.*$/s, '');
  const asked = query.split(/&(?:amp;)?/).flatMap((part) => /^family=(.*)$/s.exec(part)?.[1] ?? []);
  return asked
    .flatMap((list) => percentDecode(list.replaceAll('+', ' ')).split('|'))
    .flatMap((text) => {
      const [written = '', styles = ''] = text.split(':', 2);
      // Bunny Fonts writes names as ids: `dm-sans`.
      const name = (host === 'fonts.bunny.net' ? written.replaceAll('-', ' ') : written).trim().replace(/\s+/g, ' ');
      return name === '' ? [] : [{ name, ...(styles.includes('@') ? axes(styles) : variants(styles)) }];
    });
}

type Styles = Pick<RequestedFamily, 'weights' | 'hasItalic'>;

/** `ital,wght@0,400;1,700`: names of axes, then their values for each style. */
function axes(text: string): Styles {
  const [names = '', tuples = ''] = text.split('@', 2);
  const order = names.split(',').map((name) => name.trim().toLowerCase());
  const values = tuples.split(';').map((tuple) => tuple.split(','));
  const of = (axis: string) => values.flatMap((tuple) => tuple[order.indexOf(axis)] ?? []);
  return { weights: inOrder(of('wght').flatMap(weightsIn)), hasItalic: of('ital').some((value) => value !== '0') };
}

/** `400,700i,italic`: weights with a mark for italics. */
function variants(text: string): Styles {
  const styles = text.split(',').map((style) => style.trim().toLowerCase());
  return {
    weights: inOrder(styles.flatMap((style) => weightsIn(named[style] ?? style.replace(/i(?:tal|talic)?$/, '')))),
    hasItalic: styles.some((style) => /(?:^|\d)(?:i|ital|italic)$|italic$/.test(style)),
  };
}

const named: Readonly<Record<string, string>> = { regular: '400', italic: '400', bold: '700', bolditalic: '700' };

/** One weight, or the multiples of 100 in a range such as `100..900`. */
function weightsIn(text: string): number[] {
  const [, first, last] = /^(\d{1,4})(?:\.\.(\d{1,4}))?$/.exec(text) ?? [];
  if (first === undefined) return [];
  if (last === undefined) return [Number(first)];
  return [1, 2, 3, 4, 5, 6, 7, 8, 9].map((step) => step * 100).filter((weight) => weight >= +first && weight <= +last);
}

const inOrder = (weights: readonly number[]): number[] => [...new Set(weights)].sort((a, b) => a - b);
