// Tracks in seconds become tracks in samples: literal cases, and the laws of the arithmetic.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AudioTrack, audioMix, gainAt } from '../../../renderer-core/plan/audio.ts';

const thirty = { num: 30, den: 1 };
const ntsc = { num: 30000, den: 1001 };

/** One second of a file, at full volume. */
const track = (changes: Partial<AudioTrack> = {}): AudioTrack => ({
  name: '<audio id="music">',
  file: '/music.mp3',
  start: 0,
  end: 1,
  mediaStart: 0,
  rate: 1,
  loop: false,
  volume: 1,
  ...changes,
});

describe('audioMix', () => {
  test('describes audible tracks in samples', () =>
    expect(audioMix([track({ start: 0.5, end: 2.25, mediaStart: 1.5, rate: 2, volume: 0.8 })], 90, thirty)).toEqual({
      fps: thirty,
      samples: 144_000,
      tracks: [
        {
          name: '<audio id="music">',
          file: '/music.mp3',
          start: 24_000,
          end: 108_000,
          mediaStart: 72_000,
          rate: 2,
          loop: false,
          volume: 0.8,
        },
      ],
    }));

  test.each([
    [300, thirty, 480_000],
    [300, ntsc, 480_480],
    [1, ntsc, 1602],
    [1, { num: 24000, den: 1001 }, 2002],
    [7, { num: 240, den: 1 }, 1400],
  ])('converts %d frames at %j to %d samples', (frames, fps, samples) =>
    expect(audioMix([track()], frames, fps)?.samples).toBe(samples));

  test('skips the part of a track before the start of the video', () =>
    expect(audioMix([track({ start: -0.5, mediaStart: 1, rate: 2 })], 30, thirty)?.tracks[0]).toMatchObject({
      start: 0,
      mediaStart: 96_000,
    }));

  test('clamps numbers outside the contract', () =>
    expect(
      audioMix([track({ rate: 16, volume: [0.5, 1.5, -1], mediaStart: -1 })], 30, thirty)?.tracks[0],
    ).toMatchObject({ rate: 5, volume: [0.5, 1, 0], mediaStart: 0 }));

  test.each<[string, Partial<AudioTrack>]>([
    ['has volume 0', { volume: 0 }],
    ['has volume 0 at every frame', { volume: Array(30).fill(0) }],
    ['is loud only at other times', { start: 0.5, end: 0.8, volume: [...Array(14).fill(1), ...Array(16).fill(0)] }],
    ['ends as it begins', { start: 0.5, end: 0.5 }],
    ['ends before it begins', { start: 0.5, end: 0.2 }],
    ['begins with the end of the video', { start: 1, end: 2 }],
    ['is shorter than half a sample', { start: 0, end: 0.00001 }],
  ])('has no audio if the only track %s', (_, changes) => expect(audioMix([track(changes)], 30, thirty)).toBeNull());

  test('includes a track that is audible only in its last frame', () =>
    expect(audioMix([track({ end: 0.5, volume: [...Array(15).fill(0), 1] })], 30, thirty)?.tracks).toHaveLength(1));

  test('converts equal volumes to a constant', () =>
    expect(audioMix([track({ volume: Array(30).fill(0.4) })], 30, thirty)?.tracks[0]?.volume).toBe(0.4));

  const rates = fc.constantFrom(thirty, ntsc, { num: 24000, den: 1001 }, { num: 25, den: 2 }, { num: 240, den: 1 });
  const seconds = fc.double({ min: -5, max: 120, noNaN: true });

  test('keeps all tracks in whole samples inside the video', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            start: seconds,
            end: seconds,
            mediaStart: seconds,
            rate: fc.double({ min: 0.1, max: 5, noNaN: true }),
          }),
        ),
        fc.integer({ min: 1, max: 3000 }),
        rates,
        (some, frames, fps) => {
          const mix = audioMix(some.map(track), frames, fps);
          if (mix === null) return;
          expect(Math.abs(mix.samples / 48_000 - (frames * fps.den) / fps.num)).toBeLessThanOrEqual(
            0.5 / 48_000 + 1e-9,
          );
          for (const { start, end, mediaStart } of mix.tracks) {
            expect([start, end, mediaStart].every(Number.isInteger)).toBe(true);
            expect(start).toBeGreaterThanOrEqual(0);
            expect(end).toBeGreaterThan(start);
            expect(end).toBeLessThanOrEqual(mix.samples);
            expect(mediaStart).toBeGreaterThanOrEqual(0);
          }
        },
      ),
    );
  });

  test('leaves no gap and no overlap between consecutive tracks', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 99.9, noNaN: true }), rates, (cut, fps) => {
        const mix = audioMix([track({ end: cut }), track({ start: cut, end: 100 })], 30_000, fps);
        expect(mix?.tracks[0]?.end).toBe(mix?.tracks[1]?.start);
      }),
    );
  });
});

describe('gainAt', () => {
  test.each([
    [0, 0],
    [800, 0.25],
    [1600, 0.5],
    [2400, 0.75],
    [3200, 1],
    [3201, 1],
    [1_000_000, 1],
  ])('interpolates linearly between frames and stays constant after the last: sample %d has %d', (sample, gain) =>
    expect(gainAt([0, 0.5, 1], sample, thirty)).toBe(gain));

  test('stays within the values of the frames and never jumps', () => {
    const volumes = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(volumes, fc.integer({ min: 0, max: 40_000 }), (volume, sample) => {
        const [one, next] = [gainAt(volume, sample, ntsc), gainAt(volume, sample + 1, ntsc)];
        expect(one).toBeGreaterThanOrEqual(Math.min(...volume) - 1e-12);
        expect(one).toBeLessThanOrEqual(Math.max(...volume) + 1e-12);
        expect(Math.abs(next - one)).toBeLessThanOrEqual(1 / 1600);
      }),
    );
  });
});
