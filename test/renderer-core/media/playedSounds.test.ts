// Which parts of a file are decoded for the tracks that play it.
import { expect, test } from 'vitest';
import { playedParts } from '../../../renderer-core/media/playedSounds.ts';
import type { MixTrack } from '../../../renderer-core/plan/audio.ts';

const second = 48_000;

const track = (changes: Partial<MixTrack>): MixTrack => ({
  name: '<audio>',
  file: '/a.wav',
  start: 0,
  end: second,
  mediaStart: 0,
  rate: 1,
  loop: false,
  volume: 1,
  ...changes,
});

test.each<[string, string, Partial<MixTrack>[], [first: number, end: number][]]>([
  ['once for many tracks', 'wav', Array(340).fill({}), [[0, second]]],
  ['only what is heard', 'wav', [{ mediaStart: 3600 * second }], [[3600 * second, 3601 * second]]],
  [
    'from the first to the last track',
    'wav',
    [{ mediaStart: 20 * second }, { mediaStart: 5 * second }],
    [[5 * second, 21 * second]],
  ],
  [
    'without a long gap',
    'wav',
    [{}, { mediaStart: 60 * second }],
    [
      [0, second],
      [60 * second, 61 * second],
    ],
  ],
  ['with a gap that would be decoded anyway', 'mp3', [{}, { mediaStart: 60 * second }], [[0, 61 * second]]],
  ['a loop from the start', 'wav', [{ mediaStart: second, loop: true }], [[0, 2 * second]]],
  ['what a faster track needs', 'wav', [{ rate: 2 }], [[0, 3 * second]]],
])('decodes %s', (_, container, tracks, ranges) => {
  const facts = { container, duration: 7200, start: 0, video: null, audio: { codec: 'pcm', layout: 'stereo' } };
  const parts = playedParts('/a.wav', tracks.map(track), facts);
  expect(parts.map(({ first, end }) => [first, end])).toEqual(ranges);
  expect(parts.flatMap((part) => part.tracks)).toHaveLength(tracks.length);
});
