// `<base href>`: files of all kinds, in the page and in mounted files.
import { expect, test } from 'vitest';
import { composition } from '../../../support/project.ts';
import { mount, png, readCell, renderFrames } from '../../../support/renders/frames.ts';

const cell = (index: number, style: string) =>
  `<div style="position:fixed;top:0;width:8px;height:8px;left:${8 * index}px;${style}"></div>`;

test('applies to images, styles, scripts and requests, in the page and in mounted files', async () => {
  const body = `<img src="green.png" style="position:fixed;top:0;left:0;width:8px;height:8px">
${cell(1, 'background:url(green.png)')}${cell(2, '" class="sheet')}${cell(3, '" id="script')}${cell(4, '" id="fetched')}
${mount('../parts/card.html', {})}<script src="a.js"></script>`;
  const files = {
    'index.html': composition(body, {
      head: '<base href="assets/"><link rel="stylesheet" href="css/s.css">',
      duration: 0.1,
    }),
    'assets/css/s.css': '.sheet{background:url(../green.png)}',
    'assets/a.js': `script.style.background = '#00ff00'; fetch('color.txt').then((r) => r.text()).then((t) => { fetched.style.background = t; });`,
    'assets/color.txt': '#00ff00',
    'assets/green.png': png([0, 255, 0]),
    'green.png': png([255, 0, 0]),
    'parts/card.html': `<html><head><base href="media/"></head><body><div data-composition-id="card" data-width="64" data-height="48">${cell(5, 'background:url(own.png)')}</div></body></html>`,
    'parts/media/own.png': png([0, 255, 0]),
  };
  const [frame] = await renderFrames(files);
  const colors = Array.from({ length: 6 }, (_, index) => readCell(frame, index, 'color'));
  expect(colors).toEqual(Array.from({ length: 6 }, () => '#00ff00'));
});
