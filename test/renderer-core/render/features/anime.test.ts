// anime.js 4 in its published build: animations that play automatically and registered timelines follow the composition's time.
import { describe, test } from 'vitest';
import {
  black,
  blue,
  box,
  cases,
  checkCuts,
  cutSeconds,
  green,
  mount,
  packaged,
  page,
  red,
} from '../../../support/renders/frames.ts';

const anime = packaged('animejs/dist/bundles/anime.umd.min.js');

const withAnime = (script: string, body = '', duration: number | null = 1) => ({
  'index.html': page(`${body}<script src="anime.js"></script><script>${script}</script>`, { duration }),
  'anime.js': anime,
});

/** A host page that contains mounts of `m.html`. Its only script is the library. */
const mounting = (mounts: string, m: string) => ({ ...withAnime('', mounts), 'm.html': m });

describe('anime.js animations that play automatically', () => {
  cases([
    [
      'an animation from the first frame',
      withAnime(`anime.animate('#a', { x: 40, duration: 500, ease: 'linear' })`, box(0, red, 'id="a"')),
      {
        0: [red],
        1: [black, red],
        4: [black, black, black, black, red],
        5: [null, null, null, null, null, red],
        9: [null, null, null, null, null, red],
      },
    ],
    [
      'delay',
      withAnime(`anime.animate('#a', { x: 40, duration: 500, delay: 200, ease: 'linear' })`, box(0, red, 'id="a"')),
      { 0: [red], 2: [red], 3: [black, red], 7: [null, null, null, null, null, red] },
    ],
    [
      'repeated and alternating animations',
      withAnime(
        `anime.animate('#a', { x: 32, duration: 400, ease: 'linear', loop: true, alternate: true })`,
        box(0, red, 'id="a"'),
      ),
      {
        0: [red],
        1: [black, red],
        3: [null, null, null, red],
        5: [null, null, null, red],
        7: [black, red],
        9: [black, red],
      },
    ],
    [
      'a timeline with set() and call()',
      withAnime(
        `anime.createTimeline({ defaults: { ease: 'linear', duration: 200 } }).set('#b', { opacity: 1 }, 0).add('#a', { x: 16 }).add('#a', { x: 40, duration: 300 }, 500).call(() => cell(7, 'lime'), 300)`,
        box(0, red, 'id="a"') + box(6, blue, 'id="b"', 'opacity:0'),
      ),
      {
        0: [red, null, null, null, null, null, blue, black],
        1: [black, red],
        2: [black, black, red, null, null, null, blue, black],
        3: [null, null, red, null, null, null, null, green],
        4: [null, null, red],
        7: [null, null, null, null, red],
        9: [null, null, null, null, null, red],
      },
    ],
    [
      'a timer, an animated object, and an animation that starts after another one',
      withAnime(
        `const o = { n: 0 }; anime.animate(o, { n: 500, duration: 500, ease: 'linear', onUpdate: () => number(0, o.n) });
         anime.createTimer({ duration: 300, onUpdate: (t) => number(1, t.currentTime), onComplete: () => anime.animate('#a', { x: 16, duration: 200, ease: 'linear' }) })`,
        box(2, red, 'id="a"'),
      ),
      {
        0: [0, 0],
        1: [100, 100, red],
        3: [300, 300, red],
        5: [500, 300, null, null, red],
        9: [500, 300, null, null, red],
      },
    ],
    [
      'an animation that a timer starts during the render',
      withAnime(
        `setTimeout(() => anime.animate('#a', { x: 40, duration: 500, ease: 'linear' }), 300)`,
        box(0, red, 'id="a"'),
      ),
      { 2: [red], 3: [red], 4: [black, red], 6: [null, null, null, red], 9: [null, null, null, null, null, red] },
    ],
    [
      'an animation that the page pauses and plays',
      withAnime(
        `const a = anime.animate('#a', { x: 40, duration: 500, ease: 'linear', modifier: (x) => x - x % 8 }); setTimeout(() => a.pause(), 250); setTimeout(() => a.play(), 550)`,
        box(0, red, 'id="a"'),
      ),
      {
        0: [red],
        2: [null, null, red],
        3: [null, null, red],
        5: [null, null, red],
        6: [null, null, red],
        7: [null, null, null, red],
      },
    ],
    [
      'an engine whose time unit is seconds',
      withAnime(
        `anime.engine.timeUnit = 's'; anime.animate('#a', { x: 40, duration: 0.5, ease: 'linear' })`,
        box(0, red, 'id="a"'),
        null,
      ),
      { 0: [red], 1: [black, red], 4: [null, null, null, null, red] },
    ],
    [
      'an animation in a module that imports anime.js',
      {
        'index.html': page(
          `${box(0, red, 'id="a"')}<script type="module">import { animate } from './anime.js'; animate('#a', { x: 40, duration: 500, ease: 'linear' })</script>`,
          { duration: 1 },
        ),
        'anime.js': packaged('animejs/dist/bundles/anime.esm.min.js'),
      },
      { 0: [red], 1: [black, red], 4: [null, null, null, null, red] },
    ],
  ]);
});

describe('a registered timeline of anime.js', () => {
  const registered = (options: string, rest: string) =>
    withAnime(
      `window.__timelines.main = anime.createTimeline({ defaults: { ease: 'linear', duration: 500 }${options} })${rest}`,
      box(0, red, 'id="a"'),
      null,
    );
  cases([
    [
      'at times in milliseconds, for its whole duration',
      registered(', autoplay: false', `.add('#a', { x: 40 }).call(() => cell(7, 'lime'), 0)`),
      { 0: [red, null, null, null, null, null, null, green], 1: [black, red], 4: [null, null, null, null, red] },
    ],
    [
      'if it plays automatically',
      registered('', `.add('#a', { x: 40 }, 200)`),
      { 2: [red], 3: [black, red], 6: [null, null, null, null, red] },
    ],
    [
      'if it has a delay',
      registered(', delay: 200, autoplay: false', `.add('#a', { x: 40 })`),
      { 2: [red], 3: [black, red], 6: [null, null, null, null, red] },
    ],
    [
      'with a single onComplete call',
      registered(
        ', autoplay: false, onComplete: () => number(6, ++n)',
        `.add('#a', { x: 40 }, 0).add({ duration: 1 }, 100); var n = 0`,
      ),
      { 3: [null, null, null, red] },
    ],
  ]);
});

describe('anime.js in embedded files', () => {
  const m = (script: string) =>
    `<div data-composition-id="m" data-duration="1"><style>.a{position:absolute;top:0;left:calc(var(--x) * 1px);width:8px;height:8px;background:var(--c)}</style><div class="a"></div><script>${script}</script></div>`;
  const twice =
    mount('m.html', { x: 0, c: red }, 'data-start="0.2"') + mount('m.html', { x: 32, c: blue }, 'data-start="0.4"');
  const declared = (text: string) =>
    text.replace(
      '<div data-composition-id',
      `<div data-composition-variables='[{"id":"x","type":"number","label":"x","default":0},{"id":"c","type":"color","label":"c","default":"#ffffff"}]' data-composition-id`,
    );
  const animated = {
    1: [black, black, black, black, black, black],
    2: [red, black, black, black, black],
    3: [black, red, black, black, black],
    4: [black, black, red, black, blue],
    6: [black, black, red, black, black, black, blue],
  };
  cases([
    [
      'each mount at its own time',
      mounting(
        twice,
        declared(m(`anime.animate(document.querySelector('.a'), { x: 16, duration: 200, ease: 'linear' })`)),
      ),
      animated,
    ],
    [
      'registered timelines of mounts at their own times',
      mounting(
        twice,
        declared(
          m(
            `window.__timelines.m = anime.createTimeline({ autoplay: false }).add(document.querySelector('.a'), { x: 16, duration: 200, ease: 'linear' })`,
          ),
        ),
      ),
      animated,
    ],
    [
      'an animation without an element at the time of the mount that created it',
      mounting(
        mount('m.html', { x: 0, c: red }, 'data-start="0.3"'),
        declared(
          m(
            `const o = { n: 0 }; anime.animate(o, { n: 500, duration: 500, ease: 'linear', onUpdate: () => number(5, o.n) })`,
          ),
        ),
      ),
      {
        2: [null, null, null, null, null, black],
        4: [null, null, null, null, null, 100],
        7: [null, null, null, null, null, 400],
      },
    ],
  ]);
});

test('renders the same frames of anime.js with any chunks', () =>
  checkCuts(
    withAnime(
      `anime.animate('#a', { x: 56, duration: 1300, loop: true, alternate: true, onLoop: () => cell(7, '#' + Math.random().toString(16).slice(2, 8)) })`,
      box(0, red, 'id="a"'),
      cutSeconds,
    ),
  ));
