// The mix beside the pictures: what ffmpeg is told, and what a player then hears, to the sample.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { joinArguments } from '../../renderer-core/media/encode.ts';
import { type SoundFormat, soundEncoder, soundInput } from '../../renderer-core/media/encodeSound.ts';
import { joinSegments } from '../../renderer-core/media/segment.ts';
import { temporaryFolder } from '../support/project.ts';
import { decodeSound, everyFfmpeg, ffmpegRun, loudest } from '../support/sound.ts';

const thirty = { num: 30, den: 1 };

test('sound is encoded while the pictures are copied', () =>
  expect(joinArguments({ ivf: true }, thirty, '/out/a.mp4', { file: '/tmp/mix.f32', format: 'mp4' }).join(' ')).toBe(
    '-hide_banner -nostdin -loglevel error -y -f ivf -i pipe:0 -f f32le -ar 48000 -ac 2 -i /tmp/mix.f32 ' +
      '-map 0:v:0 -c copy -map 1:a:0 -c:a aac -b:a 192k -video_track_timescale 30 -movflags +faststart -f mp4 /out/a.mp4',
  ));

test.each<[SoundFormat, string]>([
  ['mp4', '-map 1:a:0 -c:a aac -b:a 192k'],
  ['webm', '-map 1:a:0 -c:a libopus -b:a 160k'],
  ['mov', '-map 1:a:0 -c:a pcm_s16le'],
])('%s takes %s', (format, expected) => expect(soundEncoder({ file: 'a', format }).join(' ')).toBe(expected));

const pictures: Record<SoundFormat, string[]> = {
  mp4: ['-c:v', 'libx264', '-preset', 'ultrafast'],
  webm: ['-c:v', 'libvpx', '-deadline', 'realtime'],
  mov: ['-c:v', 'png'],
};

const all = await everyFfmpeg();

describe.each(all)('ffmpeg $version', { timeout: 60_000 }, ({ ffmpeg }) => {
  /** Raw sound with one loud click among a quiet tone. */
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

  /** A video of `frames` pictures at `rate`, joined with a mix of the same length. */
  async function video(format: SoundFormat, frames: number, rate: { num: number; den: number }, click: number) {
    const folder = temporaryFolder();
    const samples = Math.round((frames * 48_000 * rate.den) / rate.num);
    const sound = { file: mixFile(folder, samples, click), format };
    const segment = join(folder, `segment.${format}`);
    const source = ['-f', 'lavfi', '-i', `testsrc=s=64x48:r=${rate.num}/${rate.den}`, '-frames:v', String(frames)];
    ffmpegRun(ffmpeg, ...source, ...pictures[format], '-pix_fmt', format === 'mov' ? 'rgba' : 'yuv420p', segment);
    const output = join(folder, `out.${format}`);
    const size = { fps: rate, width: 64, height: 48 };
    if (format === 'mp4') await joinSegments(ffmpeg, [segment], size, folder, output, undefined, sound);
    else
      ffmpegRun(
        ffmpeg,
        '-i',
        segment,
        ...soundInput(sound),
        '-map',
        '0:v:0',
        '-c',
        'copy',
        ...soundEncoder(sound),
        output,
      );
    return { output, samples };
  }

  // AAC and Opus smear a click over what surrounds it, but its loudest sample stays where it is.
  describe.each<[SoundFormat, number, number, { num: number; den: number }]>([
    ['mp4', 30, 12_345, thirty],
    ['mp4', 47, 70_001, { num: 30000, den: 1001 }],
    ['mp4', 1, 800, thirty],
    ['webm', 30, 12_345, thirty],
    ['webm', 47, 70_001, { num: 30000, den: 1001 }],
    ['mov', 30, 12_345, thirty],
    ['mov', 47, 70_001, { num: 30000, den: 1001 }],
  ])('%s of %d frames', (format, frames, click, rate) => {
    test.each(all)(`has a click at sample ${click}, and its exact length, for ffmpeg $version`, async (reader) => {
      const { output, samples } = await video(format, frames, rate, click);
      const { left } = decodeSound(reader.ffmpeg, output);
      expect(loudest(left)).toBe(click);
      expect(left).toHaveLength(samples);
    });
  });
});
