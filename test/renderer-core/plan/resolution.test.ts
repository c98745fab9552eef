// How large videos are made of compositions of all sizes and shapes.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  checkAspectRatio,
  type Resolution,
  resolutions,
  scaledSize,
  videoSize,
} from '../../../renderer-core/plan/resolution.ts';

test.each<[Resolution | undefined, number, number, number, number, number]>([
  [undefined, 641, 360, 641, 360, 1],
  ['1080p', 1920, 1080, 1920, 1080, 1],
  ['1080p', 1080, 1920, 1080, 1920, 1],
  ['1080p', 640, 361, 640, 361, 1],
  ['1080p', 3840, 2160, 1920, 1080, 0.5],
  ['1080p', 1920, 1920, 1080, 1080, 0.5625],
  ['4k', 1920, 1080, 3840, 2160, 2],
  ['4k', 1080, 1920, 2160, 3840, 2],
  ['4k', 1080, 1080, 2160, 2160, 2],
  ['4k', 640, 480, 2880, 2160, 4.5],
  ['4k', 7680, 4320, 3840, 2160, 0.5],
])('%s of %dx%d is %dx%d', (resolution, width, height, outWidth, outHeight, zoom) =>
  expect(videoSize({ width, height }, resolution)).toEqual({
    width: outWidth,
    height: outHeight,
    page: { width, height, zoom },
  }));

test('computes an even video size within the resolution that shows all of the page except a pixel', () => {
  const side = fc.integer({ min: 16, max: 8000 });
  fc.assert(
    fc.property(side, side, fc.constantFrom(...resolutions), (own, other, resolution) => {
      const { width, height, page } = videoSize({ width: own, height: other }, resolution);
      const [long, short] = resolution === '4k' ? [3840, 2160] : [1920, 1080];
      expect(Math.max(width, height)).toBeLessThanOrEqual(long);
      expect(Math.min(width, height)).toBeLessThanOrEqual(short);
      if (page.zoom === 1) return;
      expect([width % 2, height % 2]).toEqual([0, 0]);
      expect(own * page.zoom - width).toBeLessThan(2.001);
      expect(other * page.zoom - height).toBeLessThan(2.001);
    }),
  );
});

describe('a width or height', () => {
  test.each<[number, number, number | undefined, number | undefined, number, number, number]>([
    [1920, 1080, 1280, undefined, 1280, 720, 2 / 3],
    [1920, 1080, undefined, 540, 960, 540, 0.5],
    [1920, 1080, 3840, 2160, 3840, 2160, 2],
    [641, 361, 641, undefined, 641, 361, 1],
    [1366, 768, 1280, 720, 1280, 720, 0.9375],
    [1366, 768, 1280, undefined, 1280, 718, 1280 / 1366],
  ])('%dx%d as %sx%s is %dx%d', (own, other, width, height, outWidth, outHeight, zoom) => {
    const asked = { ...(width === undefined ? {} : { width }), ...(height === undefined ? {} : { height }) };
    const size = scaledSize({ width: own, height: other }, asked);
    expect(size).toEqual({
      width: outWidth,
      height: outHeight,
      page: { width: own, height: other, zoom: expect.closeTo(zoom, 9) },
    });
  });

  test('rejects another aspect ratio with both sizes', () =>
    expect(() => scaledSize({ width: 1920, height: 1080 }, { width: 1080, height: 1080 })).toThrow(
      '1080x1080 has another aspect ratio than the composition (1920x1080)',
    ));
});

describe('the aspect ratio', () => {
  test.each([
    ['16:9', 1920, 1080],
    ['16:9', 1366, 768],
    ['9:16', 1080, 1920],
    ['1:1', 64, 64],
  ])('accepts %s for %dx%d', (asked, width, height) =>
    expect(() => checkAspectRatio({ width, height }, asked, 'index.html')).not.toThrow());

  test.each([
    ['16:9', 1080, 1920],
    ['1:1', 64, 48],
    ['9:16', 1080, 1080],
  ])('rejects %s for %dx%d', (asked, width, height) =>
    expect(() => checkAspectRatio({ width, height }, asked, 'index.html')).toThrow(
      `The composition is ${width}x${height}, which is not ${asked}`,
    ));
});
