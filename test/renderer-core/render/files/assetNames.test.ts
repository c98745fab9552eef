// Files with unusual names, referenced from every attribute that can reference a file, in the entry and in an embedded file.
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { project } from '../../../support/project.ts';
import { captureProject, page, png, red } from '../../../support/renders/frames.ts';
import { hex } from '../../../support/renders/video.ts';
import { silence } from '../../../support/renders/wav.ts';
import { core } from '../../../support/suites.ts';

/** File names without extension, and their spelling in a URL. */
const names: [name: string, written: string][] = [
  ['a b', 'a b'],
  ['ü 日本', 'ü 日本'],
  ['100%', '100%'],
  ['50%25', '50%2525'],
  ['#1?', '%231%3F'],
  ["it's (1), ok", "it's (1), ok"],
];

const font = readFileSync(
  new URL('../../../../examples/data-chart/fonts/geist-latin-wght-normal.woff2', import.meta.url),
);

/** One file of each type with the name, in `folder`. */
function filesOf(folder: string, name: string, index: number): Record<string, string | Uint8Array> {
  return {
    [`${folder}${name}.png`]: png([255, 0, 0]),
    [`${folder}${name}.svg`]:
      '<svg xmlns="http://www.w3.org/2000/svg"><rect id="box" width="8" height="8" fill="#f00"/></svg>',
    [`${folder}${name}.css`]: `.imported { background: ${red} }`,
    [`${folder}${name}.js`]: `shown('script src', ${index})`,
    [`${folder}${name}.txt`]: 'fetch',
    [`${folder}${name}.wav`]: silence(0.1),
    [`${folder}${name}.woff2`]: font,
  };
}

const places = [
  'img src',
  'img srcset',
  'source srcset',
  'style element',
  'style attribute',
  'bare url',
  'import',
  'image href',
  'use href',
  'video poster',
  'data-var-src',
  'script src',
  'audio src',
  'source src',
  'font-face',
  'fetch',
];

/** One row of boxes for each name. A box is red if its file was loaded. */
function row(written: string, index: number): string {
  const at = (place: string) =>
    `position:absolute;left:${8 * places.indexOf(place)}px;top:${8 * index}px;width:8px;height:8px`;
  const url = (ending: string) => `${written}.${ending}`;
  const inSrcset = encodeURIComponent(decodeURIComponent(written.replace(/%$/, '%25')));
  const bare = url('png').replace(/[\s'()]/g, (sign) => `\\${sign}`);
  return `
<img src="${url('png')}" style="${at('img src')}">
<img srcset="${inSrcset}.png 1x" style="${at('img srcset')}">
<picture><source srcset="${inSrcset}.png 1x"><img style="${at('source srcset')}"></picture>
<style>@import "${url('css')}"; .s${index} { background: url("${url('png')}") } .b${index} { background: url(${bare}) }
@font-face { font-family: F${index}; src: url("${url('woff2')}") }</style>
<i class="s${index}" style="${at('style element')}"></i>
<i class="b${index}" style="${at('bare url')}"></i>
<i style="${at('style attribute')};background:url(&quot;${url('png')}&quot;)"></i>
<i class="imported" style="${at('import')}"></i>
<svg style="${at('image href')}"><image href="${url('png')}" width="8" height="8"/></svg>
<svg style="${at('use href')}"><use href="${url('svg')}#box"/></svg>
<video poster="${url('png')}" style="${at('video poster')}"></video>
<img data-var-src="photo${index}" style="${at('data-var-src')}">
<script src="${url('js')}"></script>
<audio src="${url('wav')}" onloadedmetadata="shown('audio src', ${index})"></audio>
<audio onloadedmetadata="shown('source src', ${index})"><source src="${url('wav')}"></audio>
<script>document.fonts.load('8px F${index}').then((faces) => faces.length && shown('font-face', ${index}));
fetch(${JSON.stringify(url('txt'))}).then((answer) => answer.text()).then((place) => shown(place, ${index}))</script>`;
}

const shown = `<script>function shown(place, row) {
  const box = document.createElement('i');
  box.style.cssText = 'position:fixed;width:8px;height:8px;background:#f00;top:' + 8 * row + 'px;left:' + 8 * ${JSON.stringify(places)}.indexOf(place) + 'px';
  document.body.append(box);
}</script>`;

const size = { width: 8 * places.length, height: 8 * names.length };
const rows = names.map(([, written], index) => row(written, index)).join('\n');
const variables = names.map(([, written], index) => ({
  id: `photo${index}`,
  type: 'string',
  label: 'P',
  default: `${written}.png`,
}));
const filesIn = (folder: string) => Object.assign({}, ...names.map(([name], index) => filesOf(folder, name, index)));
const card = `<html data-composition-variables='${JSON.stringify(variables).replaceAll("'", '&#39;')}'><body>
<div data-composition-id="card" style="position:absolute;inset:0">${rows}</div></body></html>`;
const host = (path: string) => page(`${shown}<div data-composition-src="${path}"></div>`, size);

/** Renders one frame and lists the references whose file is not shown. */
async function failing(root: string, composition?: string): Promise<string[]> {
  const [frame] = (await captureProject({}, { projectDir: root, ...(composition ? { composition } : {}) })).frames;
  return names.flatMap(([name], index) =>
    places.flatMap((place, column) => (hex(frame, 8 * column + 4, 8 * index + 4) === red ? [] : [`${place}: ${name}`])),
  );
}

test('loads files in the folder of the entry', async () => {
  const index = page(shown + rows, { ...size, variables });
  expect(await failing(project({ 'index.html': index, ...filesIn('') }))).toEqual([]);
});

test('loads files in the folder of an embedded file, if the folder has such a name', core, async () => {
  const files = { 'index.html': host('100% of/the üs/card.html'), '100% of/the üs/card.html': card };
  const root = project({ ...files, ...filesIn('100% of/the üs/'), ...textFiles() });
  expect(await failing(root)).toEqual([]);
});

/** Files that the page loads with `fetch`. */
const textFiles = () => Object.fromEntries(names.map(([name]) => [`${name}.txt`, 'fetch']));

test('loads files in the project folder that an embedded file in a subfolder references', async () => {
  const files = { 'index.html': host('scenes/in/card.html'), 'scenes/in/card.html': card };
  expect(await failing(project({ ...files, ...filesIn('') }))).toEqual([]);
});

test('loads files in the project folder that an entry in a subfolder references', async () => {
  const entry = page(shown + rows, { ...size, variables });
  const root = project({ 'scenes/in/entry.html': entry, ...filesIn('') });
  for (const [name] of names) linkFile(root, `scenes/in/${name}.txt`, `${name}.txt`);
  expect(await failing(root, 'scenes/in/entry.html')).toEqual([]);
});

test('loads files through symbolic links inside the project', async () => {
  const root = project({ 'index.html': page(shown + rows, { ...size, variables }), ...filesIn('real files/') });
  for (const path of Object.keys(filesIn(''))) linkFile(root, path, `real files/${path}`);
  expect(await failing(root)).toEqual([]);
});

function linkFile(root: string, path: string, target: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  symlinkSync(join(root, target), join(root, path));
}
