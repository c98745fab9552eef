// What the value of a variable becomes in bound elements. The assembly of the page and the page's runtime use these rules.
import { attr } from '../attributes.ts';
import { hasCustomProperty } from './values.ts';

/** The variables that an element is bound to, as a text to compare. */
export const boundIds = (attribute: (name: string) => string | null | undefined): string =>
  [attribute(attr.varText), attribute(attr.varSrc)].filter(Boolean).join(' ');

/** The text of an element with `data-var-text`; undefined if the value is not a scalar: then the element keeps its text. */
export function boundText(value: unknown): string | undefined {
  const isScalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isScalar ? String(value) : undefined;
}

const mediaTags = new Set(['img', 'video', 'audio', 'source']);

/** The source of an element with `data-var-src`; undefined if the value cannot be one: then the element keeps its source. */
export function boundSource(tag: string, value: unknown): string | undefined {
  const isSource = mediaTags.has(tag) && typeof value === 'string' && value !== '' && isMediaUrl(value);
  return isSource ? value : undefined;
}

/** Allows only relative, http, https, blob and `data:image/` URLs, so that values cannot run scripts. */
function isMediaUrl(url: string): boolean {
  // Browsers ignore control characters and spaces when they parse the scheme.
  const scheme = /^([a-z][a-z0-9+.-]*):/i
    .exec([...url].filter((character) => character > ' ').join(''))?.[1]
    ?.toLowerCase();
  if (scheme === undefined || ['http', 'https', 'blob'].includes(scheme)) return true;
  return scheme === 'data' && /^\s*data:image\//i.test(url);
}

/** The custom properties of an instance, by their names. */
export function boundProperties(values: Readonly<Record<string, unknown>>): [name: string, text: string][] {
  return Object.entries(values).flatMap(([id, value]): [string, string][] => {
    const text = hasCustomProperty(id) ? boundText(value) : undefined;
    return text === undefined ? [] : [[`--${id}`, text]];
  });
}
