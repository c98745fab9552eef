// When a clip shows, which time a frame has, where durations come from, and what a page may wait for.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { expect } from 'vitest';
import { packaged } from '../support/renders/frames.ts';
import { timesOf } from '../support/renders/video.ts';
import { silence } from '../support/renders/wav.ts';
import { listenInTest } from '../support/servers/listen.ts';
import { accept, type Check, type Statement } from './acceptance.ts';
import { area, composition } from './pages.ts';
import { frames, image } from './pictures.ts';

const render = (options = '') => ({ run: `render -o out --format png --fps 10 ${options}` });
const green = (id: string, left: number, attributes = '') =>
  area(id, left, 8, attributes).replace('height:48px', 'height:48px;background:#00ff00');
const [on, off] = ['#00ff00', '#000000'];

/** The color of the first eight areas of a frame: `shown(1, 0)` is `{ '4,24': on, '12,24': off }`. */
const shown = (...areas: number[]) =>
  Object.fromEntries(areas.map((isOn, index) => [`${8 * index + 4},24`, isOn ? on : off]));

const clips: Statement[] = [
  {
    sentence: 'A clip shows when start <= t < start + duration and every timed ancestor shows',
    files: {
      'index.html': composition(
        `${green('a', 0, 'data-start="0.2" data-duration="0.3"')}
        <div data-start="0" data-duration="0.4">${green('b', 8, 'data-start="0.1" data-duration="0.6"')}</div>`,
      ),
    },
    steps: [
      render(),
      frames('out', 10, {
        0: shown(0, 0),
        1: shown(0, 1),
        2: shown(1, 1),
        3: shown(1, 1),
        4: shown(1, 0),
        5: shown(0, 0),
      }),
    ],
  },
  {
    sentence: 'data-start is a number, id, id + s or id - s; a bare id means the end of that clip',
    files: {
      'index.html': composition(
        green('a', 0, 'data-start="0" data-duration="0.2"') +
          green('b', 8, 'data-start="a" data-duration="0.2"') +
          green('c', 16, 'data-start="a + 0.3" data-duration="0.2"') +
          green('d', 24, 'data-start="c - 0.1" data-duration="0.2"'),
      ),
    },
    steps: [
      render(),
      frames('out', 10, {
        1: shown(1, 0, 0, 0),
        2: shown(0, 1, 0, 0),
        4: shown(0, 0, 0, 0),
        5: shown(0, 0, 1, 0),
        6: shown(0, 0, 1, 1),
        7: shown(0, 0, 0, 1),
      }),
    ],
  },
  {
    sentence: 'data-start: an unknown id, an unknown duration or a cycle is a lint error and a render error',
    files: {
      'index.html': composition(green('a', 0, 'data-start="nobody" data-duration="1"')),
      'unknown.html': composition(green('a', 0, 'data-start="0"') + green('b', 8, 'data-start="a" data-duration="1"')),
      'cycle.html': composition(
        green('a', 0, 'data-start="b" data-duration="1"') + green('b', 8, 'data-start="a" data-duration="1"'),
      ),
    },
    steps: [
      {
        run: 'lint',
        exit: 1,
        prints: [/index\.html:\d+:\d+ error .*nobody/, /unknown\.html:\d+:\d+ error/, /cycle\.html:\d+:\d+ error/],
      },
      { run: 'render', exit: 1, prints: [/error: index\.html:\d+:\d+: .*nobody/], leavesOut: ['renders'] },
      { run: 'render -c unknown.html', exit: 1, prints: [/error: unknown\.html:\d+:\d+/] },
      { run: 'render -c cycle.html', exit: 1, prints: [/error: cycle\.html:\d+:\d+/] },
    ],
  },
  {
    sentence: 'data-track-index: track placement; clips of one track must not overlap',
    files: {
      'index.html': composition(
        green('a', 0, 'data-start="0" data-duration="1" data-track-index="1"') +
          green('b', 8, 'data-start="0.5" data-duration="0.5" data-track-index="1"') +
          green('c', 16, 'data-start="0.5" data-duration="0.5" data-track-index="2"'),
      ),
    },
    steps: [{ run: 'lint', prints: [/index\.html:\d+:\d+ .*overlap/, '1 warning'] }],
  },
  {
    sentence: 'data-duration of a clip is re-read from the live DOM after scripts run',
    files: {
      'index.html': composition(
        `${green('a', 0, 'data-start="0" data-duration="1"')}<script>a.dataset.duration = 0.3</script>`,
      ),
    },
    steps: [render(), frames('out', 10, { 2: shown(1), 3: shown(0) })],
  },
];

const sizesAndDurations: Statement[] = [
  {
    sentence: 'data-width and data-height are read once from the source HTML at compile time',
    files: {
      'index.html': composition('<script>root.dataset.width = 100; root.dataset.height = 100</script>'),
    },
    steps: [{ run: 'snapshot --at 0 -o shot.png' }, image('shot.png', '64x48')],
  },
  {
    sentence: 'data-duration of the root is read once at compile time and locked before scripts run',
    files: { 'index.html': composition('<script>root.dataset.duration = 5</script>', { duration: 0.3 }) },
    steps: [{ run: 'render -o out.mp4 --fps 10 --json', json: { frames: 3, durationSeconds: 0.3 } }],
  },
  {
    sentence:
      'data-duration on the root absent: inferred from registered timelines and media; if nothing is finite, a clear error',
    files: {
      'index.html': composition('<audio src="tone.wav" data-start="0.2"></audio>', { duration: null }),
      'timeline.html': composition(
        `<script>window.__timelines = { main: { pause() {}, seek() {}, duration: () => 0.7 } }</script>`,
        { duration: null },
      ),
      'endless.html': composition('<p>Hi</p>', { duration: null }),
      'tone.wav': silence(0.3),
    },
    steps: [
      { run: 'render -o out.mp4 --fps 10 --json', json: { frames: 5 } },
      { run: 'render -o out.mp4 --fps 10 --json -c timeline.html', json: { frames: 7 } },
      { run: 'render -o endless.mp4 -c endless.html', exit: 1, prints: ['data-duration'], leavesOut: ['endless.mp4'] },
    ],
  },
  {
    sentence:
      'data-duration is optional on video and audio: when absent, the source file is probed and its natural length used',
    files: {
      'index.html': composition(
        `<audio id="a" src="tone.wav" data-start="0"></audio>${green('b', 0, 'data-start="a" data-duration="0.1"')}`,
        { duration: 0.5 },
      ),
      'tone.wav': silence(0.3),
    },
    steps: [render(), frames('out', 5, { 2: shown(0), 3: shown(1), 4: shown(0) })],
  },
];

const animations: Statement[] = [
  {
    sentence:
      "window.__timelines[compositionId] holds a seekable timeline with GSAP's interface: pause(), seek(seconds) or totalTime(seconds), duration()",
    files: {
      'index.html': composition(
        `${green('a', 0)}${green('b', 8)}<script>
        const by = (element, method) => ({ pause() {}, duration: () => 1, [method](t) { element.style.opacity = t >= 0.5 ? 1 : 0 } });
        window.__timelines = { main: by(a, 'seek') };
        </script>`,
      ),
      'total.html': composition(
        `${green('a', 0)}<script>
        window.__timelines = { main: { pause() {}, duration: () => 1, totalTime(t) { a.style.opacity = t >= 0.5 ? 1 : 0 } } };
        </script>`,
      ),
    },
    steps: [
      render(),
      frames('out', 10, { 4: shown(0), 5: shown(1) }),
      { run: 'render -o total --format png --fps 10 -c total.html' },
      frames('total', 10, { 4: shown(0), 5: shown(1) }),
    ],
  },
  {
    sentence: 'CSS animations and Web Animations are seeked by the runtime',
    files: {
      'index.html': composition(
        `<style>@keyframes go { from { opacity: 0 } to { opacity: 1 } }</style>
        ${green('a', 0).replace('background', 'animation:go 1s step-end both;background')}${green('b', 8)}
        <script>b.animate({ opacity: [1, 0] }, { duration: 500, easing: 'steps(1, end)', fill: 'both' })</script>`,
        { duration: 1.2 },
      ),
    },
    steps: [render(), frames('out', 12, { 0: shown(0, 1), 4: shown(0, 1), 5: shown(0, 0), 10: shown(1, 0) })],
  },
  {
    sentence: 'anime.js v4 is seeked by a small adapter',
    files: {
      'index.html': composition(
        `${green('a', 0)}<script src="anime.js"></script><script>anime.animate('#a', { x: 8, duration: 500, ease: 'linear' })</script>`,
      ),
      'anime.js': packaged('animejs/dist/bundles/anime.umd.min.js'),
    },
    steps: [render(), frames('out', 10, { 0: shown(1, 0), 5: shown(0, 1), 9: shown(0, 1) })],
  },
  {
    sentence: 'lottie-web is seeked by a small adapter',
    files: {
      'index.html': composition(
        `${area('a', 0, 64)}<script src="lottie.js"></script><script>
        lottie.loadAnimation({ container: a, renderer: 'svg', loop: false, autoplay: true, animationData: ${JSON.stringify(blinking())} })</script>`,
      ),
      'lottie.js': packaged('lottie-web/build/player/lottie.min.js'),
    },
    steps: [render(), frames('out', 10, { 0: shown(0), 4: shown(0), 5: shown(1), 9: shown(1) })],
  },
  {
    sentence: 'three.js is seeked by a small adapter',
    files: {
      'index.html': composition(
        `<canvas id="c" width="64" height="48"></canvas><script src="three.js"></script><script>
        const renderer = new THREE.WebGLRenderer({ canvas: c });
        renderer.setAnimationLoop((time) => {
          renderer.setClearColor(time >= 500 ? 0x00ff00 : 0x000000);
          renderer.clear();
        });</script>`,
      ),
      'three.js': bundled('three', 'THREE'),
    },
    steps: [render(), frames('out', 10, { 2: shown(0), 9: shown(1) })],
  },
  {
    sentence: 'A composition without any timeline is legal',
    files: { 'index.html': composition(green('a', 0), { duration: 0.1 }) },
    steps: [{ run: 'lint' }, render(), frames('out', 1, { 0: shown(1) })],
  },
];

const sameBytes: Check = ({ folder }) =>
  expect(readFileSync(join(folder, 'one.mp4')).equals(readFileSync(join(folder, 'two.mp4')))).toBe(true);

const clock: Statement[] = [
  {
    sentence: 'The time of frame i is i / fps, exact: fps is a rational number internally',
    files: {
      'index.html': composition(
        `${green('a', 0)}<script>window.__timelines = { main: { pause() {}, duration: () => 1, seek(t) { a.style.opacity = t === 20 * 1001 / 30000 ? 1 : 0 } } }</script>`,
      ),
    },
    steps: [
      { run: 'render -o out.mp4 --fps 30000/1001 --json', json: { frames: 30, fps: '30000/1001' } },
      async ({ folder }) => {
        const { base, times } = await timesOf(join(folder, 'out.mp4'));
        const tick = Number(base.split('/')[1]);
        expect(times).toEqual(Array.from({ length: 30 }, (_, index) => (index * 1001 * tick) / 30000));
      },
      { run: 'snapshot --at 20f --fps 29.97 -o shot.png' },
      image('shot.png', '64x48', shown(1)),
    ],
  },
  {
    sentence:
      "Virtual time: Date, performance.now, requestAnimationFrame, setTimeout, setInterval and Math.random (seeded) follow the composition's clock in every render",
    files: {
      'index.html': composition(
        `${green('a', 0)}${green('b', 8)}${green('c', 16)}${green('d', 24)}${green('e', 32)}<script>
        const [date, now] = [Date.now(), performance.now()];
        let ticks = 0;
        for (const each of [a, b, c, d, e]) each.style.opacity = 0;
        setTimeout(() => { a.style.opacity = 1 }, 500);
        setInterval(() => { ticks += 1; if (ticks === 5) b.style.opacity = 1 }, 100);
        requestAnimationFrame(function frame() {
          if (Date.now() - date >= 500) c.style.opacity = 1;
          if (performance.now() - now >= 500) d.style.opacity = 1;
          requestAnimationFrame(frame);
        });
        e.style.opacity = Math.random();
        </script>`,
      ),
    },
    steps: [
      render(),
      frames('out', 10, { 4: shown(0, 0, 0, 0), 6: shown(1, 1, 1, 1) }),
      { run: 'render -o one.mp4' },
      { run: 'render -o two.mp4' },
      sameBytes,
    ],
  },
];

const responses: number[] = [];
const server = createServer(({ url, headers }, response) => {
  const status = url !== '/photo.svg' ? 404 : headers['if-none-match'] === '"1"' ? 304 : 200;
  responses.push(status);
  response.writeHead(status, { 'content-type': 'image/svg+xml', etag: '"1"' });
  response.end(status === 200 ? photo : '');
});
const photo =
  '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="48"><rect width="64" height="48" fill="#00ff00"/></svg>';
const served: Check = async ({ kept }) => void kept.set('origin', await listenInTest(server));

const pictureOf = (path: string) =>
  composition(
    `<img id="i" style="position:absolute;width:64px;height:48px"><script>i.src = __framework.getVariables().origin + '${path}'</script>`,
    { variables: [{ id: 'origin', type: 'string', label: 'Origin', default: '' }], duration: 0.1 },
  );

const network: Statement[] = [
  {
    sentence: 'Assets load before frame 0',
    files: {
      'index.html': composition('<img src="photo.svg" loading="lazy">', { duration: 0.1 }),
      'photo.svg': photo,
    },
    steps: [{ run: 'snapshot --at 0 -o shot.png' }, image('shot.png', '64x48', { '32,24': on })],
  },
  {
    sentence: 'Remote http(s) assets are fetched once, into a content-addressed cache',
    files: { 'index.html': pictureOf('/photo.svg') },
    steps: [
      served,
      ({ env, folder }) => {
        env.FRAMEWORK_CACHE = join(folder, '.cache');
      },
      { run: `snapshot --at 0 -o one.png --variables '{"origin":"<origin>"}'` },
      { run: `snapshot --at 0 -o two.png --variables '{"origin":"<origin>"}'` },
      image('two.png', '64x48', { '32,24': on }),
      () => expect(responses).toEqual([200, 304]),
    ],
  },
  {
    sentence: 'A render with a missing asset fails and names it',
    files: {
      'index.html': composition('<img src="gone.png">'),
      'remote.html': pictureOf('/gone.svg'),
    },
    steps: [
      served,
      { run: 'render', exit: 1, prints: ['gone.png'], leavesOut: ['renders/index.mp4'] },
      { run: `render -c remote.html --variables '{"origin":"<origin>"}'`, exit: 1, prints: ['/gone.svg'] },
    ],
  },
];

accept([...clips, ...sizesAndDurations, ...animations, ...clock, ...network]);

/** A library of modules as a classic script that sets a global variable. */
function bundled(name: string, globalName: string): Uint8Array {
  const stdin = { contents: `export * from '${name}'`, resolveDir: '.' };
  const { outputFiles } = buildSync({ stdin, bundle: true, format: 'iife', globalName, minify: true, write: false });
  return outputFiles[0]?.contents ?? new Uint8Array();
}

/** A Lottie animation of ten frames whose first eight pixels are green from the fifth frame on. */
function blinking(): unknown {
  const value = (k: unknown) => ({ a: 0, k });
  return {
    ...{ v: '5.7.0', fr: 10, ip: 0, op: 10, w: 64, h: 48, assets: [] },
    layers: [
      {
        ...{ ty: 1, ind: 1, ip: 5, op: 10, st: 0, sw: 8, sh: 48, sc: '#00ff00' },
        ks: { o: value(100), r: value(0), s: value([100, 100, 100]), a: value([0, 0, 0]), p: value([0, 0, 0]) },
      },
    ],
  };
}
