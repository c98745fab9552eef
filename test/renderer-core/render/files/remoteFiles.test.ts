// Remote files: they are downloaded once and loaded before frame 0, and an error names the URL that fails.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { composition, project } from '../../../support/project.ts';
import { bodyLine, checkFault, failureOf } from '../../../support/renders/fileFaults.ts';
import { black, checkCells, green, page, png, red, renderFrames } from '../../../support/renders/frames.ts';
import { silence } from '../../../support/renders/wav.ts';
import { type Answer, startHost, unreachableOrigin } from '../../../support/servers/host.ts';
import { core } from '../../../support/suites.ts';

const redPng = png([255, 0, 0]);
const greenPng = png([0, 255, 0]);
const font = readFileSync(
  new URL('../../../../examples/data-chart/fonts/geist-latin-wght-normal.woff2', import.meta.url),
);

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

  test('lets the page read a response only if its CORS header allows it', core, async () => {
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

  test('retries transient errors, and leaves failed fetches to the script', core, async () => {
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
