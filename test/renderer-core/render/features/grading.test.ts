// Color grading in frames: its effect on known colors, the scope of its variables, and what it does not change.
import { describe, expect, test } from 'vitest';
import { composition, project } from '../../../support/project.ts';
import {
  captureProject,
  cases,
  checkCells,
  integer,
  mount,
  page,
  png,
  readCell,
  register,
  string,
  withGsap,
} from '../../../support/renders/frames.ts';
import { warmRenderer } from '../../../support/renders/warmRender.ts';
import { core } from '../../../support/suites.ts';

const renderVideo = warmRenderer();

type Rgb = [number, number, number];
const dark: Rgb = [60, 60, 60];
/** The color with one stop more exposure. */
const lifted = '#555555';
const liftedAndInverted = '#aaaaaa';
const grey: Rgb = [128, 128, 128];
const skin: Rgb = [200, 140, 110];
const pureRed: Rgb = [255, 0, 0];

const dataUrl = (color: Rgb) => `data:image/png;base64,${Buffer.from(png(color)).toString('base64')}`;

/** An image of one color with a grading, at the position of the i-th cell. */
const image = (index: number, color: Rgb, grading: unknown, style = '', attributes = '') =>
  `<img src="${dataUrl(color)}" ${attributes} data-color-grading='${typeof grading === 'string' ? grading : JSON.stringify(grading)}' style="position:absolute;top:0;left:${8 * index}px;width:8px;height:8px;${style}">`;

/** Images next to each other. */
const images = (...list: [Rgb, unknown][]) =>
  list.map(([color, grading], index) => image(index, color, grading)).join('');

/** A script that shows the number of warnings of the runtime in the i-th cell. */
const showWarnings = (index: number) =>
  `<script>requestAnimationFrame(function look() { number(${index}, window[Symbol.for('framework.player')].warnings().length); requestAnimationFrame(look) })</script>`;

const row = images(
  [dark, { adjust: { exposure: 1 } }],
  [pureRed, { adjust: { saturation: -1 } }],
  [grey, { adjust: { temperature: 1 } }],
  [grey, { adjust: { temperature: -1 } }],
  [skin, { preset: 'cinematic' }],
  [skin, { preset: 'noir' }],
  [skin, { preset: 'cinematic', intensity: 0 }],
  [skin, {}],
);
const expectedRow = {
  0: [lifted, '#363636', '#927c6a', '#6f8298', '#d28d6e', '#9f9f9f', '#c88c6e', '#c88c6e'],
};

describe('pixels', () => {
  cases([
    ['adjustments and presets', page(row), expectedRow],
    [
      'saturation in linear light: greys do not change, and colors get the grey of the same luminance',
      page(
        images(
          [[5, 5, 5], { adjust: { saturation: -1 }, colorSpace: 'linear' }],
          [pureRed, { adjust: { saturation: -1 }, colorSpace: 'linear' }],
          [dark, { adjust: { exposure: 1, vibrance: 0.5 }, colorSpace: 'linear' }],
        ),
      ),
      { 0: ['#050505', '#7f7f7f', lifted] },
    ],
    [
      'vibrance, which changes dull colors more than bright ones, and greys not at all',
      page(
        images(
          [[150, 128, 110], { adjust: { vibrance: 1 } }],
          [pureRed, { adjust: { vibrance: 1 } }],
          [grey, { adjust: { vibrance: 1 } }],
          [[150, 128, 110], { adjust: { saturation: 1 } }],
        ),
      ),
      { 0: ['#a77c5c', '#ff0400', '#808080', '#a97d59'] },
    ],
    [
      'half-transparent pixels with the same alpha',
      page(
        images([grey, { adjust: { exposure: 1, vibrance: 0.5 } }]).replace(
          /data:[^"]*/,
          "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='8' height='8'><rect width='8' height='8' fill='gray' fill-opacity='.5'/></svg>",
        ),
      ),
      { 0: ['#585858'] },
    ],
    [
      'a canvas that replaces a video, with its attributes',
      page(
        `<canvas width="8" height="8" data-framework-graded="b" data-color-grading='{"adjust":{"exposure":1}}' style="position:absolute;left:0;top:0"></canvas>
        <script>const pen = document.querySelector('canvas').getContext('2d'); pen.fillStyle = '#3c3c3c'; pen.fillRect(0, 0, 8, 8)</script>`,
      ),
      { 0: [lifted] },
    ],
  ]);
});

describe('references', () => {
  const card = {
    'card.html': `<html data-composition-variables='${JSON.stringify([string('look', 'neutral'), integer('ev', 0)])}'><div data-composition-id="card">
      ${image(1, dark, { preset: '$look', adjust: { exposure: `\${ev}` } }, 'left:auto')}</div></html>`,
  };
  cases([
    [
      'references to the variables of the top level',
      page(images([dark, { adjust: { exposure: '$ev' } }], [pureRed, { preset: '$look' }]), {
        variables: [integer('ev', 0), string('look', 'neutral')],
      }),
      { 0: [lifted, '#363636'] },
      { variables: { ev: 1, look: 'noir' } },
    ],
    [
      'references to the variables of their mount',
      {
        'index.html': page(
          image(0, dark, { adjust: { exposure: '$ev' } }) +
            mount('card.html', { ev: 1 }, 'style="position:absolute;left:8px"') +
            mount('card.html', { ev: 0, look: 'noir' }, 'style="position:absolute;left:16px"'),
          { variables: [integer('ev', -1)] },
        ),
        ...card,
      },
      { 0: ['#292929', lifted, '#252525'] },
    ],
    [
      'unknown references as neutral values, with one warning for each in each element',
      page(
        images(
          [dark, { preset: '$gone', adjust: { exposure: 1, contrast: '$lost' } }],
          [dark, { preset: '$gone' }],
          [dark, { preset: 'neutral' }],
        ) + showWarnings(3),
      ),
      { 0: [lifted, '#3c3c3c', '#3c3c3c', 3] },
    ],
  ]);
});

describe('a CSS filter on a graded element', () => {
  const exposed = (style: string, attributes = '') => image(0, dark, { adjust: { exposure: 1 } }, style, attributes);
  cases([
    ['applied after the grading', page(exposed('filter:invert(1)')), { 0: [liftedAndInverted] }],
    [
      'with !important and from a style sheet',
      page(`<style>img { filter: invert(1) !important }</style>${exposed('')}`),
      { 0: [liftedAndInverted] },
    ],
    [
      'animated by CSS, also without a keyframe at the start',
      page(
        `<style>@keyframes flip { to { filter: invert(1) } } img { filter: invert(0) }</style>${exposed('animation:flip 0.2s linear')}`,
        {
          duration: 0.3,
        },
      ),
      { 0: [lifted], 1: ['#808080'], 2: [lifted] },
    ],
    [
      'animated by GSAP from its current value',
      withGsap(
        page(
          `<script src="gsap.js"></script>${exposed('', 'id="v"')}<script>${register()} tl.to('#v', { filter: 'invert(1)', duration: 0.2, ease: 'none' })</script>`,
          { duration: 0.3 },
        ),
      ),
      { 0: [lifted], 1: ['#808080'], 2: [liftedAndInverted] },
    ],
    [
      'that changes at once despite a transition, and keeps the grading',
      page(
        `<style>img { transition: filter 1s }</style>${exposed('', 'id="v"')}<script>setTimeout(() => { v.style.filter = 'invert(1)' }, 100)</script>`,
        { duration: 0.3 },
      ),
      { 0: [lifted], 1: [liftedAndInverted], 2: [liftedAndInverted] },
    ],
    [
      'set by a script, like the grading',
      page(
        `${exposed('', 'id="v"')}<script>setTimeout(() => { v.style.filter = 'invert(1)' }, 100); setTimeout(() => v.dataset.colorGrading = '{}', 200)</script>`,
        { duration: 0.3 },
      ),
      { 0: [lifted], 1: [liftedAndInverted], 2: ['#c3c3c3'] },
    ],
  ]);
});

test('does not change anything else in the page', core, () =>
  checkCells(
    page(
      `${image(0, grey, { preset: 'warm' }, 'position:static;display:block')}<style>svg{position:static;width:900px;height:900px;display:block}</style>
      <script>requestAnimationFrame(() => requestAnimationFrame(() => {
        const html = document.documentElement;
        number(1, document.querySelectorAll('body > svg, #root > svg').length);
        number(2, html.scrollWidth); number(3, html.scrollHeight);
        number(4, document.querySelector('img').style.filter.length)
      }))</script>`,
      { duration: 0.3 },
    ),
    { 2: [null, 0, 64, 48, 0] },
  ),
);

test.each([
  ['screenshot', 'screenshot'],
  ['auto', 'paint'],
] as const)('shows the same colors in a frame by %s', async (capture, path) => {
  const captured = await captureProject(page(row), { capture });
  expect(captured.capture.path).toBe(path);
  expect(expectedRow[0].map((_, index) => readCell(captured.frames[0], index, 'color'))).toEqual(expectedRow[0]);
});

test.each([
  ['broken JSON', '{"preset": noir}', /Expected a value for "preset"/],
  ['a JSON value that is not an object', '"noir"', /must be a JSON object/],
])('%s ends the render at its line, before a browser starts', core, async (_, grading, message) => {
  const projectDir = project(composition(`\n\n${image(0, grey, grading)}`));
  await expect(renderVideo({ projectDir, browserPath: '/nowhere' })).rejects.toMatchObject({
    code: 'composition_invalid',
    message: expect.stringMatching(message),
    place: { file: 'index.html', line: 6 },
  });
});
