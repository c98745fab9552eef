// Names in style sheets and selectors that composition files share with scripts and variables: ids, attribute values, custom properties.
import { unescapeCss } from '../../renderer-core/model/cssUrls.ts';
import type { Span } from '../../renderer-core/model/spans.ts';

/**
 * A name as it is meant, escapes resolved. `span` covers it without `#`, `--` or quotes. `quote` is that of an attribute
 * selector's value, `''` for a value without.
 */
export type CssName =
  | { kind: 'id' | 'property'; name: string; span: Span }
  | { kind: 'attribute'; attribute: string; name: string; span: Span; quote: '"' | "'" | '' };

const name = String.raw`(?:[\w-]|[^\0-\x7F]|\\[\da-fA-F]{1,6}[ \t\n]?|\\[^\n\da-fA-F])+`;
const string = String.raw`"(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S])*'?`;
const comment = String.raw`\/\*[\s\S]*?(?:\*\/|$)`;

const boundary = new RegExp(String.raw`${comment}|${string}|\\[\s\S]|[{};]`, 'g');
const inSelector = new RegExp(
  String.raw`${comment}|\[\s*(?<attribute>[\w-]+)\s*=\s*(?<value>${string}|${name})|${string}|#(?<id>${name})`,
  'g',
);
const inDeclaration = new RegExp(
  String.raw`^(?:\s|${comment})*--(?<defined>${name})(?=\s*:)|${comment}|var\(\s*--(?<used>${name})|url\(\s*["']?#(?<id>${name})|${string}`,
  'g',
);

/** The names of a style sheet, or of the declarations in a `style` attribute, in the order they stand. Never throws. */
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

/** The names of a selector. Never throws. */
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

/** The custom properties that text of any kind reads with `var(--name)`. */
export function propertyReads(text: string): CssName[] {
  return declarationNames(text).filter(({ kind }) => kind === 'property');
}

function addPart(names: CssName[], css: string, offset: number, isPrelude: boolean): void {
  const found = isPrelude ? [...selectorNames(css), ...registeredProperty(css)] : declarationNames(css);
  for (const one of found) {
    names.push({ ...one, span: { start: one.span.start + offset, end: one.span.end + offset } });
  }
}

function declarationNames(css: string): CssName[] {
  return [...css.matchAll(inDeclaration)].flatMap(({ 0: whole, index, groups = {} }): CssName[] => {
    const end = index + whole.length;
    const property = groups.defined ?? groups.used;
    const written = property ?? groups.id;
    if (written === undefined) return [];
    const kind = property === undefined ? 'id' : 'property';
    return [{ kind, name: unescapeCss(written), span: { start: end - written.length, end } }];
  });
}

/** `@property --name { … }`. */
function registeredProperty(prelude: string): CssName[] {
  const found = new RegExp(String.raw`^(?:\s|${comment})*@property\s+--(${name})`, 'i').exec(prelude);
  const written = found?.[1];
  if (!found || written === undefined) return [];
  const span = { start: found[0].length - written.length, end: found[0].length };
  return [{ kind: 'property', name: unescapeCss(written), span }];
}
