// The mix in the output file: how it is encoded, and what a player hears, checked to the sample.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ALL_FORMATS, FilePathSource, Input } from 'mediabunny';
import { describe, expect, test } from 'vitest';
import { h264Settings } from '../../../renderer-core/media/codecs.ts';
import { type Sound, type SoundFormat, soundEncoder } from '../../../renderer-core/media/encodeSound.ts';
import { ivfFrames } from '../../../renderer-core/media/ivf.ts';
import { type JoinPlan, joinSegments } from '../../../renderer-core/media/join.ts';
import { probeMedia } from '../../../renderer-core/media/probeMedia.ts';
import { insertSkippedFrames } from '../../../renderer-core/media/repeatedFrames.ts';
import { temporaryFolder } from '../../support/project.ts';
import { ffmpegAt } from '../../support/renders/ffmpeg.ts';
import { decodeSound, everyFfmpeg, ffmpegRun, loudest } from '../../support/renders/sound.ts';

const thirty = { num: 30, den: 1 };
const ntsc = { num: 30000, den: 1001 };

test.each<[SoundFormat, string]>([
  ['mp4', '-map 1:a:0 -c:a aac -b:a 192k'],
  ['webm', '-map 1:a:0 -c:a libopus -b:a 160k'],
  ['mov', '-map 1:a:0 -c:a pcm_s16le'],
  ['hls', '-map 1:a:0 -c:a aac -b:a 192k'],
])('encodes the sound of %s with %s', (format, expected) =>
  expect(soundEncoder({ file: 'a', format }).join(' ')).toBe(expected));

/** `hls` is a folder: test/renderer-core/render/hls.test.ts. */
type FileFormat = Exclude<SoundFormat, 'hls'>;

const videoEncoders: Record<FileFormat, string[]> = {
  mp4: ['-c:v', 'libx264', '-preset', 'medium'],
  webm: ['-c:v', 'libvpx', '-deadline', 'realtime'],
  mov: ['-c:v', 'libx264', '-preset', 'ultrafast'],
};

/** The codec only selects container options for the video stream; these codecs need none. */
const planOf = (format: FileFormat, frames: number, fps: { num: number; den: number }): JoinPlan => ({
  ...{ format, codec: format === 'webm' ? 'av1' : 'h264', fps, frames, width: 64, height: 48 },
  chunks: [{ index: 0, start: 0, end: frames }],
});

const all = await everyFfmpeg();

describe.each(all)('ffmpeg $version', { timeout: 60_000 }, ({ ffmpeg }) => {
  /** Raw sound with one loud click in a quiet tone. */
  function mixFile(folder: string, samples: number, click: number): string {
    const raw = Buffer.alloc(samples * 8);
    for (let index = 0; index < samples; index++) {
      const value = index === click ? 0.9 : 0.05 * Math.sin(index / 20);
      raw.writeFloatLE(value, index * 8);
      raw.writeFloatLE(value, index * 8 + 4);
    }
    const file = join(folder, 'mix.f32');
    writeFileSync(file, raw);
    return file;
  }

  /** Joins a video of `frames` frames at `rate` with a mix of the same length. */
  async function video(format: FileFormat, frames: number, rate: { num: number; den: number }, click: number) {
    const folder = temporaryFolder();
    const samples = Math.round((frames * 48_000 * rate.den) / rate.num);
    const sound = { file: mixFile(folder, samples, click), format };
    const segment = join(folder, `segment.${format}`);
    const source = ['-f', 'lavfi', '-i', `testsrc=s=64x48:r=${rate.num}/${rate.den}`, '-frames:v', String(frames)];
    ffmpegRun(ffmpeg, ...source, ...videoEncoders[format], '-pix_fmt', 'yuv420p', segment);
    const output = join(folder, `out.${format}`);
    await joinSegments(ffmpegAt(ffmpeg), [segment], planOf(format, frames, rate), folder, output, undefined, sound);
    return { output, samples };
  }

  test('joins IVF segments with sound', async () => {
    const folder = temporaryFolder();
    const { preset, crf, params } = h264Settings.draft;
    const source = ['-f', 'lavfi', '-i', 'testsrc=s=64x48:r=30', '-frames:v', '2', '-pix_fmt', 'yuv420p'];
    const encoder = ['-c:v', 'libx264', '-preset', preset, '-crf', String(crf), '-x264-params', params];
    const encoded = insertSkippedFrames(ffmpegRun(ffmpeg, ...source, ...encoder, '-f', 'h264', '-'), [20, 37]);
    const segment = join(folder, 'segment.ivf');
    writeFileSync(segment, ivfFrames(encoded, 0));
    const output = join(folder, 'out.mp4');
    const sound: Sound = { file: mixFile(folder, 96_000, 54_321), format: 'mp4' };
    await joinSegments(ffmpegAt(ffmpeg), [segment], planOf('mp4', 59, thirty), folder, output, undefined, sound);
    expect(existsSync(segment)).toBe(false);
    expect(loudest(decodeSound(ffmpeg, output).left)).toBe(54_321);
    expect(await probeMedia(ffmpegAt(ffmpeg), output)).toMatchObject({
      duration: 2,
      video: { codec: 'h264', width: 64, height: 48, fps: 30 },
      audio: { codec: 'aac', layout: 'stereo' },
    });
  });

  // AAC and Opus blur a click, but its loudest sample keeps its position.
  describe.each<[FileFormat, number, number, { num: number; den: number }]>([
    ['mp4', 30, 12_345, thirty],
    ['mp4', 47, 70_001, ntsc],
    ['mp4', 1, 800, thirty],
    ['webm', 30, 12_345, thirty],
    ['webm', 47, 70_001, ntsc],
    ['mov', 30, 12_345, thirty],
    ['mov', 47, 70_001, ntsc],
  ])('%s of %d frames', (format, frames, click, rate) => {
    test.each(all)(`has a click at sample ${click} for ffmpeg $version`, async (reader) => {
      const { output, samples } = await video(format, frames, rate, click);
      const { left } = decodeSound(reader.ffmpeg, output);
      expect(loudest(left)).toBe(click);
      // ffmpeg decodes AAC in blocks of 1024 samples and does not cut the last one.
      expect(left).toHaveLength(format === 'mp4' ? Math.ceil(samples / 1024) * 1024 : samples);
      expect((await probeMedia(ffmpegAt(reader.ffmpeg), output)).duration).toBeCloseTo(
        (frames * rate.den) / rate.num,
        2,
      );
    });

    test('has frames and sound that start together and have the same length', async () => {
      const { output, samples } = await video(format, frames, rate, click);
      const input = new Input({ source: new FilePathSource(output), formats: ALL_FORMATS });
      const [sound, picture] = [await input.getPrimaryAudioTrack(), await input.getPrimaryVideoTrack()];
      // The priming samples of AAC are before 0, where the edit list skips them.
      expect(await sound?.getFirstTimestamp()).toBe(format === 'mp4' ? -1024 / 48_000 : 0);
      expect(await picture?.getFirstTimestamp()).toBe(0);
      // Matroska rounds to milliseconds and has no length for the last packet, which is a part of 20 ms.
      const exact = format === 'webm' ? { sound: 0.02, picture: 0.001 } : { sound: 0, picture: 0.5 / 48_000 };
      const lasts = samples / 48_000;
      expect(Math.abs(((await sound?.computeDuration()) ?? 0) - lasts)).toBeLessThanOrEqual(exact.sound);
      expect(Math.abs(((await picture?.computeDuration()) ?? 0) - lasts)).toBeLessThanOrEqual(exact.picture);
      input.dispose();
    });
  });
});
