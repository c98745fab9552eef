// The page that frames are taken from: the author's text with the runtime in front and embedded files in place.
import { describe, expect, test } from 'vitest';
import { buildGraph } from '../../../../renderer-core/model/graph.ts';
import { scriptGlobals } from '../../../../renderer-core/model/script/scriptGlobals.ts';
import { assemblePage, type PageStart } from '../../../../renderer-core/page/assemble/assemble.ts';
import { isLibrary } from '../../../../renderer-core/page/assemble/mountScripts.ts';
import { scopeStyles } from '../../../../renderer-core/page/assemble/scopeStyles.ts';
import { sourceFileOf, sourceLine } from '../../../../renderer-core/page/assemble/sourceFiles.ts';
import { applyTextEdits } from '../../../../renderer-core/page/assemble/textEdits.ts';

/** The page without the values that the runtime starts with, which `config` has too. */
function assemble(
  files: Record<string, string>,
  variables: Record<string, unknown> = {},
  start: Partial<PageStart> = {},
) {
  const port = { exists: (path: string) => path in files, read: (path: string) => files[path] };
  const page = assemblePage(buildGraph('index.html', port.read), variables, port, {
    seed: 1,
    epochMs: 0,
    fps: { num: 30, den: 1 },
    ...start,
  });
  return { ...page, html: page.html.replace(configElement, '') };
}

const configElement =
  /<script>document\.currentScript\.remove\(\);window\.__frameworkConfig=JSON\.parse\((".*?")\)<\/script>/;

const runtime = '<script src="/__framework/page.js"></script>';
const renderBlock = '<link rel="expect" blocking="render" href="#framework-end">';

test('the attributes of the root are the size of the layout', () => {
  const root = (attributes: string) => `<html><body><div data-composition-id="m" ${attributes}></div></body></html>`;
  const tag = (attributes: string, page?: { width: number; height: number }) =>
    /<div[^>]*>/.exec(assemble({ 'index.html': root(attributes) }, {}, page ? { page } : {}).html)?.[0];
  const wide = 'data-width="1920" data-height="1080"';
  const sizes = `${wide} data-sizes="1920x1080 1080x1920"`;
  const tall = { width: 1080, height: 1920 };
  expect(tag(sizes, tall)).toBe(`<div data-width="1080" data-height="1920" data-composition-id="m" ${sizes}>`);
  expect(tag(sizes, { width: 1920, height: 1080 })).toBe(`<div data-composition-id="m" ${sizes}>`);
  expect(tag(sizes)).toBe(`<div data-composition-id="m" ${sizes}>`);
  expect(tag(wide, tall)).toBe(`<div data-composition-id="m" ${wide}>`);
});

describe('the runtime script', () => {
  test.each([
    [
      'at the start of the head',
      '<html><head><title>x</title></head><body data-composition-id="m"></body></html>',
      '<html><head>|<title>x</title>#</head>',
    ],
    [
      'before an implied head',
      '<!doctype html>\n<html lang="en"><body data-composition-id="m">',
      '<html lang="en">|#<body',
    ],
    [
      'after a doctype without a head',
      '<!-- a -->\n<!DOCTYPE html><body data-composition-id="m">',
      '<!DOCTYPE html>|#<body',
    ],
  ])('is inserted %s', (_, html, place) =>
    expect(assemble({ 'index.html': html }).html).toContain(place.replace('|', runtime).replace('#', renderBlock)));

  test('wraps a fragment in a document', () => {
    expect(assemble({ 'index.html': '<div data-composition-id="m">x</div>' }).html).toBe(
      `<!doctype html><html><head>${runtime}${renderBlock}</head><body style="margin:0"><div data-composition-id="m">x</div></body></html>`,
    );
  });

  test('replaces generic families before each script that may measure text', () => {
    const html = `<html><head><link rel="stylesheet" href="a.css"><script src="a.js"></script></head><body data-composition-id="m"><script>offsetWidth</script></body></html>`;
    const pin = '<script>window[Symbol.for("framework.pinnedSheets")]()</script>';
    const page = assemble({ 'index.html': html, 'a.css': '', 'a.js': '' }).html;
    expect(page.slice(page.indexOf('<link rel="stylesheet" href="a.css">'))).toBe(
      `<link rel="stylesheet" href="a.css">${pin}<script src="a.js"></script>${renderBlock}</head><body data-composition-id="m">${pin}<script>offsetWidth</script></body></html>`,
    );
  });

  test('unwraps a template', () => {
    expect(assemble({ 'index.html': '<template><div data-composition-id="m">x</div></template>' }).html).toContain(
      '<body style="margin:0"><div data-composition-id="m">x</div></body>',
    );
  });
});

test('shifts no line of the author', () => {
  const html =
    '<!doctype html>\n<html>\n<head>\n</head>\n<body>\n<div data-composition-id="m">\n</div>\n<script>\nthrow 1\n</script></body></html>';
  const lineOf = (text: string) => text.slice(0, text.indexOf('throw')).split('\n').length;
  expect(lineOf(assemble({ 'index.html': html }).html)).toBe(lineOf(html));
});

const card = `<html data-composition-variables='[{"id":"name","type":"string","label":"Name","default":"Nobody"}]'>
<head><style>body{color:red} .n{background:url(dot.png)}</style><script src="lib.js"></script></head>
<body><div data-composition-id="card"><img src="a b.png"><p class="n"></p>
<script src="own.js"></script><script>
const { name } = __framework.getVariables();
</script></div></body></html>`;

const twice = `<html><body><div data-composition-id="main">
<div data-composition-src="cards/card.html" data-variable-values='{"name":"Ada"}'></div>
<div data-composition-src="cards/card.html"></div>
</div></body></html>`;

describe('a file that is mounted twice', () => {
  const files = {
    'index.html': twice,
    'cards/card.html': card,
    'cards/dot.png': '',
    'cards/lib.js': 'define.amd',
    'cards/own.js': '',
    'a b.png': '',
  };
  const page = assemble(files);

  test('gives each mount its own values', () => {
    expect(page.config.instances).toMatchObject([
      { id: 'top', values: {} },
      { id: 'm1', values: { name: 'Ada' }, scripts: 2, host: { embedding: 'top', given: '{"name":"Ada"}' } },
      { id: 'm2', values: { name: 'Nobody' }, scripts: 2, host: { embedding: 'top', given: '' } },
    ]);
  });

  test('gives each mount the root element, scoped styles and rebased paths', () => {
    const first = page.html.slice(
      page.html.indexOf('instance="m1"'),
      page.html.indexOf('<div data-framework-instance="m2"'),
    );
    expect(first).toContain('@scope ([data-framework-instance="m1"])');
    expect(first).toContain('url(/cards/dot.png)');
    // There is no cards/a b.png: the path is the project's.
    expect(first).toContain('<img src="/a%20b.png">');
    expect(first).not.toContain('getVariables');
  });

  test('runs libraries once and own scripts once per mount, in document order, with their line numbers', () => {
    expect(page.html.match(/<script src="[^"]*"/g)).toEqual([
      '<script src="/__framework/page.js"',
      '<script src="/cards/lib.js"',
      '<script src="/__framework/mounts/m1.1/cards/own.js.js"',
      '<script src="/__framework/mounts/m1.2/cards/card.html.js"',
      '<script src="/__framework/mounts/m2.1/cards/own.js.js"',
      '<script src="/__framework/mounts/m2.2/cards/card.html.js"',
    ]);
    const path = '/__framework/mounts/m1.2/cards/card.html.js';
    const lineOf = (text: string) => text.slice(0, text.indexOf('const { name }')).split('\n').length;
    expect(sourceLine(path, lineOf(page.scripts.get(path) ?? ''), 'index.html', [])).toBe(lineOf(card));
  });

  test('keeps script elements without their code', () => {
    expect(page.html.match(/<script type[\s\S]*?<\/script>/g)).toEqual([
      '<script type="text/plain" data-framework-script="m1.1" src="/cards/own.js"></script>',
      '<script type="text/plain" data-framework-script="m1.2"></script>',
      '<script type="text/plain" data-framework-script="m2.1" src="/cards/own.js"></script>',
      '<script type="text/plain" data-framework-script="m2.2"></script>',
    ]);
  });
});

test('keeps the column of a script of a mount', () => {
  const part = '<div data-composition-id="part"><p></p><script>window.here = 1</script></div>';
  const { scripts } = assemble({
    'index.html': '<div data-composition-id="main"><div data-composition-src="part.html"></div></div>',
    'part.html': part,
  });
  const code = scripts.get('/__framework/mounts/m1.0/part.html.js') ?? '';
  const line = code.split('\n').find((text) => text.includes('window.here'));
  expect(line?.indexOf('window.here')).toBe(part.indexOf('window.here'));
});

describe('a script is', () => {
  const kind = (path: string | undefined, code: string) =>
    isLibrary(path, code) ? 'a library' : 'a script of the mount';
  test.each([
    [
      'a library',
      'gsap.js',
      '!function(e,t){"function"==typeof define&&define.amd?define(["exports"],t):t(e)}(this,f)',
    ],
    ['a library', 'three.js', '"use strict";\nvar THREE = (() => {\n})();'],
    ['a library', 'lib/own.min.js', 'run()'],
    ['a library', undefined, 'typeof define === "function" && define.amd'],
    ['a script of the mount', 'own.min.js', 'run(__framework.getVariables())'],
    ['a script of the mount', 'own.js', 'window.gsap.to("p", {}); const lottie = window.lottie'],
    ['a script of the mount', 'own.js', 'if (typeof module !== "undefined") module.exports = {}'],
  ])('%s: %s %s', (expected, path, code) => expect(kind(path, code)).toBe(expected));
});

test('shares the globals of a script of a mount', () => {
  const code = `var a, { b, c: [d] } = x; for (var e of y) { var f; let g } function h() { var i; j = 1; k++ } class L {} const m = () => (n = 2), o = 3; a = o = window.p = 4`;
  expect(scriptGlobals(code)).toEqual({
    declared: ['h', 'L', 'm', 'o', 'a', 'd', 'b', 'e', 'f'],
    vars: ['a', 'd', 'b', 'e', 'f'],
    assigned: ['j', 'n'],
    isStrict: false,
  });
  expect(scriptGlobals(`'a'; 'use strict'; run()`).isStrict).toBe(true);
  expect(scriptGlobals('const = 1; var x')).toEqual({ declared: [], vars: [], assigned: [], isStrict: false });
});

test('passes values of every kind to the page unchanged', () => {
  const variables = { quote: '"\'</script>\u2028<!--', emoji: '🎬', long: 'x'.repeat(200_000) };
  expect(assemble({ 'index.html': '<p data-composition-id="m">' }, variables).config.instances[0]?.values).toEqual(
    variables,
  );
});

test.each([
  ['/index.html', 'index.html'],
  ['/scenes/%C3%A9t%C3%A9.html', 'scenes/été.html'],
  ['/__framework/mounts/m2/cards/card.html.js', 'cards/card.html'],
  ['/__framework/mounts/m2.0/lib/a%20b.js.js', 'lib/a b.js'],
])('maps the URL path %s to the source file %s', (path, file) => expect(sourceFileOf(path)).toBe(file));

describe('scopeStyles', () => {
  const sheets: Record<string, string> = { 'x.css': '.x{b:c}', 'own.css': '@import "own.css";.o{b:url(i.png)}' };
  const scope = (css: string) =>
    scopeStyles(
      { css, file: 'm.html' },
      {
        selector: '.s',
        ids: (id) => (id === 'g' ? 'g-m1' : id),
        page: [
          { name: 'class', value: 'page wide' },
          { name: 'data-theme', value: 'dark' },
        ],
        keyframes: (name) => (name === 'k' ? 'k-m1' : name),
        rebase: (url) => (url.startsWith('#') ? url : `/r/${url}`),
        read: (url) => (sheets[url] === undefined ? undefined : { css: sheets[url], file: url }),
      },
    ).replaceAll(/\s+/g, ' ');
  test.each([
    ['.a{color:red}', ' @scope (.s) { .a{color:red} }'],
    ['html, body{margin:0}', ' @scope (.s) { :where(:scope,:scope){margin:0} }'],
    ['html body > .a{b:c}', ' @scope (.s) { :where(:scope):not(html):where(:scope):not(html)>.a{b:c} }'],
    ['body.dark .a{b:c}', ' @scope (.s) { :where(:scope):not(html).dark .a{b:c} }'],
    ['.dark body .a{b:c}', ' @scope (.s) { .dark:where(:scope):not(html) .a{b:c} }'],
    ['.a:not(body *){b:c}', ' @scope (.s) { .a:not(:where(:scope):not(html) *){b:c} }'],
    [':root .a{b:c}', ' @scope (.s) { :scope .a{b:c} }'],
    [':root{--x:1}', ' @scope (.s) { :scope{--x:1} }'],
    [
      'body, .a{color:red;width:1px}',
      ' @scope (.s) { .a{color:red;width:1px} :scope{color:red} :where(:scope){width:1px} }',
    ],
    ['body{width:1px!important}', ' @scope (.s) { :where(:scope){width:1px} }'],
    ['.page .a{b:c}', ' @scope (.s) { .page .a,:scope .a{b:c} }'],
    ['body.wide.on .a{b:c}', ' @scope (.s) { :where(:scope):not(html):scope.on .a{b:c} }'],
    ['[data-theme=dark].page{--x:1}', ' @scope (.s) { [data-theme=dark].page{--x:1} :scope:scope{--x:1} }'],
    ['[data-theme=light] .a{b:c}', ' @scope (.s) { [data-theme=light] .a{b:c} }'],
    ['#g, #h{fill:url(#g)}', ' @scope (.s) { #g-m1,#h{fill:url(#g-m1)} }'],
    ['body::before{width:1px}', ' @scope (.s) { :where(:scope):not(html)::before{width:1px} }'],
    ['@scope (.a){:scope{width:1px}}', ' @scope (.s) { @scope (.a){:scope{width:1px}} }'],
    ['@keyframes i{to{left:0}} .a{b:c}', '@keyframes i{to{left:0}} @scope (.s) { .a{b:c} }'],
    [
      '@keyframes k{to{left:0}} .k{animation:1s k,i 2s;animation-name:i,"k"}',
      '@keyframes k-m1{to{left:0}} @scope (.s) { .k{animation:1s k-m1,i 2s;animation-name:i,"k-m1"} }',
    ],
    ['@media print{.a{b:url("i.png")}}', ' @scope (.s) { @media print{.a{b:url(/r/i.png)}} }'],
    ['@media print{body{width:1px}}', ' @scope (.s) { @media print{:where(:scope){width:1px}} }'],
    ['@import "x.css"; .a{b:c}', ' @scope (.s) { .x{b:c} .a{b:c} }'],
    ['@import url(x.css) layer(l) print;', ' @scope (.s) { @layer l{@media print{.x{b:c}}} }'],
    ['@import "x.css" layer supports(a:b);', ' @scope (.s) { @layer{@supports (a:b){.x{b:c}}} }'],
    ['@import "own.css";', ' @scope (.s) { .o{b:url(/r/i.png)} }'],
    ['@import "//a.b/c.css";', '@import "/r///a.b/c.css"; @scope (.s) { }'],
  ])('scopes %s', (css, expected) => expect(scope(css)).toBe(expected));
});

test('ignores edits inside an edit and keeps the order of insertions', () => {
  const at = (start: number, end: number, text: string) => ({ span: { start, end }, text });
  expect(applyTextEdits('abcdef', [at(3, 3, '1'), at(3, 3, '2'), at(0, 2, 'X'), at(1, 2, 'no')])).toBe('Xc12def');
});

describe('<base href>', () => {
  const card = `<html><head><base href="media/"><link rel="stylesheet" href="card.css"></head><body><div data-composition-id="card"><img src="a.png"><base href="x/"><script src="a.js"></script></div></body></html>`;
  const files = {
    'index.html': '<div data-composition-id="m"><div data-composition-src="cards/card.html"></div></div>',
    'cards/card.html': card,
    'cards/media/card.css': 'p { background: url(b.png) }',
    'cards/media/a.png': '',
    'cards/media/b.png': '',
    'cards/media/a.js': 'let a = 1',
  };

  test('of a mounted file applies to its references, and not to the page', () => {
    const { html, scripts } = assemble(files);
    expect(html).toContain('<img src="/cards/media/a.png">');
    expect(html).toContain('url(/cards/media/b.png)');
    expect([...scripts.keys()]).toEqual(['/__framework/mounts/m1.0/cards/media/a.js.js']);
    expect(html).not.toContain('<base');
  });

  test('on another host makes the references of a mounted file absolute', () => {
    const remote = card.replace('media/', 'https://cdn.example/x/');
    expect(assemble({ ...files, 'cards/card.html': remote }).html).toContain('<img src="https://cdn.example/x/a.png">');
  });

  test('of the page does not move what is added after it, on servers with relative paths', () => {
    const port = { exists: (path: string) => path in files, read: (path: string) => page[path], base: './' };
    const page: Record<string, string> = {
      ...files,
      'index.html': `<html><head><base href="a/b/"></head><body>${files['index.html'].replace('cards/', '/cards/')}</body></html>`,
    };
    const start = { seed: 1, epochMs: 0, fps: { num: 30, den: 1 } };
    const { html } = assemblePage(buildGraph('index.html', port.read), {}, port, start);
    expect(html).toContain('<script src="./__framework/page.js">');
    expect(html).toContain('<img src="../../cards/media/a.png">');
    expect(html).toContain('<script src="../../__framework/mounts/m1.0/cards/media/a.js.js">');
  });
});
