// Images and fonts: they are loaded before the frame that shows them, and an error names a file that is missing.
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { composition, project } from '../../../support/project.ts';
import { bodyLine, checkFault, type Fault, failureOf } from '../../../support/renders/fileFaults.ts';
import {
  black,
  box,
  cases,
  checkCells,
  type Files,
  page,
  png,
  red,
  renderFrames,
} from '../../../support/renders/frames.ts';
import { core } from '../../../support/suites.ts';

const redPng = png([255, 0, 0]);
const font = readFileSync(
  new URL('../../../../examples/data-chart/fonts/geist-latin-wght-normal.woff2', import.meta.url),
);

describe('rejects', () => {
  const secret = () => project({ 'secret.png': redPng, 'secret.html': '<div data-composition-id="s"></div>' });
  const linked = (files: Files, name: string, target: string) => {
    const root = project(files);
    symlinkSync(join(secret(), target), join(root, name));
    return root;
  };

  test('a symbolic link to a file outside the project folder', core, () =>
    checkFault(linked(composition('\n<img id="logo" src="logo.png">'), 'logo.png', 'secret.png'), {
      code: 'asset_missing',
      message: /^The file logo\.png is a link to a file outside the project folder, and <img id="logo"> needs it$/,
      place: `index.html:${bodyLine + 1}`,
      hint: /Copy the file/,
    }),
  );

  test('a symbolic link to a composition outside the project folder', () =>
    checkFault(linked(composition('\n<div data-composition-src="card.html"></div>'), 'card.html', 'secret.html'), {
      code: 'composition_invalid',
      message: /^card\.html is a link to a file outside the project folder$/,
      place: `index.html:${bodyLine + 1}`,
    }));

  test('a hidden file', () =>
    checkFault(project({ 'index.html': composition('<img src=".in/a.png">'), '.in/a.png': redPng }), {
      code: 'asset_missing',
      message: /^The file \.in\/a\.png is hidden/,
      place: `index.html:${bodyLine}`,
    }));

  test('a name with an unescaped #', () =>
    checkFault(project({ 'index.html': composition('<img src="take #1.png">'), 'take #1.png': redPng }), {
      code: 'asset_missing',
      message: /^The file take .*does not exist/,
      place: `index.html:${bodyLine}`,
      hint: /%23/,
    }));

  test('a missing image in a style sheet, with the line in the style sheet', core, () =>
    checkFault(
      project({
        'index.html': composition('', { head: '<link rel="stylesheet" href="css/a.css">' }),
        'css/a.css': '@import "b.css";',
        'css/b.css': '\n#root { background: url(gone.png) }',
      }),
      { code: 'asset_missing', message: /^The file css\/gone\.png does not exist$/, place: 'css/b.css:2' },
    ),
  );

  test('all missing files at once, in the order of their lines', core, async () => {
    const body =
      '\n<img src="a.png">\n<div style="width:9px;height:9px;background:url(b.png)"></div>\n<img src="c.png">';
    expect(await failureOf(project(composition(body)))).toMatchObject({
      code: 'asset_missing',
      message: [
        'The file a.png does not exist, and <img> needs it',
        `index.html:${bodyLine + 2}:49: The file b.png does not exist, and <div> needs it`,
        `index.html:${bodyLine + 3}:11: The file c.png does not exist, and <img> needs it`,
      ].join('\n'),
      place: { file: 'index.html', line: bodyLine + 1, column: 11 },
    });
  });

  test('a missing image whose path is the value of a variable', () =>
    checkFault(
      project(
        composition('\n<img data-var-src="photo">', {
          variables: [{ id: 'photo', type: 'string', label: 'P', default: 'in/gone.png' }],
        }),
      ),
      { code: 'asset_missing', message: /^The file in\/gone\.png .*<img>/, place: `index.html:${bodyLine + 1}` },
    ));
});

test('locates a missing image whose path is a value that is passed to an embedded file', core, () => {
  const variables = [{ id: 'photo', type: 'string', label: 'P', default: 'gone.png' }];
  const host = `<p data-composition-src="card.html" data-variable-values='{"photo":"$photo"}'></p>`;
  const card = `<div data-composition-id="c" data-composition-variables='[{"id":"photo","type":"string"}]'>
<img data-var-src="photo"></div>`;
  return checkFault(project({ 'index.html': composition(host, { variables }), 'card.html': card }), {
    code: 'asset_missing',
    message: /^The file gone\.png .*<img>/,
    place: 'card.html:2',
  });
});

describe('rejects a file of the wrong type:', () => {
  const html = '<!doctype html><p>Not here</p>';
  const invalid = (what: string, place: string | undefined): Fault => ({
    code: 'asset_invalid',
    message: new RegExp(what),
    ...(place ? { place } : {}),
  });
  test.each<[string, Record<string, string | Uint8Array>, Fault]>([
    [
      'an image',
      { 'index.html': composition('\n<img id="i" src="a.png">'), 'a.png': html },
      invalid('^a\\.png is not an image .*<img id="i">', `index.html:${bodyLine + 1}`),
    ],
    [
      'a truncated image',
      { 'index.html': composition('<img src="a.png">'), 'a.png': redPng.subarray(0, 30) },
      invalid('^a\\.png is not an image', `index.html:${bodyLine}`),
    ],
    [
      'an image in an SVG',
      { 'index.html': composition('<svg><image href="a.png"/></svg>'), 'a.png': html },
      invalid('^a\\.png is not an image .*<image>', `index.html:${bodyLine}`),
    ],
    [
      'an image in an SVG with an invalid address',
      { 'index.html': composition('<svg><image href="http://["/></svg>') },
      invalid('^http://\\[ is not an image .*<image>', undefined),
    ],
    [
      'an image in a shadow tree',
      {
        'index.html': composition('\n<p><template shadowrootmode="open"><img id="i" src="a.png"></template></p>'),
        'a.png': html,
      },
      invalid('^a\\.png is not an image .*<img id="i">', undefined),
    ],
    [
      'an image of a drawing in a shadow tree of the markup',
      {
        'index.html': composition('<p><template shadowrootmode="open"><svg><image href="a.png"/></svg></template></p>'),
        'a.png': html,
      },
      invalid('^a\\.png is not an image .*<image>', undefined),
    ],
    [
      'an image of a drawing in a shadow tree',
      {
        'index.html': composition(
          '<p id="p"></p><script>p.attachShadow({ mode: "open" }).innerHTML = `<svg><image href="a.png"/></svg>`</script>',
        ),
        'a.png': html,
      },
      invalid('^a\\.png is not an image .*<image>', undefined),
    ],
    [
      'a background image',
      {
        'index.html': composition('', { head: '<link rel="stylesheet" href="css/a.css">' }),
        'css/a.css': '#root {\nbackground: url("../a b.png") }',
        'a b.png': html,
      },
      invalid('^a b\\.png is not an image', 'css/a.css:2'),
    ],
    [
      'a font',
      { 'index.html': composition('<style>@font-face{font-family:"My F";src:url(f.woff2)}</style>'), 'f.woff2': html },
      invalid('^f\\.woff2 is not a font .*My F', `index.html:${bodyLine}`),
    ],
    [
      'an image that is added during the render',
      {
        'index.html': composition(
          '<img id="i" src="ok.png"><script>setTimeout(() => { i.src = "a.png" }, 500)</script>',
        ),
        'ok.png': redPng,
        'a.png': html,
      },
      invalid('^a\\.png is not an image .*<img id="i">', undefined),
    ],
  ])('%s', (_, files, fault) => checkFault(project(files), fault));

  cases([
    [
      'a missing image that the page replaces',
      {
        'index.html': page(
          `<img src="a.png" onerror="this.onerror = null; this.src = 'ok.png'" style="display:block">`,
        ),
        'a.png': html,
        'ok.png': redPng,
      },
      { 0: [red] },
    ],
    [
      'a page with a missing file in an unused CSS rule',
      { 'index.html': page(`<style>.unused { background: url(gone.png) }</style>${box(0, red)}`) },
      { 0: [red] },
    ],
    [
      'a page with a missing file in an unused rule of a shadow tree',
      {
        'index.html': page(
          `<p id="p"></p><script>setTimeout(() => {
          p.attachShadow({ mode: 'open' }).innerHTML = '<style>:host(.on), i { background: url(gone.png) }</style>';
        }, 50)</script>${box(0, red)}`,
          { duration: 0.2 },
        ),
      },
      { 1: [red] },
    ],
    [
      'the fallback of a missing system font',
      {
        'index.html': page(
          `<style>@font-face { font-family: F; src: local("No Such Font") } #root { font-family: F }</style>${box(0, red)}`,
        ),
      },
      { 0: [red] },
    ],
  ]);
});

describe('shows an image in the frame that adds it:', () => {
  const big = png([255, 0, 0], 1500);
  const later = (what: string, css: string) =>
    page(
      `<style>${css}</style><div id="i" style="position:absolute;inset:0"></div><script>setTimeout(() => { ${what} }, 150)</script>`,
      { duration: 0.4 },
    );
  const files: [string, string][] = [
    ['a background image of a class', later(`i.className = 'on'`, '.on { background: url(big.png) }')],
    ['a mask', later(`i.className = 'on'`, `.on { background: ${red}; mask-image: url(big.png) }`)],
    ['a border image', later(`i.className = 'on'`, '.on { border: 20px solid; border-image: url(big.png) 10 fill }')],
    ['content', later(`i.className = 'on'`, '.on::before { content: url(big.png) }')],
    ['an image', later(`i.innerHTML = '<img src="big.png">'`, '')],
    ['an image with loading="lazy"', later(`i.innerHTML = '<img src="big.png" loading="lazy">'`, '')],
    ['an image of a drawing', later(`i.innerHTML = '<svg><image href="big.png" width="99" height="99"/></svg>'`, '')],
    [
      'an image in a shadow tree',
      later(`i.attachShadow({ mode: 'closed' }).innerHTML = '<img src="big.png" loading="lazy">'`, ''),
    ],
    [
      'a background image in a shadow tree',
      later(
        `i.attachShadow({ mode: 'open' }).innerHTML = '<style>p { margin: 0; height: 99px; background: url(big.png) }</style><p>'`,
        '',
      ),
    ],
    [
      'a background image of the host of a shadow tree',
      later(`i.attachShadow({ mode: 'open' }).innerHTML = '<style>:host { background: url(big.png) }</style>'`, ''),
    ],
    [
      'a background image of a class of the host of a shadow tree',
      later(
        `i.className = 'on'; i.attachShadow({ mode: 'open' }).innerHTML = '<style>:host(.on) { background: url(big.png) }</style>'`,
        '',
      ),
    ],
    [
      'a background image of a style in a shadow tree',
      page(
        `<div id="i"><template shadowrootmode="open"><p style="margin:0;height:99px"></p></template></div>
        <script>setTimeout(() => { i.shadowRoot.firstChild.style.background = 'url(big.png)' }, 150)</script>`,
        { duration: 0.4 },
      ),
    ],
    ['a poster', later(`i.innerHTML = '<video poster="big.png"></video>'`, '')],
    [
      'a background in a keyframe',
      later(`i.className = 'on'`, `@keyframes k { from, to { background: url(big.png) } } .on { animation: k 9s }`),
    ],
  ];
  const expected = { 1: [black], 2: [red], 3: [red] };
  test.each(files)('%s', core, (_, html) => checkCells({ 'index.html': html, 'big.png': big }, expected));
  test.each(files.slice(0, 1))('%s, by screenshots', (_, html) =>
    checkCells({ 'index.html': html, 'big.png': big }, expected, { capture: 'screenshot' }));
});

test('shows a font in the first frame that uses it', async () => {
  const html = (family: string, text: string) =>
    page(
      `<style>@font-face { font-family: F; src: url(f.woff2); unicode-range: U+e9 } #i { font: 40px ${family}; color: #fff }</style>
<span id="i">${text}</span><script>setTimeout(() => { i.textContent = 'é' }, 150)</script>`,
      { duration: 0.3 },
    );
  const frame = async (family: string, text: string) => {
    const frames = await renderFrames({ 'index.html': html(family, text), 'f.woff2': font });
    return Array.from({ length: 64 * 48 }, (_, index) => frames[2]?.at(index % 64, Math.floor(index / 64))[0]);
  };
  const later = await frame('F, monospace', 'x');
  expect(later).toEqual(await frame('F, monospace', 'é'));
  expect(later).not.toEqual(await frame('monospace', 'é'));
});
