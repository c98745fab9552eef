// Writes the values of variables into the markup of bound elements: neither the parser nor a script sees another state.
import { attr } from '../../model/attributes.ts';
import type { Composition } from '../../model/composition.ts';
import { type HtmlElement, innerSpan } from '../../model/text/html.ts';
import { boundIds, boundProperties, boundSource, boundText } from '../../model/variables/boundValues.ts';
import { boundAttribute, type InstanceConfig } from '../runtime/page.ts';
import { afterTagName, at, escapeAttribute, escapeText } from './markup.ts';
import type { TextEdit } from './textEdits.ts';

/**
 * The edits for the bound elements of an instance of a file; `mounted` are its hosts. Each element gets an attribute, because
 * the runtime binds all others when it sees them: those that scripts add, and those whose value no markup can express.
 */
export function boundElementEdits(
  { text, html, template, bindings }: Composition,
  { values, sources = {} }: Pick<InstanceConfig, 'values' | 'sources'>,
  mounted: ReadonlySet<HtmlElement>,
): TextEdit[] {
  const editsOf = new Map<HtmlElement, (TextEdit | undefined)[]>();
  const add = (element: HtmlElement, edit: TextEdit | undefined): void => {
    if (mounted.has(element)) return;
    editsOf.set(element, [...(editsOf.get(element) ?? []), hasItsName(text, element) ? edit : undefined]);
  };
  for (const { element, kind, id } of bindings) {
    const value = values[id.text];
    const source = kind === 'src' ? boundSource(element.tag, value) : undefined;
    const shown = kind === 'text' ? boundText(value) : undefined;
    if (source !== undefined) add(element, sourceEdit(element, sources[id.text] ?? source));
    if (shown !== undefined) add(element, textEdit(text, html.elements, element, shown));
  }
  const properties = boundProperties(values);
  for (const element of properties.length === 0 ? [] : html.elements) {
    if (element.attributes.has(attr.compositionId) && element.template === template)
      add(element, styleEdit(element, properties));
  }
  return [...editsOf].flatMap(([element, edits]) => {
    const found = edits.filter((edit) => edit !== undefined);
    return found.length === edits.length ? [markEdit(element), ...found] : [];
  });
}

/** The edits of a host for the custom properties of its mount. */
export function boundHostEdits(element: HtmlElement, values: Readonly<Record<string, unknown>>): TextEdit[] {
  const properties = boundProperties(values);
  const edit = properties.length === 0 ? undefined : styleEdit(element, properties);
  return edit ? [markEdit(element), edit] : [];
}

function markEdit(element: HtmlElement): TextEdit {
  const ids = boundIds((name) => element.attributes.get(name)?.value);
  const value = ids === '' ? '' : `="${escapeAttribute(ids)}"`;
  return { span: at(afterTagName(element)), text: ` ${boundAttribute}${value}` };
}

/** False for `<image>` in HTML, which the parser reads as `<img>`. */
const hasItsName = (text: string, { startTag, tag }: HtmlElement): boolean =>
  text.slice(startTag.start + 1, startTag.start + 1 + tag.length).toLowerCase() === tag.toLowerCase();

/** No markup can express these characters. */
const unwritable = /[\0\p{Surrogate}]/u;

function sourceEdit(element: HtmlElement, url: string): TextEdit | undefined {
  if (unwritable.test(url)) return undefined;
  const written = element.attributes.get('src');
  const text = `src="${escapeAttribute(url)}"`;
  return written ? { span: written.span, text } : { span: at(afterTagName(element)), text: ` ${text}` };
}

/** The parser ignores text in these elements, or moves it to another one. */
const withoutText = new Set(
  'body colgroup frameset head html iframe noembed noframes noscript plaintext select table tbody template tfoot thead tr xmp'.split(
    ' ',
  ),
);

/** The parser reads the text of these elements as it is, until an end tag; in drawings it reads it as any text. */
const withCode = new Set(['script', 'style']);

/** The parser ignores a line break at the start of these elements. */
const ignoringFirstLineBreak = new Set(['listing', 'pre', 'textarea']);

function textEdit(
  text: string,
  elements: readonly HtmlElement[],
  element: HtmlElement,
  shown: string,
): TextEdit | undefined {
  if (unwritable.test(shown)) return undefined;
  if (withCode.has(element.tag)) return /[<&\r]/.test(shown) ? undefined : contentEdit(text, elements, element, shown);
  const lineBreak = shown.startsWith('\n') && ignoringFirstLineBreak.has(element.tag) ? '\n' : '';
  return contentEdit(text, elements, element, lineBreak + escapeText(shown));
}

/** Replaces the content of an element; undefined if its text is not between its tags. */
export function contentEdit(
  text: string,
  elements: readonly HtmlElement[],
  element: HtmlElement,
  markup: string,
): TextEdit | undefined {
  const isPossible = !withoutText.has(element.tag) && hasContent(text, elements, element);
  return isPossible ? { span: innerSpan(element), text: markup } : undefined;
}

/** Whether the text between the tags is the content of the element, and nothing else. */
function hasContent(text: string, elements: readonly HtmlElement[], element: HtmlElement): boolean {
  // A void element, or one such as `<text/>` in a drawing.
  if (!element.endTag && element.span.end === element.startTag.end) return false;
  const { start, end } = innerSpan(element);
  if (!text.slice(start, end).includes('<')) return true;
  const isInside = (offset: number) => offset >= start && offset < end;
  // Misnested tags: `<b>…<p>…</b>…</p>`.
  return !elements.some(({ span, endTag }) =>
    isInside(span.start) ? span.end > end : endTag !== null && isInside(endTag.start),
  );
}

/** Adds custom properties to the `style` attribute. Undefined if there are none, or if the author declares one of them there. */
function styleEdit(element: HtmlElement, properties: readonly [name: string, text: string][]): TextEdit | undefined {
  const declarations = properties.filter(([, text]) => isCompleteValue(text)).map(([name, text]) => `${name}:${text}`);
  const written = element.attributes.get('style');
  const isDeclared = ([name]: readonly [string, string]) =>
    new RegExp(`(?:^|[;\\s])${name}\\s*:`).test(written?.value ?? '');
  if (declarations.length === 0 || properties.some(isDeclared)) return undefined;
  const before = written?.value.replace(/[;\s]*$/, '') ?? '';
  const text = `style="${escapeAttribute([...(before === '' ? [] : [before]), ...declarations].join(';'))}"`;
  return written ? { span: written.span, text } : { span: at(afterTagName(element)), text: ` ${text}` };
}

/** Texts that cannot affect the declarations around them: strings and parentheses are closed. */
const completeValue =
  /^(?:[^\\;!"'(){}[\]/]|\/(?!\*)|"[^\\"]*"|'[^\\']*'|\((?:[^\\;!"'(){}[\]/]|\([^\\;!"'(){}[\]/]*\))*\))+$/;

const isCompleteValue = (text: string): boolean =>
  text.trim() !== '' && !/[\n\f\r]/.test(text) && !unwritable.test(text) && completeValue.test(text);
