import { expect, test } from 'vitest';
import { courseProblems } from '../../../renderer-core/check/courseProblems.ts';
import { defaultLimits } from '../../../renderer-core/check/limits.ts';
import type { SeenClip } from '../../../renderer-core/check/sight.ts';

const fps = { num: 10, den: 1 };

/** Looks at frames, as `[frame, change, isPlain]`. */
const looks = (...given: [frame: number, change: number, isPlain?: boolean][]) =>
  given.map(([frame, change, isPlain = false]) => ({ frame, look: { change, isPlain, color: [0, 0, 0, 1] as const } }));

const messages = (seen: ReturnType<typeof looks>, frames: number, clips: SeenClip[] = []) =>
  courseProblems(seen, clips, { frames, fps }, defaultLimits).map(({ check, message }) => `${check}: ${message}`);

test('a black part', () => {
  expect(messages(looks([0, 1], [10, 0.5, true], [20, 0, true], [30, 0.5], [39, 0.2]), 40)).toEqual([
    'blank-frames: Only the color #000000 is shown from 1 s to 3 s',
  ]);
});

test('a short black part is a transition', () => {
  expect(messages(looks([0, 1], [10, 0.5, true], [18, 0.5], [29, 0.5]), 30)).toEqual([]);
});

test('a part without movement', () => {
  expect(messages(looks([0, 1], [10, 0.1], [20, 0], [119, 0], [130, 0.1]), 140)).toEqual([
    'still-frames: Nothing moves from 1 s to 13 s',
  ]);
});

test('a last frame that jumps', () => {
  expect(messages(looks([0, 1], [17, 0.3], [18, 0], [19, 0.4]), 20)).toEqual([
    'last-frame: The last frame differs from those before it, which were all the same (40 % of its pixels). Check what ends or begins at the duration',
  ]);
});

test('a last frame of something that moves', () => {
  expect(messages(looks([0, 1], [17, 0.3], [18, 0.3], [19, 0.4]), 20)).toEqual([]);
});

const clip: SeenClip = { source: '0:1:2', name: '#badge', start: 1, end: 2.5, isShown: false, isEmpty: false };

test('a clip that never shows', () => {
  expect(
    messages(looks([0, 1]), 30, [clip, { ...clip, isShown: true }, { ...clip, isEmpty: true }, { ...clip, start: 3 }]),
  ).toEqual([
    'invisible-clip: The clip #badge shows nothing in any frame from 1 s to 2.5 s: it is transparent, hidden, without a size, or outside of the frame',
  ]);
});
