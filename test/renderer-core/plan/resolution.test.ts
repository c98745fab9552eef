// How large videos are made of compositions of all sizes and shapes, and where the page is in them.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  aspectRatioName,
  checkSizeOptions,
  commonAspectRatios,
  fits,
  resolutions,
  type SizeOptions,
  videoSize,
  withoutSize,
} from '../../../renderer-core/plan/resolution.ts';

type Case = [options: SizeOptions, own: string, size: string, zoom: number];

const sizeOf = (text: string) => {
  const [width = 0, height = 0] = text.split('x').map(Number);
  return { width, height };
};

test.each<Case>([
  [{}, '641x360', '641x360', 1],
  [{ resolution: '1080p' }, '1920x1080', '1920x1080', 1],
  [{ resolution: '1080p' }, '640x360', '1920x1080', 3],
  [{ resolution: '1080p' }, '3840x2160', '1920x1080', 0.5],
  [{ resolution: '1080p' }, '1366x768', '1920x1080', 1.40625],
  [{ resolution: '1080p' }, '1080x1350', '1080x1350', 1],
  [{ resolution: '1080p' }, '2560x1080', '2560x1080', 1],
  [{ resolution: '4k' }, '1920x1080', '3840x2160', 2],
  [{ resolution: '4k' }, '1080x1920', '2160x3840', 2],
  [{ resolution: '4k' }, '1080x1080', '2160x2160', 2],
  [{ resolution: '4k' }, '640x480', '2880x2160', 4.5],
  [{ resolution: '4k' }, '7680x4320', '3840x2160', 0.5],
  [{ width: 1280 }, '1920x1080', '1280x720', 2 / 3],
  [{ height: 540 }, '1920x1080', '960x540', 0.5],
  [{ width: 3840, height: 2160 }, '1920x1080', '3840x2160', 2],
  [{ width: 641 }, '641x361', '641x361', 1],
  [{ width: 1280, height: 720 }, '1366x768', '1280x720', 0.9375],
  [{ width: 1280, height: 720, fit: 'cover' }, '1366x768', '1280x720', 0.9375],
  [{ width: 1280 }, '1366x768', '1280x718', 1280 / 1366],
  [{ aspectRatio: '16:9', width: 1280 }, '1920x1080', '1280x720', 2 / 3],
  [{ aspectRatio: '16:9', background: 'red' }, '1366x768', '1366x768', 1],
])('%j of %s is %s', (options, own, size, zoom) =>
  expect(videoSize(sizeOf(own), options)).toEqual({
    ...sizeOf(size),
    page: { ...sizeOf(own), zoom: expect.closeTo(zoom, 9) },
  }));

const black = { background: null };

describe('another aspect ratio', () => {
  test.each<[...Case, placement: object]>([
    [{ aspectRatio: '9:16' }, '1920x1080', '1080x1920', 0.5625, { x: 0, y: 656, stretch: 1, ...black }],
    [{ aspectRatio: '1:1' }, '1920x1080', '1080x1080', 0.5625, { x: 0, y: 236, stretch: 1, ...black }],
    [{ aspectRatio: '16:9' }, '1080x1920', '1920x1080', 0.5625, { x: 656, y: 0, stretch: 1, ...black }],
    [{ aspectRatio: '1:1', fit: 'cover' }, '1920x1080', '1080x1080', 1, { x: -420, y: 0, stretch: 1, ...black }],
    [
      { aspectRatio: '1:1', fit: 'stretch' },
      '1920x1080',
      '1080x1080',
      0.5625,
      { x: 0, y: 0, stretch: 16 / 9, ...black },
    ],
    [
      { aspectRatio: '9:16', resolution: '4k' },
      '1920x1080',
      '2160x3840',
      1.125,
      { x: 0, y: 1313, stretch: 1, ...black },
    ],
    [
      { aspectRatio: '2.39:1', resolution: '1080p' },
      '1920x1080',
      '2580x1080',
      1,
      { x: 330, y: 0, stretch: 1, ...black },
    ],
    [{ aspectRatio: '1:1', width: 500 }, '1920x1080', '500x500', 500 / 1920, { x: 0, y: 109, stretch: 1, ...black }],
    [{ width: 65, height: 65, fit: 'contain' }, '64x32', '65x65', 65 / 64, { x: 0, y: 16, stretch: 1, ...black }],
    [
      { aspectRatio: '4:5', background: 'Tomato' },
      '64x64',
      '64x80',
      1,
      { x: 0, y: 8, stretch: 1, background: '#ff6347' },
    ],
  ])('%j of %s is %s', (options, own, size, zoom, placement) =>
    expect(videoSize(sizeOf(own), options)).toEqual({
      ...sizeOf(size),
      page: {
        ...sizeOf(own),
        zoom: expect.closeTo(zoom, 9),
        placement: {
          ...placement,
          ...('stretch' in placement ? { stretch: expect.closeTo(Number(placement.stretch), 9) } : {}),
        },
      },
    }));

  test('shows the whole page with contain, only the page with cover, and exactly the page with stretch', () => {
    const side = fc.integer({ min: 100, max: 4000 });
    const options = fc.record({
      aspectRatio: fc.constantFrom(...commonAspectRatios),
      fit: fc.constantFrom(...fits),
      resolution: fc.constantFrom(...resolutions),
    });
    fc.assert(
      fc.property(side, side, options, (width, height, asked) => {
        const video = videoSize({ width, height }, asked);
        expect([video.width % 2, video.height % 2, Math.min(video.width, video.height)]).toEqual([
          0,
          0,
          asked.resolution === '4k' ? 2160 : 1080,
        ]);
        const { zoom, placement } = video.page;
        if (!placement) return;
        expect(aspectRatioName(video)).toBe(asked.aspectRatio);
        const spaces = [video.width - width * zoom, video.height - height * zoom * placement.stretch];
        for (const [index, space] of spaces.entries()) {
          expect(Math.abs((index === 0 ? placement.x : placement.y) - space / 2)).toBeLessThanOrEqual(0.5);
          if (asked.fit !== 'cover') expect(space).toBeGreaterThan(-1e-6);
          if (asked.fit !== 'contain') expect(space).toBeLessThan(1e-6);
        }
      }),
    );
  });
});

describe('declared sizes', () => {
  const declared = ['1080x1920', '1080x1080', '1280x720'].map(sizeOf);

  test.each<[SizeOptions, size: string, layout: string, zoom: number]>([
    [{}, '1920x1080', '1920x1080', 1],
    [{ aspectRatio: '16:9' }, '1920x1080', '1920x1080', 1],
    [{ aspectRatio: '9:16' }, '1080x1920', '1080x1920', 1],
    [{ aspectRatio: '1:1', fit: 'cover' }, '1080x1080', '1080x1080', 1],
    [{ aspectRatio: '9:16', resolution: '4k' }, '2160x3840', '1080x1920', 2],
    [{ resolution: '4k' }, '3840x2160', '1920x1080', 2],
    [{ width: 540, height: 960 }, '540x960', '1080x1920', 0.5],
    [{ aspectRatio: '1:1', height: 540 }, '540x540', '1080x1080', 0.5],
    // The layout with exactly these pixels is drawn without a change of scale.
    [{ width: 1280 }, '1280x720', '1280x720', 1],
  ])('%j gives %s, laid out in %s', (options, size, layout, zoom) =>
    expect(videoSize(sizeOf('1920x1080'), options, declared)).toEqual({
      ...sizeOf(size),
      page: { ...sizeOf(layout), zoom },
    }));

  test('leaves other aspect ratios as they are without them', () => {
    for (const options of [{ aspectRatio: '4:5' }, { width: 500, height: 900, fit: 'cover' }] as const) {
      const without = videoSize(sizeOf('1920x1080'), options);
      expect(without.page.placement).toBeDefined();
      expect(videoSize(sizeOf('1920x1080'), options, declared)).toEqual(without);
    }
  });
});

test('leaves out all options of the size', () => {
  const size: Required<SizeOptions> = {
    resolution: '4k',
    width: 100,
    height: 100,
    aspectRatio: '1:1',
    fit: 'cover',
    background: '#fff',
  };
  expect(withoutSize({ ...size, fps: '30' })).toEqual({ fps: '30' });
});

test('computes an even video size that shows all of the page except a pixel', () => {
  const side = fc.integer({ min: 16, max: 8000 });
  fc.assert(
    fc.property(side, side, fc.constantFrom(...resolutions), (own, other, resolution) => {
      const { width, height, page } = videoSize({ width: own, height: other }, { resolution });
      expect(Math.min(width, height)).toBe(resolution === '4k' ? 2160 : 1080);
      if (page.zoom === 1) return;
      expect([width % 2, height % 2]).toEqual([0, 0]);
      expect(own * page.zoom - width).toBeLessThan(2.001);
      expect(other * page.zoom - height).toBeLessThan(2.001);
    }),
  );
});

test.each<[SizeOptions, string]>([
  [{ width: 1080, height: 1080 }, '1080x1080 has another aspect ratio than the composition (1920x1080)'],
  [{ resolution: '4k', width: 1080 }, 'The resolution 4k cannot be combined with a width or height'],
  [{ aspectRatio: '1:1', width: 1080, height: 1920 }, '1080x1920 does not have the aspect ratio 1:1'],
  [{ aspectRatio: '16/9' }, 'The aspect ratio must be <width>:<height>, from 1:20 to 20:1 (got "16/9")'],
  [{ aspectRatio: '1:0' }, 'The aspect ratio must be <width>:<height>, from 1:20 to 20:1 (got "1:0")'],
  [{ aspectRatio: '21:1' }, 'The aspect ratio must be <width>:<height>, from 1:20 to 20:1 (got "21:1")'],
  [{ fit: 'fill' as 'cover' }, 'unknown fit "fill"'],
  [{ resolution: '8k' as '4k' }, 'unknown resolution "8k"'],
  [{ background: 'rgb(1 2)' }, 'The background must be a color (got "rgb(1 2)")'],
  [{ width: 0 }, 'The width must be a whole number of pixels from 1 (got 0)'],
  [{ height: 1.5 }, 'The height must be a whole number of pixels from 1 (got 1.5)'],
])('rejects %j', (options, message) =>
  expect(() => {
    checkSizeOptions(options);
    videoSize({ width: 1920, height: 1080 }, options);
  }).toThrow(message));
