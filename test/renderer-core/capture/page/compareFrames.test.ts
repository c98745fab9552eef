// Comparing a painted frame with a screenshot: differences between two correct rasterizers are accepted, errors are found.
// Frame `n` of a composition shows scene `n`. A second composition has the same scenes with errors.
import fc from 'fast-check';
import { PNG } from 'pngjs';
import { beforeAll, describe, expect, test } from 'vitest';
import { halve } from '../../../../renderer-core/capture/page/screenshotPixels.ts';
import { findDifference } from '../../../../renderer-core/capture/samples.ts';
import { screenshot } from '../../../../renderer-core/capture/screenshotSource.ts';
import type { RenderRequest } from '../../../../renderer-core/render/types.ts';
import { project } from '../../../support/project.ts';
import { captureFrames } from '../../../support/renders/captureFrames.ts';
import { imageComparison, type RgbaImage } from '../../../support/renders/compareImages.ts';
import { pageOf, withProbed } from '../../../support/renders/openPage.ts';
import { surroundings } from '../../../support/renders/surroundings.ts';
import { launchShared, useSharedBrowser } from '../../../support/renders/warmRender.ts';
import { correctScenes, sceneHeight, scenesPage, sceneWidth, wrongScenes } from './scenes.ts';

useSharedBrowser();
let compare: Awaited<ReturnType<typeof imageComparison>>;
beforeAll(async () => {
  compare = await imageComparison();
});

/** Screenshots of double size of the first `count` frames, reduced as before a comparison. */
async function reducedScreenshots(projectDir: string, composition: string, count: number): Promise<RgbaImage[]> {
  const size = { width: sceneWidth, height: sceneHeight };
  const request: RenderRequest = { projectDir, composition, format: 'png', fps: '10', capture: 'screenshot' };
  return launchShared({ ...surroundings, root: projectDir }, (place) =>
    withProbed(request, place, async (probed) => {
      const page = await pageOf(probed, 'sample');
      const images: RgbaImage[] = [];
      for (let frame = 0; frame < count; frame++) {
        const image = { ...size, data: new Uint8Array(4 * sceneWidth * sceneHeight) };
        halve(PNG.sync.read(await screenshot(page, frame, size, 'png', 2)).data, size, image.data, sceneWidth);
        images.push(image);
      }
      await page.close();
      return images;
    }),
  );
}

const differenceOf = (a: RgbaImage, b: RgbaImage): string | null => findDifference(compare(a, b));

describe('of scenes:', () => {
  const scenes = [...correctScenes, ...wrongScenes];
  let painted: RgbaImage[];
  let shown: RgbaImage[];
  let wrong: RgbaImage[];
  let wrongReduced: RgbaImage[];

  test('captures all scenes', async () => {
    const projectDir = project({
      'index.html': scenesPage(scenes.map(({ body }) => body)),
      'wrong.html': scenesPage(wrongScenes.map(({ wrong: body }) => body)),
    });
    const capture = async (composition: string, path: 'paint' | 'screenshot'): Promise<RgbaImage[]> =>
      (await captureFrames({ projectDir, composition, fps: '10', capture: path }, launchShared)).images;
    painted = await capture('index.html', 'paint');
    shown = await capture('index.html', 'screenshot');
    wrong = await capture('wrong.html', 'screenshot');
    wrongReduced = await reducedScreenshots(projectDir, 'wrong.html', wrongScenes.length);
    expect([painted.length, shown.length, wrong.length]).toEqual([scenes.length, scenes.length, wrongScenes.length]);
  });

  test.each(scenes.map(({ name }, at) => ({ name, at })))('accepts $name', ({ at }) => {
    expect(differenceOf(painted[at] as RgbaImage, shown[at] as RgbaImage)).toBeNull();
  });

  test.each(wrongScenes.map(({ name }, at) => ({ name, at })))('finds the error in $name', ({ at }) => {
    const own = painted[correctScenes.length + at] as RgbaImage;
    expect(differenceOf(own, wrong[at] as RgbaImage)).toEqual(expect.any(String));
    expect(differenceOf(own, wrongReduced[at] as RgbaImage)).toEqual(expect.any(String));
  });
});

/** An image of `width` by `height` pixels of one color, with boxes of others. */
function image(color: number, ...boxes: { x: number; y: number; side: number; color: number }[]): RgbaImage {
  const data = new Uint8Array(4 * sceneWidth * sceneHeight).fill(color);
  for (const box of boxes) {
    for (let y = box.y; y < box.y + box.side; y++) {
      const start = 4 * (y * sceneWidth + box.x);
      data.fill(box.color, start, start + 4 * box.side);
    }
  }
  return { width: sceneWidth, height: sceneHeight, data };
}

test('reports where a dot is missing', () => {
  const dot = image(200, { x: 100, y: 50, side: 12, color: 60 });
  expect(differenceOf(dot, image(200))).toBe('at 96,48 (an area of 16x16 pixels)');
});

test.each([
  [3, null],
  [12, 'at 40,40 (an area of 104x104 pixels)'],
])('finds a color that is wrong by %d levels in 100x100 pixels: %s', (levels, expected) => {
  const box = (color: number) => image(120, { x: 44, y: 44, side: 100, color });
  expect(differenceOf(box(160), box(160 + levels))).toBe(expected);
});

test('finds a color that is wrong by 4 levels everywhere', () => {
  expect(differenceOf(image(100), image(104))).toBe('in its colors (36.1 dB)');
});

const images = fc
  .record({ width: fc.integer({ min: 1, max: 40 }), height: fc.integer({ min: 1, max: 40 }) })
  .chain(({ width, height }) => {
    const data = fc.uint8Array({ minLength: 4 * width * height, maxLength: 4 * width * height });
    return fc.tuple(data, data).map((pair) => pair.map((one) => ({ width, height, data: one })));
  });

test('finds equal images equal, and the same differences in either direction', () => {
  fc.assert(
    fc.property(images, ([a, b]) => {
      const [one, other] = [a as RgbaImage, b as RgbaImage];
      expect(differenceOf(one, one)).toBeNull();
      expect(compare(one, other)).toEqual(compare(other, one));
    }),
  );
});
