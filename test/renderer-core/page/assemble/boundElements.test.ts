// Values in the markup: what the parser, scripts and the browser's requests see.
import fc from 'fast-check';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { describe, expect, test } from 'vitest';
import { buildGraph } from '../../../../renderer-core/model/graph.ts';
import { assemblePage } from '../../../../renderer-core/page/assemble/assemble.ts';

const declare = (values: Record<string, unknown>) =>
  JSON.stringify(
    Object.entries(values).map(([id, value]) => ({ id, type: typeof value, label: id, default: value })),
  ).replaceAll("'", '&#39;');

/** The body of the page for a composition with `body`. `values` are declared and given. */
function assembled(body: string, values: Record<string, unknown>, others: Record<string, string> = {}): string {
  const files: Record<string, string> = {
    'index.html': `<html data-composition-variables='${declare(values)}'><body>${body}</body></html>`,
    ...others,
  };
  const port = { exists: (path: string) => path in files, read: (path: string) => files[path] };
  const { html } = assemblePage(buildGraph('index.html', port.read), values, port, {
    seed: 1,
    epochMs: 0,
    fps: { num: 30, den: 1 },
  });
  return /<body[^>]*>(.*)<\/body>/s.exec(html)?.[1] ?? '';
}

/** Files that values name. */
const photos = { 'in/a b.png': '', 'c.png': '' };

describe('writes into the markup', () => {
  test.each<[name: string, body: string, values: Record<string, unknown>, expected: string]>([
    [
      'the text of an element',
      '<h1 data-var-text="t">Old</h1>',
      { t: 'a <b> & "c"' },
      '<h1 data-framework-bound="t" data-var-text="t">a &lt;b> &amp; "c"</h1>',
    ],
    [
      'a number instead of elements',
      '<p data-var-text="n"><b>1</b><!-- one --></p>',
      { n: 2 },
      '<p data-framework-bound="n" data-var-text="n">2</p>',
    ],
    [
      'the text of an element without an end tag',
      '<ul><li data-var-text="t">Old<li>Next</ul>',
      { t: 'New' },
      '<ul><li data-framework-bound="t" data-var-text="t">New<li>Next</ul>',
    ],
    [
      'line breaks at the start',
      '<pre data-var-text="t"></pre>',
      { t: '\n\r\nx' },
      '<pre data-framework-bound="t" data-var-text="t">\n\n&#13;\nx</pre>',
    ],
    [
      'the text of a style element',
      '<style data-var-text="css">b{}</style>',
      { css: 'b > i { color: red }' },
      '<style data-framework-bound="css" data-var-text="css">b > i { color: red }</style>',
    ],
    [
      'a source instead of the original one',
      '<img alt="" src="old.png" data-var-src="p">',
      { p: 'in/a b.png' },
      '<img data-framework-bound="p" alt="" src="/in/a%20b.png" data-var-src="p">',
    ],
    [
      'a source that was missing',
      '<video data-var-src="p"></video>',
      { p: 'https://example.com/a.mp4?b=1&c="2"' },
      '<video data-framework-bound="p" src="https://example.com/a.mp4?b=1&amp;c=&quot;2&quot;" data-var-src="p"></video>',
    ],
    [
      'custom properties of a composition',
      '<div data-composition-id="m" style="color: red; "></div>',
      { accent: '#ff0000', size: 2, on: true, label: 'calc(1px + (2px * 3))', 'no name': 1 },
      '<div data-framework-bound data-composition-id="m" style="color: red;--accent:#ff0000;--size:2;--on:true;--label:calc(1px + (2px * 3))"></div>',
    ],
  ])('%s', (_, body, values, expected) => expect(assembled(body, values, photos)).toBe(expected));

  test('the values of each mount', () => {
    const card = '<div data-composition-id="c"><img data-var-src="p" src="old.png"><b data-var-text="t">Old</b></div>';
    const host = `<div data-composition-src="card.html" data-variable-values='{"t":"$title","p":"c.png"}'></div>`;
    const page = assembled(host, { title: 'New' }, { 'card.html': card, ...photos });
    expect(page).toBe(
      `<div data-framework-instance="m1" data-framework-bound style="--t:New;--p:c.png" data-composition-src="card.html" data-variable-values='{"t":"$title","p":"c.png"}'><div data-framework-bound style="--t:New;--p:c.png" data-composition-id="c"><img data-framework-bound="p" data-var-src="p" src="/c.png"><b data-framework-bound="t" data-var-text="t">New</b></div></div>`,
    );
  });
});

describe('leaves to the runtime', () => {
  test.each<[name: string, body: string, values: Record<string, unknown>]>([
    ['a text without a value', '<p data-var-text="t">Old</p>', {}],
    ['a text whose value is an object', '<p data-var-text="t">Old</p>', { t: [1] }],
    ['a source that could run code', '<img data-var-src="p" src="old.png">', { p: 'javascript:alert(1)' }],
    ['a source that is empty', '<img data-var-src="p" src="old.png">', { p: '' }],
    ['characters that the parser drops', '<p data-var-text="t">Old</p>', { t: 'a\0b' }],
    ['markup in the style of a drawing', '<svg><style data-var-text="t"></style></svg>', { t: 'a{}<img onload=x>' }],
    ['an <image> that the parser reads as <img>', '<image data-var-src="p">', { p: 'c.png' }],
    ['an end tag in a style', '<style data-var-text="t"></style>', { t: '</style><script>' }],
    ['a void element', '<br data-var-text="t">', { t: 'New' }],
    ['an element that is closed in its start tag', '<svg><text data-var-text="t"/></svg>', { t: 'New' }],
    ['misnested elements', '<b data-var-text="t">x<p>y</b>z</p>', { t: 'New' }],
    ['text that the parser would move', '<table data-var-text="t"></table>', { t: 'New' }],
    ['elements of other templates', '<template><p data-var-text="t">Old</p></template>', { t: 'New' }],
  ])('%s', (_, body, values) => expect(assembled(body, values)).toBe(body));

  test.each([
    "It's",
    'a;b:c',
    '"',
    'rgb(0',
    '/*',
    '\\',
    '{',
    '',
    ' ',
    'a!b',
  ])('the custom property %j, which could affect others', (value) => {
    const page = assembled('<div data-composition-id="m"></div>', { a: 1, value });
    expect(page).toBe('<div data-framework-bound style="--a:1" data-composition-id="m"></div>');
  });
});

test('adds no empty style attribute', () => {
  const body = '<div data-composition-id="m"></div>';
  expect(assembled(body, { a: "It's" })).toBe(body);
});

test('leaves custom properties to the runtime that the author declares in the style attribute', () => {
  const body = '<div data-composition-id="m" style="top:0; --a: 1 !important"></div>';
  expect(assembled(body, { a: 2, b: 3 })).toBe(body);
});

describe('the parser reads back', () => {
  type Element = DefaultTreeAdapterTypes.Element;
  const text = fc.string({ unit: 'grapheme' }).filter((value) => !/[\0\p{Surrogate}]/u.test(value));
  const markup = fc.constantFrom('p', 'h1', 'pre', 'textarea', 'title', 'option', 'a', 'svg');
  const attribute = (element: Element | undefined, name: string) =>
    element?.attrs.find((one) => one.name === name)?.value;

  test('any text and any source', () => {
    fc.assert(
      fc.property(text, markup, (value, tag) => {
        const body = `<${tag} data-var-text="t">Old</${tag}>After<img data-var-src="p">`;
        const { childNodes } = parseFragment(assembled(body, { t: value, p: `./a${value}` }));
        const [bound, after, image] = childNodes as [Element, DefaultTreeAdapterTypes.TextNode, Element];
        const shown = bound.childNodes as DefaultTreeAdapterTypes.TextNode[];
        expect([shown.map((node) => node.value).join(''), after.value]).toEqual([value, 'After']);
        expect(attribute(image, 'src')).toBe(`./a${value}`);
      }),
    );
  });

  test('custom properties that cannot change others', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab:;"\'()[]{}\\/*!,# \n') }), (value) => {
        const body = assembled('<div data-composition-id="m" style="top:0"></div>', { a: 1, value, z: 2 });
        const style = attribute(parseFragment(body).childNodes[0] as Element, 'style') ?? '';
        expect([`top:0;--a:1;--value:${value};--z:2`, 'top:0;--a:1;--z:2']).toContain(style);
        // Closed strings cannot reach the next declaration.
        expect(style.replace(/"[^"]*"|'[^']*'/g, '').split(';')).toHaveLength(style.includes('--value') ? 4 : 3);
      }),
    );
  });
});

describe('leaves out', () => {
  const scene = `<template><div data-composition-id="m"><b data-var-if="big">Big</b><script data-var-if="!big">small()</script></div></template>`;
  test.each<[name: string, body: string, values: Record<string, unknown>, expected: string]>([
    [
      'elements whose condition does not hold',
      '<p data-var-if="sale">Sale</p><p data-var-if="!sale">No sale</p>',
      { sale: false },
      '<p data-var-if="!sale">No sale</p>',
    ],
    [
      'everything inside',
      '<div data-var-if="sale"><p data-var-text="t"></p><p data-var-if="t"></p></div>',
      { sale: false, t: 'a' },
      '',
    ],
    [
      'a host, and the file that it embeds',
      `<div data-composition-id="main"><div data-var-if="sale" data-composition-src="m.html"></div></div>`,
      { sale: false },
      '<div data-framework-bound style="--sale:false" data-composition-id="main"></div>',
    ],
  ])('%s', (_, body, values, expected) => {
    expect(assembled(body, values, { 'm.html': scene })).toBe(expected);
  });

  test('parts of an embedded file by its own values', () => {
    const host = (big: boolean) =>
      `<div data-composition-id="main"><div data-composition-src="m.html" data-variable-values='{"big":${big}}'></div></div>`;
    const file = `<html data-composition-variables='${declare({ big: true })}'><body>${scene.slice(10, -11)}</body></html>`;
    expect(assembled(host(true), {}, { 'm.html': file })).toContain('Big');
    expect(assembled(host(true), {}, { 'm.html': file })).not.toContain('script');
    expect(assembled(host(false), {}, { 'm.html': file })).not.toContain('Big');
  });

  test('nothing around the composition itself', () => {
    expect(assembled('<div data-composition-id="main" data-var-if="sale">All</div>', { sale: false })).toContain('All');
  });
});
