// Times and frames of the preview: the frame at a time, the format of times, the frame of a loop.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { frameAt, playedFrame, readTime, rulerStep, timeText } from '../../../preview/page/frames.ts';
import { frameTime } from '../../../renderer-core/model/frameGrid.ts';

const rate = { num: 30, den: 1 };

test('converts the time of a frame back to the frame, at every rate', () => {
  const rates = fc.constantFrom(rate, { num: 30000, den: 1001 }, { num: 25, den: 2 }, { num: 240, den: 1 });
  fc.assert(
    fc.property(rates, fc.nat(100_000), (one, frame) => {
      expect(frameAt(frameTime(frame, one), one, 100_001)).toBe(frame);
    }),
  );
});

test.each([
  [-1, 0],
  [0.96 / 30, 0],
  [0.033, 1],
  [1 / 30, 1],
  [99, 89],
])('finds for %f s of three frame %i', (seconds, frame) => expect(frameAt(seconds, rate, 90)).toBe(frame));

test.each([
  [0, '0:00.00'],
  [2.5, '0:02.50'],
  [59.999, '1:00.00'],
  [3725.04, '62:05.04'],
])('formats %f s as %s', (seconds, written) => expect(timeText(seconds)).toBe(written));

test.each([
  ['1:02.5', 62.5],
  ['62,5', 62.5],
  ['75f', 2.5],
  ['50 %', 4.5],
  ['1:00:01', 3601],
  ['2 s', 2],
  ['soon', undefined],
  ['-1', undefined],
])('parses "%s" as %s', (written, seconds) => expect(readTime(written, rate, 9)).toBe(seconds));

test('parses formatted times with a precision of hundredths', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 10_000, noNaN: true }), (seconds) => {
      expect(readTime(timeText(seconds), rate, 10_000)).toBeCloseTo(seconds, 1);
    }),
  );
});

test.each([
  ['within the range', 10, 5, true, { frame: 15, ended: false }],
  ['past the end, in a loop', 18, 5, true, { frame: 13, ended: false }],
  ['several times around', 10, 35, true, { frame: 15, ended: false }],
  ['past the end, without a loop', 18, 5, false, { frame: 19, ended: true }],
  ['from a frame before the range', 2, 3, true, { frame: 5, ended: false }],
])('plays %s', (_, from, elapsed, loop, expected) => {
  expect(playedFrame(from, elapsed, { inFrame: 10, outFrame: 20 }, loop)).toEqual(expected);
});

test('never leaves the range in a loop', () => {
  const frames = fc.tuple(fc.nat(500), fc.integer({ min: 1, max: 500 }), fc.nat(5000));
  fc.assert(
    fc.property(frames, ([inFrame, length, elapsed]) => {
      const { frame } = playedFrame(inFrame, elapsed, { inFrame, outFrame: inFrame + length }, true);
      expect(frame >= inFrame && frame < inFrame + length).toBe(true);
    }),
  );
});

test.each([
  [9, 1260, 0.5],
  [9, 280, 5],
  [3600, 1000, 300],
])('draws a ruler of %i s and %i pixels with a mark every %f s', (duration, width, step) => {
  expect(rulerStep(duration, width)).toBe(step);
});
