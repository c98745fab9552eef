// How IDs are written in JSON, selectors, strings of scripts and attributes, and how to replace one there.
import type { TextEdit } from '../../../renderer-core/lint/finding.ts';
import { parseReference } from '../../../renderer-core/model/references.ts';
import {
  encodeAttributeText,
  type Quote,
  readAttributeText,
  toFileSpan,
} from '../../../renderer-core/model/text/attributeText.ts';
import { type HtmlElement, mappedText } from '../../../renderer-core/model/text/html.ts';
import { type Span, textOf } from '../../../renderer-core/model/text/spans.ts';

/** One kind of text inside another. `isStart`: an identifier starts here, so that it must not begin with a digit. */
export type Layer =
  | { as: 'json' }
  | { as: 'css-name'; isStart: boolean }
  | { as: 'css-text'; quote: '"' | "'" }
  | { as: 'script-text'; quote: '"' | "'" | '`' }
  | { as: 'attribute'; quote: Quote };

/**
 * `layers`: the texts around the ID, innermost first. `property`: an identifier in a script; other IDs need quotes there.
 * `reference`: the name in `$name`, where `whole` also covers `$` and braces.
 */
export type Spelling =
  | { kind: 'text'; layers: readonly Layer[] }
  | { kind: 'property'; form: 'key' | 'shorthand' | 'member' }
  | { kind: 'reference'; layers: readonly Layer[]; whole: Span; hasBraces: boolean };

/** A reference to an ID. `span` covers only the ID. */
export type NameReference = { id: string; span: Span; spelling: Spelling; isDeclaration: boolean };

/** The edit that replaces the ID of a reference; undefined if the new ID cannot be written there. */
export function respell(text: string, { span, spelling }: NameReference, id: string): TextEdit | undefined {
  switch (spelling.kind) {
    case 'text':
      return { span, text: wrap(id, spelling.layers) };
    case 'reference':
      if (spelling.hasBraces || parseReference(`$${id}`) === id) return { span, text: wrap(id, spelling.layers) };
      return { span: spelling.whole, text: wrap(`\${${id}}`, spelling.layers) };
    case 'property':
      return respellProperty(text, span, spelling.form, id);
  }
}

function respellProperty(
  text: string,
  span: Span,
  form: 'key' | 'shorthand' | 'member',
  id: string,
): TextEdit | undefined {
  const key = isIdentifier(id) ? id : `"${encode(id, { as: 'script-text', quote: '"' })}"`;
  if (form === 'shorthand') return { span, text: `${key}: ${textOf(text, span)}` };
  if (form === 'key' || key === id) return { span, text: key };
  const dot = /(\?)?\.\s{0,20}$/.exec(text.slice(Math.max(0, span.start - 22), span.start));
  if (!dot) return undefined;
  return { span: { start: span.start - dot[0].length, end: span.end }, text: `${dot[1] ? '?.' : ''}[${key}]` };
}

/** Whether a script can use this name after a dot, or as a key without quotes. */
export function isIdentifier(name: string): boolean {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$\u200C\u200D]*$/u.test(name);
}

/** Encodes text for its layers. */
export function wrap(text: string, layers: readonly Layer[]): string {
  return layers.reduce(encode, text);
}

function encode(text: string, layer: Layer): string {
  switch (layer.as) {
    case 'json':
      return JSON.stringify(text).slice(1, -1);
    case 'css-name':
      return cssName(text, layer.isStart);
    case 'css-text':
      return text.replace(/[\\"'<\n]/g, (sign) =>
        sign === '\n' || sign === '<'
          ? `\\${sign.charCodeAt(0).toString(16)} `
          : sign === layer.quote || sign === '\\'
            ? `\\${sign}`
            : sign,
      );
    case 'script-text':
      return scriptText(text, layer.quote);
    case 'attribute':
      return encodeAttributeText(text, layer.quote);
  }
}

/** Like `CSS.escape`, but `<` is escaped as a number so that it cannot end the `<style>` element. */
function cssName(text: string, isStart: boolean): string {
  const hex = (sign: string) => `\\${sign.codePointAt(0)?.toString(16)} `;
  const escaped = text.replace(/[^\w\u0080-\uFFFF-]/g, (sign) => (/[\s\0<]/.test(sign) ? hex(sign) : `\\${sign}`));
  if (!isStart) return escaped;
  return escaped === '-' ? '\\-' : escaped.replace(/^-?\d/, (head) => head.slice(0, -1) + hex(head.slice(-1)));
}

function scriptText(text: string, quote: string): string {
  const escaped = text.replace(/[\\\n\r\u2028\u2029<]/g, (sign) => {
    if (sign === '\\') return '\\\\';
    if (sign === '<') return '\\x3C';
    return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
  return quote === '`' ? escaped.replace(/`|\$\{/g, '\\$&') : escaped.replaceAll(quote, `\\${quote}`);
}

/** The text between the quotes of a JSON string in an attribute, where quotes may be written as `&quot;`. */
export function insideQuotes(text: string, span: Span): Span {
  const value = readAttributeText(text, span, '');
  const { length } = value.text;
  const isClosed = length > 1 && value.text.endsWith('"');
  return toFileSpan(value, Math.min(1, length), isClosed ? length - 1 : length);
}

/** A reference that is plain text inside the layers. */
export function textReference(id: string, span: Span, layers: readonly Layer[]): NameReference {
  return { id, span, spelling: { kind: 'text', layers }, isDeclaration: false };
}

/** The trimmed value of an attribute that contains one ID; undefined if there is none. */
export function attributeReference(text: string, element: HtmlElement, name: string): NameReference | undefined {
  const value = mappedText(text, element, name);
  const id = value?.text.trim();
  if (!value || !id) return undefined;
  const start = value.text.indexOf(id);
  return textReference(id, toFileSpan(value, start, start + id.length), [{ as: 'attribute', quote: value.quote }]);
}
