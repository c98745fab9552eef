// Which frames are compared with the browser's own screenshot, and when they agree.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  differsNarrowly,
  findDifference,
  planSamples,
  type ShownTime,
  snapshotSamples,
} from '../../../renderer-core/capture/samples.ts';

const fps = { num: 30, den: 1 };

test.each([
  ['a frame', 1, [[0, null]]],
  [
    'two frames',
    2,
    [
      [0, null],
      [1, null],
    ],
  ],
  [
    '10 frames',
    10,
    [
      [1, 0],
      [5, 4],
      [8, 7],
    ],
  ],
  [
    '10 seconds',
    300,
    [
      [75, 25],
      [175, 125],
      [275, 225],
    ],
  ],
])('takes samples a little after the middles of equal parts in %s, and spares in the same part', (_, frames, samples) => {
  expect(planSamples({ frames, fps }, []).map(({ frame, spare }) => [frame, spare])).toEqual(samples);
});

test.each([
  ['all samples of a short video', 240, [0], ['60/20', '140/100', '220/180']],
  ['the samples that it passes', 1800, [1000], ['339/150', '939/750']],
  ['the samples of the first ten seconds', 600, [0], ['139/50']],
  ['its own frame, if no sample is near', 108_000, [0], ['0/null']],
])('a snapshot compares %s', (_, total, frames, expected) => {
  const samples = snapshotSamples(planSamples({ frames: total, fps }, []), frames);
  expect(samples.map(({ frame, spare }) => `${frame}/${spare}`)).toEqual(expected);
});

const seconds = (frame: number) => frame / 30;

test('takes samples in the middle of slides that follow each other', () => {
  const slides = Array.from({ length: 240 }, (_, slide) => ({ start: 5 * slide, end: 5 * slide + 5 }));
  const samples = planSamples({ frames: 36_000, fps }, slides);
  expect(samples).toHaveLength(5);
  for (const { frame, spare } of samples)
    for (const one of [frame, spare ?? 0]) {
      expect(seconds(one) % 5).toBeGreaterThan(1.2);
      expect(seconds(one) % 5).toBeLessThan(3.8);
    }
});

test('takes the samples when short clips are shown', () => {
  const clips = [0.5, 4.4, 8.9].map((start) => ({ start, end: start + 0.6 }));
  const samples = planSamples({ frames: 300, fps }, [{ start: 0, end: null }, ...clips]);
  for (const [index, { frame }] of samples.entries()) {
    expect(Math.abs(seconds(frame) - (clips[index]?.start ?? 0) - 0.3)).toBeLessThan(0.15);
  }
});

const times = fc
  .array(fc.tuple(fc.double({ min: 0, max: 90, noNaN: true }), fc.option(fc.double({ min: 0, max: 20, noNaN: true }))))
  .map((clips) => clips.map(([start, length]): ShownTime => ({ start, end: length === null ? null : start + length })));

test('takes one sample in each equal part, the same for clips in any order', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5000 }), fc.constantFrom(10, 30, 60), times, (frames, rate, clips) => {
      const plan = { frames, fps: { num: rate, den: 1 } };
      const samples = planSamples(plan, clips);
      const count = samples.length;
      expect(count).toBe(Math.min(frames, Math.max(3, Math.min(5, Math.ceil(frames / 600)))));
      for (const [part, { frame, spare }] of samples.entries()) {
        for (const one of spare === null ? [frame] : [frame, spare]) {
          expect(Number.isInteger(one)).toBe(true);
          expect(one).toBeGreaterThanOrEqual((part * frames) / count);
          expect(one).toBeLessThan(((part + 1) * frames) / count);
        }
        expect(spare).not.toBe(frame);
      }
      expect(planSamples(plan, [...clips].reverse())).toEqual(samples);
    }),
  );
});

const area = { x: 120, y: 64, width: 16, height: 40 };
const nowhere = { x: 0, y: 0, width: 0, height: 0 };

const equal = { colors: 99, worstTile: { decibels: 99, area: nowhere }, differing: { pixels: 0, area: nowhere } };

test.each([
  ['nothing in equal frames', equal, null],
  [
    'nothing in frames at the limits',
    { colors: 40, worstTile: { decibels: 28, area }, differing: { pixels: 23, area } },
    null,
  ],
  ['many differing pixels', { ...equal, differing: { pixels: 24, area } }, 'at 120,64 (an area of 16x40 pixels)'],
  [
    'a tile of another color',
    { ...equal, worstTile: { decibels: 27.9, area } },
    'in color at 120,64 (an area of 16x40 pixels)',
  ],
  ['other colors everywhere', { ...equal, colors: 38.24 }, 'in its colors (38.2 dB)'],
])('finds %s', (_, comparison, expected) => expect(findDifference(comparison)).toBe(expected));

test.each([
  ['a plane that is seen from its side', 42, [24, 320], true],
  ['a line', 40, [320, 8], true],
  ['the edges of a large box', 25, [552, 552], false],
  ['nothing', 0, [0, 0], false],
])('tells whether %s differs narrowly', (_, pixels, [width = 0, height = 0], expected) => {
  const area = { x: 0, y: 0, width, height };
  expect(differsNarrowly({ colors: 99, worstTile: { decibels: 99, area }, differing: { pixels, area } })).toBe(
    expected,
  );
});
