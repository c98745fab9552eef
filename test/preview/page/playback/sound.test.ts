// The position in a media file at a time of the composition.
import { expect, test } from 'vitest';
import { mediaPosition } from '../../../../preview/page/playback/soundPosition.ts';

const sound = { start: 2, mediaStart: 1, rate: 1, loop: false };

test.each([
  ['at the start', sound, 2, 1],
  ['later', sound, 5.5, 4.5],
  ['at twice the speed', { ...sound, rate: 2 }, 4, 5],
  ['after the end', sound, 15, undefined],
  ['after the end, in a loop', { ...sound, loop: true }, 15, 4],
])('finds the position %s', (_, one, time, position) => expect(mediaPosition(one, time, 10)).toBe(position));

test('treats an unknown length as endless', () => expect(mediaPosition(sound, 50, Number.NaN)).toBe(49));
