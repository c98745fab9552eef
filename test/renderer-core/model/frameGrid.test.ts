// Borders of clips on the grid of frames, for times as scripts, editors and people write them.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseComposition } from '../../../renderer-core/model/composition.ts';
import {
  borderOnFrame,
  borderTolerance,
  type FrameRate,
  frameAtTime,
  framesBefore,
  frameTime,
} from '../../../renderer-core/model/frameGrid.ts';
import { containsTime, resolveTimeline } from '../../../renderer-core/model/timing.ts';
import { parseFrameRate } from '../../../renderer-core/plan/frameRate.ts';

const rates = ['24', '25', '29.97', '30', '50', '59.94', '60', '240'];
const mostFrames = 10_000;

const toMilliseconds = (seconds: number) => Number(seconds.toFixed(3));

/** The clip is visible in frame `index`: the rule of the documentation, word by word. */
const isVisible = (start: number, end: number, index: number, rate: FrameRate): boolean => {
  const [t, e] = [frameTime(index, rate), borderTolerance(rate)];
  return start <= t + e && t + e < end;
};

describe.each(rates)('at %s frames per second', (text) => {
  const rate = parseFrameRate(text);
  const frames = Array.from({ length: mostFrames + 1 }, (_, index) => index);
  const wrong = (border: (seconds: number) => number) =>
    frames.filter((index) => framesBefore(border(frameTime(index, rate)), rate) !== index);

  test.each([3, 4, 5, 6, 7, 8, 10, 12, 15, 17])('frame n begins at n/fps with %i decimals', (digits) => {
    expect(wrong((seconds) => Number(seconds.toFixed(digits)))).toEqual([]);
  });

  test('frame n begins at n/fps in all digits, and as a product', () => {
    expect(wrong((seconds) => seconds)).toEqual([]);
    expect(frames.filter((index) => framesBefore(index * frameTime(1, rate), rate) !== index)).toEqual([]);
  });

  test('frame n begins at the sum of a start and a duration in milliseconds', () => {
    const durations = [1, 2, 7, 100];
    for (const duration of durations)
      expect(
        frames.filter((index) => {
          const start = toMilliseconds(frameTime(Math.max(0, index - duration), rate));
          const length = toMilliseconds(frameTime(Math.min(index, duration), rate));
          return framesBefore(start + length, rate) !== index;
        }),
      ).toEqual([]);
  });

  test('touching clips share no frame and leave none, also as references', () => {
    const seconds = (index: number, digits: number) => frameTime(index, rate).toFixed(digits);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: mostFrames }),
        fc.integer({ min: 1, max: 500 }),
        fc.integer({ min: 3, max: 17 }),
        fc.integer({ min: 3, max: 17 }),
        fc.boolean(),
        (first, length, digits, otherDigits, isReference) => {
          const next = isReference ? 'a' : seconds(first + length, otherDigits);
          const { clips } = parseComposition(
            `<div data-composition-id="m"><p id="a" data-start="${seconds(first, digits)}" data-duration="${seconds(length, otherDigits)}"></p><p data-start="${next}" data-duration="9"></p></div>`,
          );
          const shown = resolveTimeline(clips).clips.map(({ start, end }) => ({
            start: borderOnFrame(start, rate),
            end: end && borderOnFrame(end, rate),
          }));
          const visible = (index: number) => shown.map((clip) => containsTime(clip, frameTime(index, rate)));
          expect([first - 1, first, first + length - 1, first + length].map(visible)).toEqual([
            [false, false],
            [true, false],
            [true, false],
            [false, true],
          ]);
        },
      ),
    );
  });

  test('a border on a frame decides as the documented rule does', () => {
    const time = fc.double({ min: 0, max: 400, noNaN: true });
    fc.assert(
      fc.property(time, time, fc.integer({ min: -2, max: 2 }), (start, length, offset) => {
        const index = Math.max(0, framesBefore(start, rate) + offset);
        const [shownStart, shownEnd] = [borderOnFrame(start, rate), borderOnFrame(start + length, rate)];
        expect(containsTime({ start: shownStart, end: shownEnd }, frameTime(index, rate))).toBe(
          isVisible(start, start + length, index, rate),
        );
        expect(start - shownStart).toBeLessThanOrEqual(borderTolerance(rate));
      }),
    );
  });

  test('the frame at a time is the last one that has begun', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 400, noNaN: true }), (seconds) => {
        const index = frameAtTime(seconds, rate);
        expect(frameTime(index, rate)).toBeLessThanOrEqual(seconds + borderTolerance(rate));
        expect(frameTime(index + 1, rate)).toBeGreaterThan(seconds + borderTolerance(rate));
      }),
    );
  });
});

test('a time before the composition is no border of a frame', () => {
  const rate = { num: 30, den: 1 };
  expect([framesBefore(-1, rate), borderOnFrame(-1, rate), frameAtTime(0, rate)]).toEqual([0, -1, 0]);
});
