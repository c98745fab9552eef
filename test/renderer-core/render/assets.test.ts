// Images, fonts and remote files: they are loaded before frame 0, and an error names a file that is missing.
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { UserError } from '../../../renderer-core/errors.ts';
import type { RenderRequest } from '../../../renderer-core/render/types.ts';
import {
  black,
  box,
  cases,
  checkCells,
  type Files,
  green,
  page,
  png,
  red,
  renderFrames,
} from '../../support/frames.ts';
import { type Answer, startHost, unreachableOrigin } from '../../support/host.ts';
import { composition, project, temporaryFolder } from '../../support/project.ts';
import { warmRenderer } from '../../support/warmRender.ts';
import { silence } from '../../support/wav.ts';

const renderVideo = warmRenderer();

const redPng = png([255, 0, 0]);
const greenPng = png([0, 255, 0]);
const font = readFileSync(new URL('../../../examples/data-chart/fonts/geist-latin-wght-normal.woff2', import.meta.url));

type Fault = { code: string; message: RegExp; place?: string; hint?: RegExp };

async function failureOf(projectDir: string, request: Partial<RenderRequest> = {}): Promise<unknown> {
  const output = join(temporaryFolder(), 'frames');
  return renderVideo({ projectDir, output, format: 'png', fps: '10', ...request }).then(
    () => 'the render succeeded',
    (error: unknown) => error,
  );
}

async function checkFault(projectDir: string, { code, message, place, hint = /\.$/ }: Fault): Promise<void> {
  const error = await failureOf(projectDir);
  if (!(error instanceof UserError)) throw error;
  const at = error.place && `${error.place.file}:${error.place.line}`;
  expect({ code: error.code, message: error.message, place: at, hint: error.hint }).toEqual({
    code,
    message: expect.stringMatching(message),
    place,
    hint: expect.stringMatching(hint),
  });
}

/** The body of `composition` starts on line 4. */
const bodyLine = 4;

describe('rejects', () => {
  const secret = () => project({ 'secret.png': redPng, 'secret.html': '<div data-composition-id="s"></div>' });
  const linked = (files: Files, name: string, target: string) => {
    const root = project(files);
    symlinkSync(join(secret(), target), join(root, name));
    return root;
  };

  test('a symbolic link to a file outside the project folder', () =>
    checkFault(linked(composition('\n<img id="logo" src="logo.png">'), 'logo.png', 'secret.png'), {
      code: 'asset_missing',
      message: /^The file logo\.png is a link to a file outside the project folder, and <img id="logo"> needs it$/,
      place: `index.html:${bodyLine + 1}`,
      hint: /Copy the file/,
    }));

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

  test('a missing image in a style sheet, with the line in the style sheet', () =>
    checkFault(
      project({
        'index.html': composition('', { head: '<link rel="stylesheet" href="css/a.css">' }),
        'css/a.css': '@import "b.css";',
        'css/b.css': '\n#root { background: url(gone.png) }',
      }),
      { code: 'asset_missing', message: /^The file css\/gone\.png does not exist$/, place: 'css/b.css:2' },
    ));

  test('all missing files at once, in the order of their lines', async () => {
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

test('locates a missing image whose path is a value that is passed to an embedded file', () => {
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
      'an image in a shadow tree',
      {
        'index.html': composition('\n<p><template shadowrootmode="open"><img id="i" src="a.png"></template></p>'),
        'a.png': html,
      },
      invalid('^a\\.png is not an image .*<img id="i">', undefined),
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
  test.each(files)('%s', (_, html) => checkCells({ 'index.html': html, 'big.png': big }, expected));
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

describe('remote files', () => {
  const cors = { 'access-control-allow-origin': '*' };
  const answers = {
    '/red.png': { body: redPng, headers: { 'content-type': 'image/png', ...cors } },
    '/in/bg.png': { body: redPng, headers: { 'content-type': 'image/png' } },
    '/in/a.css': { body: '.a { background: url(bg.png) }', headers: { 'content-type': 'text/css' } },
    '/latest.css': { status: 302, headers: { location: '/in/a.css' } },
    '/f.woff2': { body: font, headers: { 'content-type': 'font/woff2', ...cors } },
    '/a.js': { body: `cell(4, '${red}')`, headers: { 'content-type': 'text/javascript' } },
    '/a.json': { body: JSON.stringify(red), headers: { 'content-type': 'application/json', ...cors } },
    '/a.wav': { body: silence(0.5), headers: { 'content-type': 'audio/wav' } },
    '/later.png': { body: redPng, headers: { 'content-type': 'image/png' } },
  };
  const everything = (origin: string) =>
    page(
      `<link rel="stylesheet" href="${origin}/latest.css">
<style>@font-face { font-family: F; src: url(${origin}/f.woff2) }</style>
<img src="${origin}/red.png" style="position:absolute">
<i class="a" style="position:absolute;left:8px;width:8px;height:8px"></i>
<img id="c" crossorigin src="${origin}/red.png" hidden>
<audio src="${origin}/a.wav" onloadedmetadata="number(5, Math.round(this.duration * 1000))"></audio>
<img id="i" style="position:absolute;left:48px">
<script src="${origin}/a.js"></script>
<script>
onload = async () => {
  const drawn = document.createElement('canvas').getContext('2d');
  drawn.drawImage(c, 0, 0);
  cell(2, 'rgb(' + drawn.getImageData(0, 0, 1, 1).data.slice(0, 3) + ')');
  cell(3, await (await fetch('${origin}/a.json')).json());
  const faces = await document.fonts.load('8px F');
  if (faces.length === 1) cell(7, '${red}');
};
setTimeout(() => { i.src = '${origin}/later.png' }, 150);
</script>`,
      { duration: 0.3 },
    );
  const expected = {
    0: [red, red, red, red, red, 500, black, red],
    2: [red, red, red, red, red, 500, red, red],
  };

  test('downloads each file once, and renders the same from the cache without a network', async () => {
    const host = await startHost(answers);
    const files = { 'index.html': everything(host.origin) };
    // When the browser paints, it leaves out the background image of the remote style sheet. Screenshots show it.
    await checkCells(files, expected, { workers: 2, capture: 'auto' });
    expect(host.requests.sort()).toEqual(
      ['a.js', 'a.json', 'a.wav', 'f.woff2', 'in/a.css', 'in/bg.png', 'later.png', 'latest.css', 'red.png'].map(
        (path) => `GET /${path}`,
      ),
    );
    await host.close();
    await checkCells(files, expected, { capture: 'auto' });
  });

  test('lets the page read a response only if its CORS header allows it', async () => {
    const host = await startHost({
      '/echo.txt': (_, { origin = '' }) => ({ body: green, headers: { 'access-control-allow-origin': origin } }),
      '/moved.txt': { status: 301, headers: { location: '/echo.txt' } },
      '/closed.txt': { body: green },
    });
    const script = `<script>
const show = (index, path) => fetch('${host.origin}' + path).then((answer) => answer.text(), () => '${red}').then((text) => cell(index, text));
show(0, '/echo.txt'); show(1, '/moved.txt'); show(2, '/closed.txt');
</script>`;
    await checkCells({ 'index.html': page(script) }, { 0: [green, green, red] });
    await host.close();
    await checkCells({ 'index.html': page(script) }, { 0: [green, green, red] });
  });

  test('paints remote images that the project references from HTML, CSS or scripts', async () => {
    const host = await startHost(answers);
    const at = (index: number) => `position:absolute;top:0;left:${8 * index}px;width:8px;height:8px`;
    const url = `${host.origin}/red.png`;
    const html = page(
      `<style>.b { background: url("${url}") }</style><img src="${url}#x" style="${at(0)}"><i class="b" style="${at(1)}"></i>
<i style="${at(2)};background:url(${url})"></i><video poster="${url}" style="${at(3)}"></video>
<img data-var-src="photo" style="${at(4)}"><svg style="${at(5)}"><image href="${url}"/></svg>
<div data-composition-src="in/card.html"></div>`,
      { variables: [{ id: 'photo', type: 'string', label: 'P', default: url }] },
    );
    const card = `<div data-composition-id="card"><style>i { background: url(${url}) }</style><i style="${at(6)}"></i></div>`;
    await checkCells({ 'index.html': html, 'in/card.html': card }, { 0: [red, red, red, red, red, red, red] });
    expect(host.requests).toEqual(['GET /red.png']);
  });

  test('uses screenshots for a remote image that is added during the render', async () => {
    const host = await startHost(answers);
    const html = page(
      `<img id="i" style="position:absolute"><script>setTimeout(() => { i.src = '${host.origin}/later.png' }, 450)</script>`,
      { duration: 1 },
    );
    await checkCells({ 'index.html': html }, { 4: [black], 5: [red] }, { capture: 'auto' });
  });

  const image = (origin: string) => composition(`\n<img id="hero" src="${origin}/a.png">`);
  test.each<[string, Record<string, Answer>, RegExp]>([
    ['404', {}, /HTTP 404, and <img id="hero"> needs it$/],
    ['repeated status 500', { '/a.png': { status: 500 } }, /HTTP 500/],
    ['a redirect loop', { '/a.png': { status: 302, headers: { location: '/a.png' } } }, /redirects more than 5 times/],
  ])('%s names the address, the element and the line', async (_, given, message) => {
    const host = await startHost(given);
    await checkFault(project(image(host.origin)), {
      code: 'asset_missing',
      message: new RegExp(`^${host.origin}/a\\.png could not be loaded: .*${message.source}`),
      place: `index.html:${bodyLine + 1}`,
    });
  });

  test('reports a host that does not exist', async () => {
    await checkFault(project(image(unreachableOrigin)), {
      code: 'asset_missing',
      message: /could not be loaded: .*ECONNREFUSED/,
      place: `index.html:${bodyLine + 1}`,
    });
  });

  test('reports an HTML page that is returned instead of an image', async () => {
    const host = await startHost({ '/a.png': { body: '<p>Sorry</p>', headers: { 'content-type': 'text/html' } } });
    await checkFault(project(image(host.origin)), {
      code: 'asset_invalid',
      message: /a\.png is not an image .*<img id="hero">/,
      place: `index.html:${bodyLine + 1}`,
    });
  });

  test('retries transient errors, and leaves failed fetches to the script', async () => {
    const host = await startHost({
      '/a.png': (before) =>
        before === 0 ? { status: 500 } : { body: greenPng, headers: { 'content-type': 'image/png' } },
      '/none.json': { status: 404, headers: cors },
    });
    const script = `<script>fetch('${host.origin}/none.json').then(({ status }) => number(1, status))</script>`;
    const html = page(`<img src="${host.origin}/a.png" style="position:absolute">${script}`);
    await checkCells({ 'index.html': html }, { 0: [green, 404] });
  });

  test('stops waiting for a slow host when the render is cancelled', async () => {
    const host = await startHost({ '/a.png': { body: redPng.subarray(0, 9), hangs: true } });
    const controller = new AbortController();
    const root = project(image(host.origin));
    const failure = failureOf(root, { signal: controller.signal });
    while (host.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    controller.abort();
    expect(await failure).toMatchObject({ code: 'cancelled' });
  });

  test('reads a large media file in ranges', async () => {
    const host = await startHost({ '/a.wav': { body: silence(1200), headers: { 'content-type': 'audio/wav' } } });
    const html = page(
      `<audio id="a" src="${host.origin}/a.wav" preload="auto"></audio><script>
fetch('${host.origin}/a.wav', { mode: 'no-cors' });
a.onloadedmetadata = () => { a.currentTime = 1190; a.onseeked = () => number(0, a.currentTime); };
</script>`,
      { duration: 1 },
    );
    const frames = await renderFrames({ 'index.html': html });
    expect(frames).toHaveLength(10);
    expect(host.requests).toEqual(['GET /a.wav']);
  });
});
