// The table of features, and the list that switches them off.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { features, featuresOption, readFeatures } from '../../../../renderer-core/page/features/features.ts';

const names = [
  'analyser',
  'animatedImages',
  'anime',
  'backdrop',
  'backgroundVideo',
  'banding',
  'canvas',
  'captions',
  'colorGrading',
  'depth',
  'dotLottie',
  'gsap',
  'hdrVideo',
  'images',
  'lottie',
  'pinnedFonts',
  'proven',
  'repeats',
  'skippedFrames',
  'topLayer',
  'video',
  'webgl',
];
const root = fileURLToPath(new URL('../../../../', import.meta.url));

test.each([
  [undefined, []],
  ['', []],
  ['-banding', ['banding']],
  [' -banding, -depth ,', ['banding', 'depth']],
  // Features that do nothing without it are off, too.
  ['-video', ['backgroundVideo', 'hdrVideo', 'video']],
])('reads %j', (list, off) => {
  expect(readFeatures(list)).toEqual(off);
});

test.each([
  'banding',
  '-bands',
  '+banding',
  '-',
  '-all',
  '-banding -depth',
])('rejects %j and lists the names', (list) => {
  expect(() => readFeatures(list)).toThrow(
    expect.objectContaining({
      code: 'usage',
      message: `Unknown feature "${list}" in FRAMEWORK_FEATURES`,
      hint: `Use a comma-separated list of ${names.map((name) => `-${name}`).join(', ')}.`,
    }),
  );
});

test('reads the option from the environment, only if it is set', () => {
  expect(featuresOption({ FRAMEWORK_FEATURES: '-depth' })).toEqual({ features: '-depth' });
  expect(featuresOption({ OTHER: '1' })).toEqual({});
});

test('lists all features', () => {
  expect(features.map(({ name }) => name)).toEqual(names);
});

test('docs/capture.md lists every feature', () => {
  const text = readFileSync(`${root}docs/capture.md`, 'utf8');
  expect([...text.matchAll(/^\| `([A-Za-z]+)` /gm)].map((match) => match[1])).toEqual(names);
});
