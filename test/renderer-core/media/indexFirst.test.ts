// A video that is sent while it is joined has the bytes of one that is joined first.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { h264Settings } from '../../../renderer-core/media/codecs.ts';
import type { SoundFormat } from '../../../renderer-core/media/encodeSound.ts';
import { finalFrom, indexFirst, moveInFront } from '../../../renderer-core/media/indexFirst.ts';
import { ivfFrames } from '../../../renderer-core/media/ivf.ts';
import { type JoinPlan, joinSegments, type StreamedJoin } from '../../../renderer-core/media/join.ts';
import { insertSkippedFrames } from '../../../renderer-core/media/repeatedFrames.ts';
import type { Codec } from '../../../renderer-core/plan/formats.ts';
import { temporaryFolder } from '../../support/project.ts';
import { ffmpegAt, referenceFfmpeg } from '../../support/renders/ffmpeg.ts';
import { box, boxNames, videoIn } from '../../support/renders/movieBoxes.ts';
import { everyFfmpeg, ffmpegRun } from '../../support/renders/sound.ts';

const all = await everyFfmpeg();

/** Frames of two segments. The muxer for mp4 without sound writes half a second at once. */
const chunks = [
  { index: 0, start: 0, end: 24 },
  { index: 1, start: 24, end: 30 },
];

function planOf(format: SoundFormat, codec: Codec, segments: readonly string[], more: Partial<StreamedJoin> = {}) {
  const plan: JoinPlan = { format, codec, fps: { num: 30, den: 1 }, frames: 30, width: 64, height: 48, chunks };
  const bytes = segments.reduce((sum, path) => sum + statSync(path).size, 0);
  return { plan, streamed: { arrival: async () => undefined, bytes, ...more } };
}

const { preset, crf, params } = h264Settings.draft;
const draft = ['-preset', preset, '-crf', String(crf), '-x264-params', params];

/** The ffmpeg arguments for these frames of a test pattern. */
function testFrames(start: number, end: number): string[] {
  const pattern = `testsrc=s=64x48:r=30,trim=start_frame=${start}`;
  return ['-f', 'lavfi', '-i', pattern, '-frames:v', String(end - start)];
}

/** `filler`: bytes that each frame gets in addition, which decoders skip. */
function ivfSegments(folder: string, filler = 0): string[] {
  return chunks.map(({ index, start, end }) => {
    const encoder = ['-c:v', 'libx264', ...draft, '-pix_fmt', 'yuv420p', '-f', 'h264'];
    const stream = ffmpegRun(referenceFfmpeg, ...testFrames(start, end), ...encoder, '-');
    const unit = Buffer.concat([Buffer.of(0, 0, 0, 1, 12), Buffer.alloc(filler, 0xff), Buffer.of(0x80)]);
    const frames = insertSkippedFrames(stream, []).map((frame) =>
      filler === 0 ? frame : Buffer.concat([frame, unit]),
    );
    const path = join(folder, `${index}.ivf`);
    writeFileSync(path, ivfFrames(frames, start));
    return path;
  });
}

function segments(ffmpeg: string, folder: string, extension: string, ...encoder: string[]): string[] {
  return chunks.map(({ index, start, end }) => {
    const path = join(folder, `${index}.${extension}`);
    ffmpegRun(ffmpeg, ...testFrames(start, end), ...encoder, '-pix_fmt', 'yuv420p', path);
    return path;
  });
}

function sound(folder: string, format: SoundFormat) {
  const file = join(folder, 'mix.f32');
  writeFileSync(file, Buffer.alloc(48_000 * 8, '0.1'));
  return { file, format };
}

describe.each(all)('ffmpeg $version', { timeout: 60_000 }, ({ ffmpeg }) => {
  test.each<[SoundFormat, Codec, 'sound' | 'no sound', (folder: string) => string[], string[]]>([
    ['mp4', 'h264', 'sound', (folder) => ivfSegments(folder), ['ftyp', 'free', 'mdat', 'moov']],
    ['mp4', 'h264', 'no sound', (folder) => ivfSegments(folder), ['ftyp', 'moov', 'mdat']],
    [
      'mp4',
      'h264',
      'sound',
      (folder) => segments(ffmpeg, folder, 'mp4', '-c:v', 'libx264'),
      ['ftyp', 'free', 'mdat', 'moov'],
    ],
    [
      'mov',
      'h264',
      'sound',
      (folder) => segments(ffmpeg, folder, 'mov', '-c:v', 'libx264'),
      ['ftyp', 'wide', 'mdat', 'moov'],
    ],
    [
      'mov',
      'h264',
      'no sound',
      (folder) => segments(ffmpeg, folder, 'mov', '-c:v', 'libx264'),
      ['ftyp', 'wide', 'mdat', 'moov'],
    ],
  ])('%s of %s with %s', async (format, codec, hasSound, make, written) => {
    const folder = temporaryFolder();
    const [early, late] = [join(folder, 'early'), join(folder, 'late')];
    const mix = hasSound === 'sound' ? sound(folder, format) : undefined;
    const paths = make(folder);
    const { plan, streamed } = planOf(format, codec, paths);
    await joinSegments(ffmpegAt(ffmpeg), paths, { ...plan, streamed }, folder, early, undefined, mix);
    expect(boxNames(readFileSync(early))).toEqual(written);
    await joinSegments(ffmpegAt(ffmpeg), make(folder), plan, folder, late, undefined, mix);
    expect(videoIn(early, await indexFirst(early, format)).equals(readFileSync(late))).toBe(true);
  });
});

test.each(['sound', 'no sound'])('what was written of a long video with %s stays as it was', async (hasSound) => {
  const folder = temporaryFolder();
  const output = join(folder, 'early');
  const paths = ivfSegments(folder, 4_000_000);
  let before = Buffer.alloc(0);
  const arrival = async (index: number) => {
    if (index === 0) return;
    await vi.waitFor(() => expect(statSync(output).size).toBeGreaterThan(finalFrom(30)), 30_000);
    before = readFileSync(output).subarray(finalFrom(30));
  };
  const { plan, streamed } = planOf('mp4', 'h264', paths, { arrival });
  const mix = hasSound === 'sound' ? sound(folder, 'mp4') : undefined;
  await joinSegments(ffmpegAt(referenceFfmpeg), paths, { ...plan, streamed }, folder, output, undefined, mix);
  const after = readFileSync(output).subarray(finalFrom(30));
  expect(after.subarray(0, before.length).equals(before)).toBe(true);
});

describe('moveInFront', () => {
  const index = (table: Buffer): Buffer =>
    box('moov', box('mvhd', [1, 2, 3]), box('trak', box('mdia', box('minf', box('stbl', box('stsz', [4]), table)))));
  const header = (count: number) => [0, 0, 0, 0, 0, 0, 0, count];

  test('adds the length of the index to the offsets', () => {
    const before = index(box('stco', header(2), [0, 0, 0, 40], [0, 0, 1, 0]));
    expect(before.length).toBe(84);
    expect(moveInFront(before)).toEqual(index(box('stco', header(2), [0, 0, 0, 124], [0, 0, 1, 84])));
  });

  test('keeps offsets that just fit into four bytes', () => {
    const before = index(box('stco', header(2), [0, 0, 0, 40], [0xff, 0xff, 0xff, 0xff - 84]));
    expect(moveInFront(before)).toEqual(index(box('stco', header(2), [0, 0, 0, 124], [0xff, 0xff, 0xff, 0xff])));
  });

  test('uses eight bytes for offsets that do not fit into four any more', () => {
    const before = index(box('stco', header(2), [0, 0, 0, 40], [0xff, 0xff, 0xff, 0xff - 83]));
    const table = box('co64', header(2), [0, 0, 0, 0, 0, 0, 0, 132], [0, 0, 0, 1, 0, 0, 0, 8]);
    expect(moveInFront(before)).toEqual(index(table));
  });

  test('moves offsets of eight bytes', () => {
    const before = index(box('co64', header(1), [0, 0, 0, 1, 0, 0, 0, 8]));
    expect(moveInFront(before)).toEqual(index(box('co64', header(1), [0, 0, 0, 1, 0, 0, 0, 92])));
  });
});
