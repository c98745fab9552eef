// Inserts skipped frames into real x264 streams and decodes them: which frames appear, how often, and when.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { h264Settings } from '../../../renderer-core/media/codecs.ts';
import { ivfFrames } from '../../../renderer-core/media/ivf.ts';
import { joinSegments } from '../../../renderer-core/media/join.ts';
import { insertSkippedFrames } from '../../../renderer-core/media/repeatedFrames.ts';
import { temporaryFolder } from '../../support/project.ts';
import { ffmpegAt, referenceFfmpeg } from '../../support/renders/ffmpeg.ts';

const ffmpeg = referenceFfmpeg;
const run = (...args: string[]) => execFileSync(ffmpeg, ['-v', 'error', ...args], { maxBuffer: 1 << 28 });

/** Encodes a moving test video with the settings of a render. */
function encode(quality: 'draft' | 'standard', frames: number, size: string, more = ''): Buffer {
  const { preset, crf, params } = h264Settings[quality];
  const source = ['-f', 'lavfi', '-i', `testsrc=size=${size}:rate=30`, '-frames:v', String(frames)];
  const encoder = ['-c:v', 'libx264', '-preset', preset, '-crf', String(crf), '-x264-params', params + more];
  return run(...source, ...encoder, '-pix_fmt', 'yuv420p', '-f', 'h264', '-');
}

/** The frames of a file as letters: equal letters are equal frames. */
function shown(file: string): string {
  const sums =
    run('-i', file, '-f', 'framemd5', '-')
      .toString()
      .match(/[0-9a-f]{32}$/gm) ?? [];
  const distinct = [...new Set(sums)];
  return sums.map((sum) => String.fromCharCode(97 + distinct.indexOf(sum))).join('');
}

async function mp4(segments: Buffer[][], rate: { num: number; den: number }, size = '320x180'): Promise<string> {
  const folder = temporaryFolder();
  const [width = 0, height = 0] = size.split('x').map(Number);
  let first = 0;
  const files = segments.map((frames, index) => {
    const file = join(folder, `${index}.ivf`);
    writeFileSync(file, ivfFrames(frames, first));
    first += frames.length;
    return file;
  });
  const output = join(folder, 'out.mp4');
  const plan = { fps: rate, width, height, frames: first, chunks: [], format: 'mp4', codec: 'h264' } as const;
  await joinSegments(ffmpegAt(ffmpeg), files, plan, folder, output);
  return output;
}

const thirty = { num: 30, den: 1 };

test.each([
  ['draft', '320x180', '', [0, 0, 0, 0, 0, 0], 'abcdef'],
  ['draft', '320x180', '', [2, 0, 1, 0, 0, 3], 'aaabccdeffff'],
  ['standard', '322x182', '', [2, 0, 1, 0, 0, 3], 'aaabccdeffff'],
  // A new sequence starts at every third frame, where frame numbers restart.
  ['standard', '320x180', ':keyint=3', [2, 0, 1, 0, 0, 3], 'aaabccdeffff'],
] as const)('%s %s%s: repeats frames %j times, which shows %s', async (quality, size, more, repeats, expected) => {
  const frames = insertSkippedFrames(encode(quality, repeats.length, size, more), repeats);
  expect(shown(await mp4([frames], thirty, size))).toBe(expected);
});

test('repeats a frame more often than frame numbers can count', async () => {
  const frames = insertSkippedFrames(encode('draft', 3, '320x180'), [0, 100, 0]);
  expect(shown(await mp4([frames], thirty))).toBe(`a${'b'.repeat(101)}c`);
});

test('inserts frames of about a dozen bytes', () =>
  expect(insertSkippedFrames(encode('standard', 1, '1920x1080'), [1])[1]?.length).toBeLessThan(20));

test('joins segments with exact times', async () => {
  const file = await mp4(
    [
      insertSkippedFrames(encode('draft', 2, '320x180'), [1, 0]),
      insertSkippedFrames(encode('draft', 2, '320x180'), [0, 2]),
    ],
    { num: 30000, den: 1001 },
  );
  const times = run('-i', file, '-c', 'copy', '-f', 'framemd5', '-')
    .toString()
    .match(/^0, +\d+, +\d+, +\d+/gm);
  expect(times?.map((line) => line.replaceAll(' ', ''))).toEqual(
    Array.from({ length: 7 }, (_, frame) => `0,${frame * 1001},${frame * 1001},1001`),
  );
});

test('rejects a stream with B frames', () =>
  expect(() => insertSkippedFrames(encode('draft', 6, '320x180', ':bframes=2'), [])).toThrow(
    'cannot repeat frames of this H.264 stream: it must have the same decoding and display order',
  ));
