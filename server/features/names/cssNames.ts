// Names in style sheets and selectors that scripts and variables also use: IDs, attribute values, custom properties.
import { unescapeCss } from '../../../renderer-core/model/text/cssUrls.ts';
import type { Span } from '../../../renderer-core/model/text/spans.ts';

/**
 * A name with its escapes resolved. `span` covers it without `#`, `--` or quotes. `quote`: the quote of an attribute
 * selector's value, `''` if it has none.
 */
export type CssName =
  | { kind: 'id'; name: string; span: Span }
  | { kind: 'property'; name: string; span: Span }
  | { kind: 'attribute'; attribute: string; name: string; span: Span; quote: '"' | "'" | '' };

// These patterns must stay linear, because fonts embedded in a style sheet are strings of megabytes: long runs are one step,
// the number of escapes is limited, and nothing after a repetition can fail.
const letters = String.raw`[\w\u0080-\uFFFF-]*`;
const name = String.raw`(?=[\w\\\u0080-\uFFFF-])${letters}(?:\\(?:[\da-fA-F]{1,6}[ \t\n]?|[^\n\da-fA-F])${letters}){0,999}`;
const string = String.raw`"[^"\\\n]*(?:\\[\s\S][^"\\\n]*){0,9999}"?|'[^'\\\n]*(?:\\[\s\S][^'\\\n]*){0,9999}'?`;
const comment = String.raw`\/\*[\s\S]*?(?:\*\/|$)`;

const boundary = new RegExp(String.raw`${comment}|${string}|\\[\s\S]|[{};]`, 'g');
const inSelector = new RegExp(
  String.raw`${comment}|\[\s*(?<attribute>[\w-]+)\s*=\s*(?<value>${string}|${name})|${string}|#(?<id>${name})`,
  'g',
);
const inDeclaration = new RegExp(
  String.raw`${comment}|\bvar\(\s*--(?<used>${name})|\burl\(\s*["']?#(?<id>${name})["']?|${string}`,
  'g',
);
const atProperty = new RegExp(String.raw`(?:@property\s+)?--(?<property>${name})`, 'iy');

/** The names in a style sheet, or in the declarations of a `style` attribute, in source order. Never throws. */
export function sheetNames(css: string): CssName[] {
  const names: CssName[] = [];
  let start = 0;
  for (const { 0: sign, index } of css.matchAll(boundary)) {
    if (sign !== '{' && sign !== '}' && sign !== ';') continue;
    addPart(names, css.slice(start, index), start, sign === '{');
    start = index + 1;
  }
  addPart(names, css.slice(start), start, false);
  return names;
}

/** The names in a selector. Never throws. */
export function selectorNames(selector: string): CssName[] {
  return [...selector.matchAll(inSelector)].flatMap(({ 0: whole, index, groups = {} }): CssName[] => {
    const end = index + whole.length;
    const { id, attribute, value } = groups;
    if (id !== undefined) return [{ kind: 'id', name: unescapeCss(id), span: { start: end - id.length, end } }];
    if (attribute === undefined || value === undefined) return [];
    const quote = value[0] === '"' || value[0] === "'" ? value[0] : '';
    const isClosed = quote !== '' && value.length > 1 && value.endsWith(quote);
    const span = { start: end - value.length + quote.length, end: isClosed ? end - 1 : end };
    const text = value.slice(quote.length, isClosed ? -1 : undefined);
    return [{ kind: 'attribute', attribute: attribute.toLowerCase(), name: unescapeCss(text), span, quote }];
  });
}

/** The custom properties and IDs that a property's value uses. Never throws. */
export function valueNames(css: string): CssName[] {
  return [...css.matchAll(inDeclaration)].flatMap(({ 0: whole, index, groups = {} }): CssName[] => {
    const written = groups.used ?? groups.id;
    if (written === undefined) return [];
    const kind = groups.used === undefined ? 'id' : 'property';
    const start = index + whole.lastIndexOf(written);
    return [{ kind, name: unescapeCss(written), span: { start, end: start + written.length } }];
  });
}

function addPart(names: CssName[], css: string, offset: number, isPrelude: boolean): void {
  const found = [...definedProperty(css, isPrelude), ...(isPrelude ? selectorNames : valueNames)(css)];
  for (const one of found) {
    names.push({ ...one, span: { start: one.span.start + offset, end: one.span.end + offset } });
  }
}

/** Finds `@property --name { … }` and `--name: …`. */
function definedProperty(part: string, isPrelude: boolean): CssName[] {
  atProperty.lastIndex = afterComments(part);
  const found = atProperty.exec(part);
  const written = found?.groups?.property;
  if (!found || written === undefined || found[0].startsWith('@') !== isPrelude) return [];
  const end = atProperty.lastIndex;
  if (!isPrelude && !/^\s*:/.test(part.slice(end, end + 20))) return [];
  return [{ kind: 'property', name: unescapeCss(written), span: { start: end - written.length, end } }];
}

function afterComments(css: string): number {
  for (let at = 0; ; ) {
    while (/\s/.test(css[at] ?? '')) at++;
    if (!css.startsWith('/*', at)) return at;
    const end = css.indexOf('*/', at + 2);
    if (end < 0) return css.length;
    at = end + 2;
  }
}
