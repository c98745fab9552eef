// Animated SVG files in images: they follow the composition, and show what the same text shows in the page, where the browser
// itself moves the animations to a time.
import { expect, test } from 'vitest';
import { mount, page, readCell, renderFrames } from '../../../support/renders/frames.ts';
import type { Picture } from '../../../support/renders/video.ts';

const side = 24;
const svg = (content: string, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}" viewBox="0 0 24 24" ${attributes}>${content}</svg>`;
const move = (attributes: string, name = 'x', to = 16) =>
  `<animate attributeName="${name}" from="0" to="${to}" ${attributes}/>`;
const block = (content: string, attributes = '') =>
  `<rect width="8" height="8" fill="red" ${attributes}>${content}</rect>`;

const drawings: [name: string, svg: string][] = [
  ['that repeats', svg(block(move('dur="0.73s" repeatCount="indefinite"')))],
  ['that begins later and stays', svg(block(move('begin="0.3s" dur="0.5s" fill="freeze"')))],
  ['that ends and goes back', svg(block(move('dur="430ms" repeatCount="1.5"')))],
  ['that is ended in the middle', svg(block(move('dur="1s" end="0.45s" fill="freeze"')))],
  [
    'whose parts start each other',
    svg(
      block(move('id="a" begin="0;b.end+0.11s" dur="0.33s" fill="freeze"')) +
        block(move('id="b" begin="a.end" dur="0.22s"', 'y'), 'y="12"'),
    ),
  ],
  [
    'in which a later animation wins',
    svg(
      block(
        `${move('dur="0.2s" fill="freeze"')}<set attributeName="x" to="4" begin="0.41s" dur="0.33s"/>${move('begin="0.93s" dur="0.4s" fill="freeze"', 'x', 9)}`,
      ),
    ),
  ],
  [
    'with a transform and a path',
    svg(
      block(
        '<animateTransform attributeName="transform" type="rotate" values="0 12 12;90 12 12;90 12 12" keyTimes="0;.6;1" dur="0.8s" repeatDur="1.2s"/>',
      ) + block('<animateMotion path="M0 0L16 16" dur="1s" repeatCount="indefinite"/>', 'style="fill:blue"'),
    ),
  ],
  [
    'with CSS animations',
    svg(
      `<style>@keyframes right { to { transform: translateX(16px) } }
        rect { animation: right 0.5s 0.2s linear infinite alternate both } .late { animation-delay: 0.45s }
        @media (min-width: 1px) { .once { animation: right 600ms steps(4) } }</style>${block('')}` +
        `${block('', 'class="late" y="8"')}${block('', 'class="once" y="16"')}`,
    ),
  ],
  [
    'with CSS rules for the place of an element among its siblings, and layers',
    svg(
      `<style>@layer base { rect { animation: right 0.6s 0.2s linear both } } @keyframes right { to { translate: 16px } }
        rect:nth-child(3) { animation: right 0.4s 0.43s both } rect:last-child { animation: right 0.3s 0.73s both }</style>` +
        block('') +
        block('', 'y="8"') +
        block('', 'y="16"'),
    ),
  ],
  [
    'with CSS animations whose times are variables',
    svg(
      `<style>svg { --time: 0.7s } @keyframes right { to { translate: 16px } } rect { animation: right var(--time) infinite }
        @media (min-width: 1px) { .fast { animation: right calc(var(--time) / 2) infinite !important } }</style>` +
        block('') +
        block('', 'y="8" class="fast"') +
        block('', 'y="16" style="animation: right var(--time) ease-in"'),
    ),
  ],
  [
    'with CSS animations in attributes',
    svg(
      `<style>@keyframes down { to { translate: 0 12px } } @keyframes fade { to { opacity: 0 } }</style>${block('', 'style="animation: down 0.83s ease-in, fade 0.5s 0.33s infinite"')}`,
    ),
  ],
];

type Pixel = [number, number, number, number];

/** The pixels of an image of the drawing whose left edge is at `left`. */
const pixelsAt = (picture: Picture | undefined, left: number): Pixel[] =>
  Array.from({ length: side * side }, (_, at) => {
    if (!picture) throw new Error('there is no such frame');
    return picture.at(left + (at % side), Math.floor(at / side));
  });

/** The largest difference of two images in a channel, from 0 to 255. */
const difference = (one: Pixel[], other: Pixel[]): number =>
  Math.max(
    ...one.flatMap((pixel, at) => pixel.map((value, channel) => Math.abs(value - (other[at]?.[channel] ?? -1)))),
  );

test.each(drawings)('an image of a file %s follows the composition', async (_, text) => {
  const place = (left: number) => `position:absolute;top:0;left:${left}px`;
  const body = `<img src="a.svg" style="${place(0)}"><div style="${place(32)}">${text}</div>`;
  const frames = await renderFrames({ 'index.html': page(body, { duration: 1.5 }), 'a.svg': text });
  const images = frames.map((frame) => pixelsAt(frame, 0));
  expect(images.map((image, index) => difference(image, pixelsAt(frames[index], 32)))).toEqual(frames.map(() => 0));
  expect(new Set(images.map(String)).size).toBeGreaterThan(3);
});

test('a file that only a style sheet mentions follows the video', async () => {
  const text = svg(block(move('dur="1s" fill="freeze"')));
  const frames = await renderFrames({
    'index.html': page('<link rel="stylesheet" href="a.css"><div id="a"></div>', { duration: 0.8 }),
    'a.css': `#a { position: absolute; inset: 0 auto auto 0; width: ${side}px; height: ${side}px; background: url(a.svg) }`,
    'a.svg': text,
  });
  const edge = (frame: number) =>
    Array.from({ length: side }, (_, x) => x).find((x) => frames[frame]?.at(x, 4)[0] === 255);
  expect([0, 5].map(edge)).toEqual([0, 8]);
});

test.each([
  ['SMIL', svg(block(move('dur="3ms" repeatCount="indefinite"')))],
  [
    'CSS',
    svg(`<style>@keyframes k { to { translate: 16px } } rect { animation: k 3ms linear infinite }</style>${block('')}`),
  ],
])('%s animations of an image stand still while the browser takes a screenshot', async (_, text) => {
  const frames = await renderFrames(
    { 'index.html': page('<img src="a.svg">', { duration: 0.6 }), 'a.svg': text },
    { capture: 'screenshot' },
  );
  const edge = (frame: number) =>
    Array.from({ length: 24 }, (_, x) => x).find((x) => frames[frame]?.at(x, 4)[0] === 255);
  // Frame 3 is at 300 ms, when a repetition begins. In real time, several repetitions pass during a screenshot.
  expect([0, 3].map(edge)).toEqual([0, 0]);
});

test('an animated file begins with its clip, also in an embedded composition, as a data URL and with a fragment', async () => {
  const text = svg(`<view id="v" viewBox="-4 0 24 24"/>${block(move('dur="1s" fill="freeze"'))}`);
  const image = (src: string, attributes = '') =>
    `<img src="${src}" ${attributes} style="position:absolute;top:0;left:0;width:24px;height:24px">`;
  const at = (left: number, content: string) => `<div style="position:absolute;top:0;left:${left}px">${content}</div>`;
  const frames = await renderFrames({
    'index.html': page(
      image('a.svg#v') + at(24, image('a.svg', 'data-start="0.2"')) + at(40, mount('m.html', {}, 'data-start="0.4"')),
      { duration: 0.8 },
    ),
    'm.html': `<div data-composition-id="m">${image(`data:image/svg+xml,${encodeURIComponent(text)}`)}</div>`,
    'a.svg': text,
  });
  const red = (frame: number, x: number) => frames[frame]?.at(x, 4)[0] === 255;
  /** The left edge of the block in an image, from its left edge: 16 pixels in a second. */
  const edge = (frame: number, left: number) =>
    Array.from({ length: 16 }, (_, x) => x).find((x) => red(frame, left + x));
  expect([0, 5].map((frame) => edge(frame, 0))).toEqual([4, 12]);
  expect([1, 2, 7].map((frame) => edge(frame, 24))).toEqual([undefined, 0, 8]);
  expect([3, 4].map((frame) => edge(frame, 40))).toEqual([undefined, 0]);
});

test.each([
  ['SMIL', svg(block(move('dur="0.2s" repeatCount="2" fill="freeze"')))],
  [
    'CSS',
    svg(`<style>@keyframes k { to { translate: 9px } } rect { animation: k 0.2s 0.1s 1.5 both }</style>${block('')}`),
  ],
])('an image does not change after the end of its %s animations', async (_, text) => {
  // The number of the images that have been shown so far, in the last cell.
  const count = `<script>
    const seen = new Set();
    requestAnimationFrame(function look() {
      seen.add(document.querySelector('img').style.content);
      number(7, seen.size);
      requestAnimationFrame(look);
    });</script>`;
  const frames = await renderFrames({
    'index.html': page(`<img src="a.svg">${count}`, { duration: 1.5 }),
    'a.svg': text,
  });
  const counts = frames.map((frame) => readCell(frame, 7, 'number'));
  expect(new Set(counts.slice(0, 6)).size).toBeGreaterThan(3);
  expect(new Set(counts.slice(6)).size).toBe(1);
});

test('an animated file is shown in many places, which begin at different times', async () => {
  const place = (index: number) =>
    `<img src="a.svg" data-start="${index / 40}" style="position:absolute;top:0;left:${index}px;width:24px;clip-path:inset(0 23px 0 0)">`;
  const frames = await renderFrames({
    'index.html': page(Array.from({ length: 60 }, (_, index) => place(index)).join(''), { width: 60, duration: 2 }),
    'a.svg': svg(
      `<rect width="1" height="24" fill="#f00">${move('from="#000" to="#f00" dur="1s" fill="freeze"')
        .replace(/from="0" to="16"/, '')
        .replace('"x"', '"fill"')}</rect>`,
    ),
  });
  // Each place is one column of pixels, which becomes red during one second.
  const expected = (frame: number, index: number) => Math.min(255, Math.max(0, 255 * (frame / 10 - index / 40)));
  const wrong = [11, 15, 19].flatMap((frame) =>
    Array.from({ length: 60 }, (_, index) => index)
      .filter((index) => index / 40 <= frame / 10)
      .filter((index) => Math.abs((frames[frame]?.at(index, 4)[0] ?? -1) - expected(frame, index)) > 2)
      .map((index) => [frame, index]),
  );
  expect(wrong).toEqual([]);
});
