// Times as people write them, and the frames that they mean.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { frameTime } from '../../../renderer-core/model/frameGrid.ts';
import { frameAt, readTime } from '../../../renderer-core/plan/snapshotTimes.ts';

const ntsc = { num: 30000, den: 1001 };
const film = { frames: 120, duration: 4, fps: { num: 30, den: 1 } };

describe('the frame at a time', () => {
  test.each([
    ['0', 0],
    ['0f', 0],
    ['0%', 0],
    ['0.03', 0],
    ['0.1', 3],
    ['0.7', 21],
    ['2.9', 87],
    ['2.5s', 75],
    [' 12f ', 12],
    ['50%', 60],
    ['99.9%', 119],
    ['100%', 119],
    ['4', 119],
    ['119f', 119],
  ])('finds the frame at %s', (text, frame) => expect(frameAt(text, film)).toBe(frame));

  test('finds every frame at its own time', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000 }), fc.constantFrom(ntsc, film.fps), (frame, fps) => {
        const time = frameTime(frame, fps).toFixed(9);
        expect(frameAt(time, { fps, frames: 100_001, duration: 100_001 })).toBe(frame);
      }),
    );
  });
});

test.each(['', 'x', '-1', '1:30', '12.5f', '101%', '1e3', '5 %', 'NaN'])('rejects "%s" as a time', (text) => {
  expect(() => readTime(text)).toThrow(/is not a valid time/);
});

test.each(['120f', '4.01', '1000'])('rejects %s, which is after the end', (text) => {
  expect(() => frameAt(text, film)).toThrow(`${text} is after the end of the video (120 frames, 4 s)`);
});
