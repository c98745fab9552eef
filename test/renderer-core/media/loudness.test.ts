// The loudness of sounds whose loudness is known from EBU Tech 3341.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { measureLoudness } from '../../../renderer-core/media/loudness.ts';
import { temporaryFolder } from '../../support/project.ts';

const rate = 48_000;

/** A stereo file with parts of a sine of 1 kHz, each with its level in dBFS and its length in seconds. */
async function measured(parts: [level: number, seconds: number][], frequency = 1000, phase = 0) {
  const samples = parts.flatMap(([level, seconds]) =>
    Array.from({ length: seconds * rate }, (_, at) => {
      const value = 10 ** (level / 20) * Math.sin((2 * Math.PI * frequency * at) / rate + phase);
      return [value, value];
    }),
  );
  const path = join(temporaryFolder(), 'sound.f32');
  await writeFile(path, new Uint8Array(Float32Array.from(samples.flat()).buffer));
  return measureLoudness(path, new AbortController().signal);
}

test.each([
  { parts: [[-23, 4]] as [number, number][], loudness: -23 },
  { parts: [[-33, 4]] as [number, number][], loudness: -33 },
  // Quiet parts do not count: cases 3 and 4.
  {
    parts: [
      [-36, 2],
      [-23, 20],
      [-36, 2],
    ] as [number, number][],
    loudness: -23,
  },
  {
    parts: [
      [-72, 2],
      [-36, 2],
      [-23, 20],
      [-36, 2],
      [-72, 2],
    ] as [number, number][],
    loudness: -23,
  },
])('$loudness LUFS', async ({ parts, loudness }) => {
  expect(Math.abs(((await measured(parts)).loudness ?? 0) - loudness)).toBeLessThan(0.1);
});

test('a peak between the samples', async () => {
  // Samples of a sine at a quarter of the rate, 45° beside its peaks: 3 dB below them.
  const { truePeak } = await measured([[-6, 1]], rate / 4, Math.PI / 4);
  expect(truePeak).toBeCloseTo(-6, 0);
});

test('silence', async () => {
  expect(await measured([[Number.NEGATIVE_INFINITY, 1]])).toEqual({ loudness: null, truePeak: null });
});
