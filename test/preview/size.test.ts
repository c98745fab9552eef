// The preview of a video with another aspect ratio than its composition.
import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import type { SizeOptions } from '../../renderer-core/plan/resolution.ts';
import { openPreview } from '../support/editor/previewPage.ts';
import { composition, project } from '../support/project.ts';
import { sharedBrowser } from '../support/renders/warmRender.ts';

const launched = sharedBrowser();

/** Red in the left quarter, blue in the middle, green in the right quarter; the page has a dark background. */
const html = composition(
  `<div style="position:absolute;inset:0;background:linear-gradient(90deg,#f00 16px,#00f 16px,#00f 48px,#0f0 48px)"></div>`,
  { width: 64, height: 32, head: '<style>html{background:#123456 !important}body{background:none !important}</style>' },
);

const cases: [SizeOptions, string, [number, number, string][]][] = [
  [
    { aspectRatio: '1:1' },
    '64x64',
    [
      [2, 15, '#123456'],
      [2, 16, '#ff0000'],
      [62, 47, '#00ff00'],
      [62, 48, '#123456'],
    ],
  ],
  [
    { aspectRatio: '1:1', fit: 'contain', background: 'tomato' },
    '64x64',
    [
      [2, 15, '#ff6347'],
      [2, 16, '#ff0000'],
    ],
  ],
  [
    { aspectRatio: '1:1', fit: 'cover', resolution: '4k' },
    '32x32',
    [
      [1, 1, '#0000ff'],
      [30, 30, '#0000ff'],
    ],
  ],
  [
    { width: 128, height: 128, fit: 'stretch' },
    '64x64',
    [
      [2, 2, '#ff0000'],
      [62, 62, '#00ff00'],
    ],
  ],
];

test('shows bars, crops and distortion, and follows changes of the size', async () => {
  const { page, preview, atRest } = await openPreview(launched(), project(html), { width: 800, height: 800 });
  await atRest();
  await page.keyboard.press('1');
  await page.addStyleTag({ content: '.outlines, .note, .problems, .guides { visibility: hidden }' });
  for (const [size, expected, points] of cases) {
    preview.setOptions(size);
    await page.waitForFunction(
      (wanted) => {
        const { width = 0, height = 0 } = document.querySelector('.bars:not([hidden])')?.getBoundingClientRect() ?? {};
        return `${width}x${height}` === wanted && document.querySelectorAll('iframe').length === 1;
      },
      { timeout: 20_000 },
      expected,
    );
    // Two of them have boxes of the same size, so the box does not show that the new page is drawn.
    const colors = async () => {
      const { x, y, width, height } = (await (await page.$('.bars'))?.boundingBox()) ?? {
        x: 0,
        y: 0,
        width: 1,
        height: 1,
      };
      const shot = PNG.sync.read(Buffer.from(await page.screenshot({ clip: { x, y, width, height } })));
      const color = (at: number, down: number) =>
        `#${shot.data
          .subarray((down * shot.width + at) * 4)
          .subarray(0, 3)
          .toString('hex')}`;
      return points.map(([at, down]) => [at, down, color(at, down)]);
    };
    await expect.poll(colors, { timeout: 20_000 }).toEqual(points);
  }
});
