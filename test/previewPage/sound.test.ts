// Which second of a media file sounds at a time of the composition.
import { expect, test } from 'vitest';
import { placeIn } from '../../renderer-core/previewPage/soundPlace.ts';

const sound = { start: 2, mediaStart: 1, rate: 1, loop: false };

test.each([
  ['at its start', sound, 2, 1],
  ['later', sound, 5.5, 4.5],
  ['at twice the speed', { ...sound, rate: 2 }, 4, 5],
  ['behind its end', sound, 15, undefined],
  ['behind its end, in a loop', { ...sound, loop: true }, 15, 4],
])('%s', (_, one, time, place) => expect(placeIn(one, time, 10)).toBe(place));

test('while the length is not known, as if there were no end', () => expect(placeIn(sound, 50, Number.NaN)).toBe(49));
