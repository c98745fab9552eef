// lottie-web and dotLottie in their published builds: they follow the time of the clip that contains their container or canvas.
import { readFileSync } from 'node:fs';
import { buildSync } from 'esbuild';
import { describe, test } from 'vitest';
import {
  black,
  cases,
  checkCuts,
  cutSeconds,
  type Files,
  mount,
  packaged,
  page,
  red,
} from '../../../support/renders/frames.ts';

const value = (k: unknown) => ({ a: 0, k });

/** A red square of a cell's size that moves by one cell in each of `length` frames, at 10 frames per second. */
const moving = (length: number) => ({
  v: '5.7.0',
  fr: 10,
  ip: 0,
  op: length,
  w: 64,
  h: 48,
  assets: [],
  layers: [
    {
      ty: 4,
      ind: 1,
      ip: 0,
      op: length,
      st: 0,
      ks: {
        o: value(100),
        r: value(0),
        s: value([100, 100, 100]),
        a: value([0, 0, 0]),
        p: {
          a: 1,
          k: [
            { t: 0, s: [4, 4, 0], i: { x: 1, y: 1 }, o: { x: 0, y: 0 } },
            { t: length, s: [4 + 8 * length, 4, 0] },
          ],
        },
      },
      shapes: [
        {
          ty: 'gr',
          it: [
            { ty: 'rc', s: value([8, 8]), p: value([0, 0]), r: value(0) },
            { ty: 'fl', c: value([1, 0, 0, 1]), o: value(100) },
            { ty: 'tr', p: value([0, 0]), a: value([0, 0]), s: value([100, 100]), r: value(0), o: value(100) },
          ],
        },
      ],
    },
  ],
});

/** The square is in cell 0, 1, 2, … in the frames from `start` on. */
const at = (cell: number) => [0, 1, 2, 3, 4, 5, 6].map((index) => (index === cell ? red : black));
const none = at(-1);

const container = (id: string, attributes = '') =>
  `<div id="${id}" ${attributes} style="position:absolute;top:0;left:0;width:64px;height:48px"></div>`;

describe('lottie-web', () => {
  const withLottie = (script: string, body: string, duration: number | null = 1, others: Files = {}) => ({
    'index.html': page(`${body}<script src="lottie.js"></script><script>${script}</script>`, { duration }),
    'lottie.js': packaged('lottie-web/build/player/lottie.min.js'),
    'five.json': JSON.stringify(moving(5)),
    ...(others as object),
  });
  const load = (options = '', id = 'a') =>
    `lottie.loadAnimation({ container: document.getElementById('${id}'), path: 'five.json'${options} })`;
  cases([
    [
      'an animation that loops from the first frame',
      withLottie(load(), container('a')),
      { 0: at(0), 1: at(1), 4: at(4), 5: at(0), 9: at(4) },
    ],
    [
      'an animation that stops at its end',
      withLottie(load(', loop: false'), container('a'), null),
      { 0: at(0), 3: at(3), 4: at(4) },
    ],
    [
      'an animation that repeats as often as its loop option',
      withLottie(load(', loop: 1'), container('a')),
      { 4: at(4), 5: at(0), 9: at(4) },
    ],
    [
      'an animation that starts with its clip',
      withLottie(load(), container('a', 'data-start="0.3"')),
      { 2: none, 3: at(0), 4: at(1), 7: at(4), 8: at(0) },
    ],
    [
      'an animation that waits until the page plays it',
      withLottie(`const a = ${load(', autoplay: false')}; setTimeout(() => a.play(), 300)`, container('a')),
      { 0: at(0), 2: at(0), 3: at(0), 4: at(1), 6: at(3) },
    ],
    [
      'a complete event when it ends',
      withLottie(
        `${load(', loop: false')}.addEventListener('complete', () => { document.getElementById('a').style.opacity = 0 })`,
        container('a'),
      ),
      { 3: at(3), 4: none, 9: none },
    ],
    [
      'an animation in a canvas at double speed',
      withLottie(`${load(", renderer: 'canvas'")}.setSpeed(2)`, container('a')),
      { 0: at(0), 1: at(2), 2: at(4), 9: at(3) },
    ],
    [
      'a complete animation with its fonts in the first frame',
      withLottie(load().replace('five', 'font'), container('a'), 1, {
        'font.json': JSON.stringify({
          ...moving(5),
          fonts: { list: [{ fName: 'Mono', fFamily: 'Mono', fStyle: '', fPath: 'f.woff2', origin: 3, ascent: 75 }] },
        }),
        'f.woff2': readFileSync('examples/data-chart/fonts/geist-mono-latin-wght-normal.woff2'),
      }),
      { 0: at(0), 1: at(1), 6: at(1) },
    ],
    [
      'an animation that the markup references',
      withLottie('', container('a', 'class="lottie" data-animation-path="five.json"')),
      { 0: at(0), 3: at(3), 6: at(1) },
    ],
    [
      'each mount at its own time',
      withLottie(
        '',
        mount('m.html', {}, 'data-start="0.2" data-duration="0.3"') +
          mount('m.html', {}, 'data-start="0.6" data-duration="0.3"'),
        1,
        {
          'm.html': `<div data-composition-id="m">${container('b')}<script>${load('', 'b')}</script></div>`,
        },
      ),
      { 1: none, 2: at(0), 4: at(2), 5: none, 6: at(0), 8: at(2), 9: none },
    ],
  ]);
  test('renders the same frames with any chunks', () =>
    checkCuts(withLottie(`${load()}.setSpeed(0.37)`, container('a'), cutSeconds), 10));
});

describe('dotLottie', () => {
  const library = buildSync({
    stdin: {
      contents: `import { DotLottie } from '@lottiefiles/dotlottie-web'; window.DotLottie = DotLottie`,
      resolveDir: '.',
    },
    bundle: true,
    format: 'iife',
    write: false,
  }).outputFiles[0]?.contents as Uint8Array;
  const wasm = packaged('@lottiefiles/dotlottie-web/dist/dotlottie-player.wasm');
  const canvas = (id: string, attributes = '') =>
    `<canvas id="${id}" ${attributes} width="64" height="48" style="position:absolute;top:0;left:0"></canvas>`;
  const withDotLottie = (script: string, body: string, duration: number | null = 1, others: Files = {}) => ({
    'index.html': page(
      `${body}<script src="dotlottie.js"></script><script>DotLottie.setWasmUrl('player.wasm');${script}</script>`,
      { duration },
    ),
    'dotlottie.js': library,
    'player.wasm': wasm,
    'five.json': JSON.stringify(moving(5)),
    ...(others as object),
  });
  const load = (options = ', autoplay: true', id = 'a') =>
    `new DotLottie({ canvas: document.getElementById('${id}'), src: 'five.json'${options} })`;
  cases([
    [
      // Unlike in lottie-web, the last frame and the first frame have the same time.
      'an animation that loops from the first frame',
      withDotLottie(load(', autoplay: true, loop: true'), canvas('a')),
      { 0: at(0), 1: at(1), 3: at(3), 5: at(1), 9: at(1) },
    ],
    ['an animation that stops at its end', withDotLottie(load(), canvas('a')), { 0: at(0), 3: at(3), 9: at(4) }],
    [
      'an animation that starts with its clip',
      withDotLottie(load(), canvas('a', 'data-start="0.3"')),
      { 2: none, 3: at(0), 4: at(1), 9: at(4) },
    ],
    [
      'an animation that waits until the page plays it',
      withDotLottie(`const a = ${load('')}; setTimeout(() => a.play(), 300)`, canvas('a')),
      { 0: at(0), 2: at(0), 3: at(0), 4: at(1), 6: at(3) },
    ],
    [
      'an animation from the start of the page when a module imports the library',
      {
        'index.html': page(
          `${canvas('a')}<script type="module">import { DotLottie } from './dotlottie.js'; DotLottie.setWasmUrl('player.wasm'); ${load()}</script>`,
          { duration: 1 },
        ),
        'dotlottie.js': packaged('@lottiefiles/dotlottie-web/dist/index.js'),
        'player.wasm': wasm,
        'five.json': JSON.stringify(moving(5)),
      },
      { 0: at(0), 3: at(3), 9: at(4) },
    ],
    [
      'each mount at its own time',
      withDotLottie(
        '',
        mount('m.html', {}, 'data-start="0.2" data-duration="0.3"') +
          mount('m.html', {}, 'data-start="0.6" data-duration="0.3"'),
        1,
        {
          'm.html': `<div data-composition-id="m">${canvas('b')}<script>${load(', autoplay: true', 'b')}</script></div>`,
        },
      ),
      { 1: none, 2: at(0), 4: at(2), 5: none, 6: at(0), 8: at(2), 9: none },
    ],
  ]);
  test('renders the same frames with any chunks', () =>
    checkCuts(withDotLottie(load(', autoplay: true, loop: true, speed: 0.37'), canvas('a'), cutSeconds), 5));
});
