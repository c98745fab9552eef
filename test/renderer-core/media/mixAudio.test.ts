// The mix, checked to the sample: files from formulas, mixed by every ffmpeg on this machine, read as numbers.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { measureLoudness } from '../../../renderer-core/media/loudness.ts';
import { mixAudio } from '../../../renderer-core/media/mixAudio.ts';
import { type AudioTrack, audioMix } from '../../../renderer-core/plan/audio.ts';
import { temporaryFolder } from '../../support/project.ts';
import { ffmpegAt } from '../../support/renders/ffmpeg.ts';
import { everyFfmpeg, ffmpegRun, loudest, makeSound, pitch, sides, sounding } from '../../support/renders/sound.ts';

const thirty = { num: 30, den: 1 };

describe.each(await everyFfmpeg())('ffmpeg $version', { timeout: 60_000 }, ({ ffmpeg }) => {
  /** Mixes the sound of a video of `frames` frames at 30 fps. */
  async function mix(tracks: (Partial<AudioTrack> & { file: string })[], frames = 30, loudness?: number) {
    const name = '<audio id="a">';
    const whole = { name, start: 0, end: 1000, mediaStart: 0, rate: 1, loop: false, volume: 1 };
    const plan = audioMix(
      tracks.map((track) => ({ ...whole, ...track })),
      frames,
      thirty,
    );
    if (plan === null) throw new Error('no track is audible');
    const asked = loudness === undefined ? plan : { ...plan, loudness };
    const { file, warnings } = await mixAudio(ffmpegAt(ffmpeg), asked, temporaryFolder());
    return { ...sides(file === null ? Buffer.alloc(0) : readFileSync(file)), file, warnings };
  }

  const sound = (formula: string, seconds: number, options: Parameters<typeof makeSound>[4] & { name?: string } = {}) =>
    makeSound(ffmpeg, join(temporaryFolder(), options.name ?? 'a.wav'), formula, seconds, options);

  /** Silence with one sample of 0.5: sample 4800 of the file. */
  const click = (options = {}) => sound('if(eq(n,4800),0.5,0)', 0.5, options);

  test('fades and ducking, at every sample', async () => {
    const duck = { start: 0.5, end: 0.75, gain: 0.5, attack: 0.25, release: 0.25 };
    const shape = { start: 0, end: 1, fadeIn: 0.25, fadeOut: 0, ducks: [duck] };
    const { left } = await mix([{ file: sound('0.5', 1), shape }]);
    expect([0, 6000, 12_000, 18_000, 24_000, 36_000, 42_000].map((at) => left[at]?.toFixed(3))).toEqual([
      ...['0.000', '0.250', '0.500', '0.375', '0.250', '0.250', '0.375'],
    ]);
  });

  test('a loudness, with peaks below -1 dBTP', async () => {
    // Quiet, with short peaks that would be louder than a file can store.
    const file = sound('if(lt(mod(n,12000),480),0.9,0.02)*sin(2*PI*997*t)', 3);
    const { file: mixed } = await mix([{ file }], 90, -16);
    const { loudness, truePeak } = await measureLoudness(mixed ?? '', new AbortController().signal);
    expect(Math.abs((loudness ?? 0) + 16)).toBeLessThan(1);
    expect(truePeak).toBeLessThanOrEqual(-1);
    const { file: quiet } = await mix([{ file: sound('0.5*sin(2*PI*997*t)', 3) }], 90, -23);
    const measured = await measureLoudness(quiet ?? '', new AbortController().signal);
    expect(Math.abs((measured.loudness ?? 0) + 23)).toBeLessThan(0.1);
  });

  describe('positions', () => {
    test.each([
      ['at its start', { start: 0.5 }, 24_000 + 4800],
      ['at a start between two samples', { start: 1 / 3 + 0.00001 }, 16_000 + 4800],
      ['at the file’s time', { start: 0.25, mediaStart: 0.05 }, 12_000 + 2400],
      ['at the file’s time, to the sample', { mediaStart: 4800 / 48_000 }, 0],
      ['where it is the last sample', { start: 1 - 4801 / 48_000 }, 47_999],
    ])('puts a click %s, and nothing else', async (_, track, sample) => {
      const { left, right } = await mix([{ file: click(), ...track }]);
      expect([left.length, right.length]).toEqual([48_000, 48_000]);
      expect([sounding(left), sounding(right)]).toEqual([[sample], [sample]]);
      expect(left[sample]).toBe(0.5);
    });

    test('plays sound from its start to its end, to the sample', async () => {
      const { left } = await mix([{ file: sound('0.25', 2), start: 0.1, end: 0.7 }]);
      expect(left).toEqual([...Array(4800).fill(0), ...Array(28_800).fill(0.25), ...Array(14_400).fill(0)]);
    });

    test('is silent after a file that is shorter than its clip', async () => {
      const { left } = await mix([{ file: sound('0.25', 0.5) }]);
      expect(left).toEqual([...Array(24_000).fill(0.25), ...Array(24_000).fill(0)]);
    });
  });

  describe('channels', () => {
    test('plays mono at 44.1 kHz on both sides, with its level and time', async () => {
      const file = sound('if(between(n,4410,22049),0.5*sin(2*PI*441*t),0)', 1, { rate: 44_100 });
      const { left, right } = await mix([{ file }]);
      expect(left).toEqual(right);
      expect(Math.max(...left)).toBeCloseTo(0.5, 2);
      expect(Math.abs((sounding(left, 0.02)[0] ?? 0) - 4800)).toBeLessThan(4);
      expect(Math.abs((sounding(left, 0.02).at(-1) ?? 0) - 24_000)).toBeLessThan(4);
    });

    test.each([
      ['front left', '0.5|0|0|0|0|0', 0.5, 0],
      ['front right', '0|0.5|0|0|0|0', 0, 0.5],
      ['centre', '0|0|0.5|0|0|0', 0.5 * Math.SQRT1_2, 0.5 * Math.SQRT1_2],
      ['back left', '0|0|0|0|0.5|0', 0.5 * Math.SQRT1_2, 0],
    ])('mixes 5.1 as browsers do: %s', async (_, formula, onLeft, onRight) => {
      const { left, right } = await mix([{ file: sound(formula, 0.2, { layout: '5.1' }) }]);
      expect(left[4000]).toBeCloseTo(onLeft, 3);
      expect(right[4000]).toBeCloseTo(onRight, 3);
    });
  });

  describe('loudness', () => {
    test('adds tracks without changing them', async () => {
      const file = sound('0.25|-0.125', 1, { layout: 'stereo' });
      const { left, right } = await mix([{ file }, { file, start: 0.5 }, { file, start: 0.5, volume: 0.5 }]);
      expect([left[23_999], left[24_000]]).toEqual([0.25, 0.625]);
      expect([right[23_999], right[24_000]]).toEqual([-0.125, -0.3125]);
    });

    test('interpolates a fade linearly between the volumes of frames', async () => {
      const volume = Array.from({ length: 30 }, (_, frame) => frame / 30);
      const { left } = await mix([{ file: sound('0.5', 1), start: 0.25, volume }]);
      expect([0, 11_999].map((sample) => left[sample])).toEqual([0, 0]);
      for (const sample of [12_000, 12_001, 20_000, 46_400])
        expect(left[sample]).toBeCloseTo((0.5 * sample) / 48_000, 6);
    });

    test('applies a volume for each of a thousand frames', async () => {
      const volume = Array.from({ length: 1000 }, (_, frame) => (frame % 2) / 2);
      const { left } = await mix([{ file: sound('0.5', 40), volume }], 1000);
      expect(left).toHaveLength(1_600_000);
      expect([0, 800, 1600, 2400, 1_598_400].map((sample) => left[sample])).toEqual([0, 0.125, 0.25, 0.125, 0.25]);
    });

    test('lowers the sum only where it is too loud', async () => {
      const file = sound('0.75', 2);
      const { left, right } = await mix([{ file }, { file, start: 0.5, end: 0.75 }]);
      expect(left).toEqual(right);
      expect([left[0], left[21_000], left[39_000], left[47_999]]).toEqual([0.75, 0.75, 0.75, 0.75]);
      for (const sample of [24_000, 30_000, 35_999]) expect(left[sample]).toBeCloseTo(1, 5);
      expect(Math.max(...left)).toBeLessThanOrEqual(1.000001);
      expect(left).toHaveLength(48_000);
    });
  });

  describe('loops', () => {
    test('repeat without a gap, starting in the middle of the first one', async () => {
      const { left } = await mix([{ file: sound('n/8192', 0.1), loop: true, start: 0.25, mediaStart: 0.025 }]);
      expect(left.slice(12_000)).toEqual(Array.from({ length: 36_000 }, (_, index) => ((1200 + index) % 4800) / 8192));
    });

    test('wrap a start beyond the end of the file around', async () => {
      const { left } = await mix([{ file: sound('n/8192', 0.1), loop: true, mediaStart: 0.325 }]);
      expect(left[0]).toBe(1200 / 8192);
    });

    test('do not start over if the file is longer than its clip', async () => {
      const { left } = await mix([
        { file: sound('n/131072', 2, { encode: ['-c:a', 'pcm_f32le'] }), loop: true, mediaStart: 0.5 },
      ]);
      expect([left[0], left[47_999]]).toEqual([24_000 / 131_072, 71_999 / 131_072]);
    });

    test('of one file at the same time start at their own positions', async () => {
      const file = sound('n/8192', 0.1);
      const loops = [
        { start: 0, end: 0.5 },
        { start: 0.5, mediaStart: 0.05 },
      ].map((times) => ({ ...times, file, loop: true }));
      const { left } = await mix([...loops, { file, start: 0.25, mediaStart: 0.0875, volume: 0.5 }]);
      const loop = (from: number) => (_: unknown, index: number) => ((from + index) % 4800) / 8192;
      const expected = [...Array.from({ length: 24_000 }, loop(0)), ...Array.from({ length: 24_000 }, loop(2400))];
      for (let index = 0; index < 600; index++)
        expected[12_000 + index] = (expected[12_000 + index] ?? 0) + (4200 + index) / 8192 / 2;
      expect(left).toEqual(expected);
    });

    test('continue to the end at another speed', async () => {
      const { left } = await mix([{ file: sound('0.5*sin(2*PI*440*t)', 0.5), loop: true, rate: 2 }]);
      expect(pitch(left, 2400, 45_600)).toBeCloseTo(440, -1);
      expect(Math.max(...left.slice(-4800))).toBeCloseTo(0.5, 1);
    });
  });

  describe('speeds', () => {
    test.each([
      [2, 0.5, 0.25],
      [0.5, 0.25, 0.5],
      [5, 2, 0.4],
      [0.1, 0.4, 4],
      [1.25, 0.5, 0.4],
    ])('%d keeps the pitch of a tone, and plays %d s in %d s', async (rate, seconds, lasts) => {
      const { left } = await mix([{ file: sound('0.5*sin(2*PI*440*t)', seconds), rate }], 150);
      const audible = sounding(left, 0.05);
      const [first = 0, last = 0] = [audible[0], audible.at(-1)];
      expect(first).toBeLessThan(480);
      // Up to a twentieth of a second at the end of a file may be missing.
      expect(Math.abs(last / 48_000 - lasts) * rate).toBeLessThan(0.05);
      expect(Math.abs(pitch(left, 1200, 1200 + 0.8 * lasts * 48_000) / 440 - 1)).toBeLessThan(0.03);
    });

    test('of one file differ per track, also in loops', async () => {
      const file = sound('0.4*sin(2*PI*440*t)', 2);
      const { left } = await mix(
        [
          { file, rate: 2, end: 1 },
          { file, rate: 0.5, start: 1, end: 2, mediaStart: 1.75 },
          { file, start: 2, end: 2.5 },
          { file, rate: 1.25, start: 3, end: 5, mediaStart: 1, loop: true },
          { file, rate: 4, start: 5, end: 6 },
        ],
        180,
      );
      const sounds = (second: number) => Math.max(...left.slice(48_000 * second, 48_000 * second + 2400)) > 0.2;
      expect([0.1, 0.9, 1.1, 1.4, 2.1, 2.4, 3.1, 4.9, 5.1, 5.4].map(sounds)).toEqual(Array(10).fill(true));
      expect([1.6, 1.9, 2.6, 2.9, 5.6].map(sounds)).toEqual(Array(5).fill(false));
      for (const second of [0.2, 1.1, 2.1, 3.5, 5.1])
        expect(Math.abs(pitch(left, 48_000 * second, 48_000 * (second + 0.3)) / 440 - 1)).toBeLessThan(0.03);
    });

    test('keep positions: the middle of the file is in the middle of its clip', async () => {
      const file = sound('if(gte(t,1),0.5*sin(2*PI*440*t),0)', 2);
      const { left } = await mix([{ file, rate: 2 }]);
      expect(Math.abs((sounding(left, 0.1)[0] ?? 0) / 48_000 - 0.5)).toBeLessThan(0.02);
    });
  });

  describe('files', () => {
    /** A click after one second of a quiet tone: codecs keep its position. */
    const marked = 'if(between(n,48000,48003),0.9,0.01*sin(2*PI*200*t))';
    /** File, encoder, and its delay in samples if the container cannot declare it. */
    const codecs: [string, string[], number][] = [
      ['a.m4a', ['-c:a', 'aac', '-b:a', '256k'], 0],
      ['a.webm', ['-c:a', 'libopus', '-b:a', '256k'], 0],
      ['a.mp3', ['-c:a', 'libmp3lame', '-b:a', '320k'], 0],
      ['a.ogg', ['-c:a', 'libvorbis', '-q:a', '9'], 0],
      ['a.flac', [], 0],
      ['a.mkv', ['-c:a', 'ac3', '-b:a', '448k'], 256],
      ['a.ts', ['-c:a', 'mp2', '-b:a', '384k'], 481],
    ];

    test.each(codecs)('%s: keeps the position of a click', async (name, encode, late) => {
      const file = sound(marked, 3, { name, encode });
      const { left } = await mix([{ file, start: 0.25 }], 90);
      expect(Math.abs(loudest(left) - 60_001 - late)).toBeLessThanOrEqual(4);
    });

    // The first two are read from two seconds before the position; the last one has rounded time stamps and is read from its start.
    test.each<[string, string[]]>([
      ['a.m4a', ['-c:a', 'aac', '-b:a', '256k']],
      ['a.wav', []],
      ['a.webm', ['-c:a', 'libopus', '-b:a', '256k']],
    ])('%s: plays the same sound when it starts in the middle', async (name, encode) => {
      const file = sound('0.4*sin(2*PI*t*(200+20*t))', 12, { name, encode });
      const whole = await mix([{ file }], 330);
      const part = await mix([{ file, mediaStart: 9.25 }], 30);
      const differences = part.left.map((value, index) => Math.abs(value - (whole.left[444_000 + index] ?? 0)));
      expect(Math.max(...differences)).toBeLessThan(0.001);
    });

    test('keep the delay of sound that starts after the first frame of its file', async () => {
      const wav = sound('0.25', 1);
      const file = join(temporaryFolder(), 'late.mov');
      const picture = ['-f', 'lavfi', '-i', 'color=s=64x48:d=2:r=25'];
      const copied = ['-map', '0:v', '-map', '1:a', '-c:v', 'mpeg4', '-c:a', 'pcm_s16le'];
      ffmpegRun(ffmpeg, ...picture, '-itsoffset', '0.5', '-i', wav, ...copied, file);
      const { left } = await mix([{ file }], 60);
      expect([left[23_990], left[24_010], left[71_990], left[72_010]]).toEqual([0, 0.25, 0.25, 0]);
    });

    test('without sound are skipped with a warning', async () => {
      const file = join(temporaryFolder(), 'silent film.mp4');
      ffmpegRun(ffmpeg, '-f', 'lavfi', '-i', 'color=s=64x48:d=1', '-c:v', 'mpeg4', file);
      const { left, warnings } = await mix([{ file, name: '<video id="b">' }, { file: sound('0.25', 1) }]);
      expect(warnings).toEqual(['No audio for <video id="b">: silent film.mp4 has no audio stream']);
      expect(left[100]).toBe(0.25);
    });

    test('without samples are skipped; if there is no other track, there is no sound', async () => {
      const file = sound('0', 0.5, { encode: ['-t', '0'] });
      for (const loop of [false, true]) {
        expect(await mix([{ file, loop }])).toMatchObject({
          file: null,
          warnings: ['No audio for <audio id="a">: a.wav has no audio at 0 s, where the clip starts'],
        });
      }
    });

    test('that end before the start of the clip are skipped with a warning', async () =>
      expect(await mix([{ file: sound('0.5', 1), mediaStart: 1.5 }])).toMatchObject({
        file: null,
        warnings: ['No audio for <audio id="a">: a.wav has no audio at 1.5 s, where the clip starts'],
      }));

    test.each([
      ['that are empty', '', 'is empty'],
      ['that are not media files', 'This is a text and no sound. '.repeat(99), 'cannot be read: Invalid data found'],
    ])('%s are an error that names the element and the file', async (_, content, problem) => {
      const file = join(temporaryFolder(), 'song.m4a');
      writeFileSync(file, content);
      await expect(mix([{ file }])).rejects.toMatchObject({
        code: 'media_unreadable',
        message: expect.stringContaining(`cannot read the sound of <audio id="a">, ${file}: ${problem}`),
      });
    });
  });

  test('rejects with the reason when it is aborted', async () => {
    const plan = audioMix(
      [{ name: 'a', file: click(), start: 0, end: 1, mediaStart: 0, rate: 1, loop: false, volume: 1 }],
      30,
      thirty,
    );
    const reason = new Error('enough');
    await expect(
      mixAudio(ffmpegAt(ffmpeg), plan ?? { fps: thirty, samples: 0, tracks: [] }, temporaryFolder(), {
        signal: AbortSignal.abort(reason),
      }),
    ).rejects.toBe(reason);
  });
});
