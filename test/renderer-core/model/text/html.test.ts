// The element tree: what the author wrote, and where.
import { expect, test } from 'vitest';
import { type HtmlElement, innerSpan, parseHtml } from '../../../../renderer-core/model/text/html.ts';
import { mark, marked } from '../../../support/editor/markup.ts';

/** The tree as nested tags: `div(p,p)`. */
function check(markup: string, expected: string) {
  const show = ({ tag, children }: HtmlElement): string => (children.length ? `${tag}(${children.map(show)})` : tag);
  expect(parseHtml(markup).children.map(show).join()).toBe(expected);
}

test('contains only what the author wrote', () => {
  check('<p>a</p><p>b', 'p,p');
  check('<!doctype html><html><head><title>x</title></head><body><p></body></html>', 'html(head(title),body(p))');
  check('<table><tr><td>x</td></tr></table>', 'table(tr(td))');
  check('</p></br>text', '');
});

test('lists an element once that the parser repeats to repair nesting', () => {
  check('<b id=x><p>a</b>b</p>', 'b,p');
  check('<a><div></a><i>x</i></div>', 'a,div(i)');
});

test('puts the content of a template under it', () => {
  check('<template><div><p></p></div></template>', 'template(div(p))');
  const { elements } = parseHtml('<template id=t><div><template id=u><p></p></template></div></template>');
  expect(elements.map(({ tag, template }) => `${tag} in ${template?.attributes.get('id')?.value}`)).toEqual([
    'template in undefined',
    'div in t',
    'template in t',
    'p in u',
  ]);
});

/** Marks, in this order per element: the element, its start tag, its content, its end tag. */
function checkSpans(markup: string) {
  const { text, spans } = marked(markup);
  const found = parseHtml(text).elements.flatMap((element) => {
    const all = [element.span, element.startTag, innerSpan(element)];
    return element.endTag ? [...all, element.endTag] : all;
  });
  expect(found).toEqual(spans);
}

test('returns the spans of elements, tags and content', () => {
  checkSpans('x ««<p a="1">»«text»«</p>»» y');
  checkSpans("««<script>»«if (a < b) '<p>'»«</script>»»");
  checkSpans('««<img src=a>»«»»');
  checkSpans('««<p>»«open\r\n»»');
  expect(parseHtml('<b><p>x</b>').elements.every(({ span, startTag }) => span.end >= startTag.end)).toBe(true);
});

/** Marks, for each attribute: all of it, its name, its value. */
function checkAttributes(markup: string, values: Record<string, string>) {
  const { text, spans } = marked(markup);
  const [element] = parseHtml(text).elements;
  const attributes = [...(element?.attributes.values() ?? [])];
  expect(Object.fromEntries(attributes.map(({ name, value }) => [name, value]))).toEqual(values);
  const found = attributes.flatMap(({ span, nameSpan, valueSpan }) => [
    span,
    nameSpan,
    ...(valueSpan ? [valueSpan] : []),
  ]);
  expect(mark(text, found)).toBe(mark(text, spans));
  expect(found).toEqual(spans);
}

test('returns the spans of quoted, unquoted, empty and unusual attributes', () => {
  checkAttributes(`<p ««id»="«x»"»>`, { id: 'x' });
  checkAttributes(`<p ««id» = '«x&amp;y»'»>`, { id: 'x&y' });
  checkAttributes('<p ««id»=«x/»»>', { id: 'x/' });
  checkAttributes('<video ««loop»» ««muted»="«»"»>', { loop: '', muted: '' });
  checkAttributes('<p ««A»=«1»» a=2>', { a: '1' });
  checkAttributes('<p ««=z»»>', { '=z': '' });
  checkAttributes(`<p\r\n««data-x»\r\n=\r\n"«1\r\n2»"»\r\n>`, { 'data-x': '1\n2' });
  checkAttributes('<svg ««viewBox»="«0 0 1 1»"»>', { viewBox: '0 0 1 1' });
  checkAttributes('<svg ««xlink:href»=«#a»»>', { 'xlink:href': '#a' });
});

test('ignores a byte order mark before the document', () => {
  const { children, text } = parseHtml('\uFEFF<html data-x="1"><body></body></html>');
  expect(children.map(({ tag, attributes, span }) => [tag, attributes.get('data-x')?.value, span.start])).toEqual([
    ['html', '1', 1],
  ]);
  expect(text[0]).toBe('\uFEFF');
});

test('detects whether a file is a document', () => {
  const isDocument = (text: string) => parseHtml(text).isDocument;
  expect(isDocument('<!doctype html><p>')).toBe(true);
  expect(isDocument('<body><p>')).toBe(true);
  expect(isDocument('<p>')).toBe(false);
});
