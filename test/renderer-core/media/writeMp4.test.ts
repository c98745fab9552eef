// Writes MP4 files from real x264 streams and reads them back with ffmpeg and mediabunny.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ALL_FORMATS, FilePathSource, Input } from 'mediabunny';
import { expect, test, vi } from 'vitest';
import { h264Settings } from '../../../renderer-core/media/codecs.ts';
import { ivfFrames } from '../../../renderer-core/media/ivf.ts';
import { insertSkippedFrames } from '../../../renderer-core/media/repeatedFrames.ts';
import { writeMp4 } from '../../../renderer-core/media/writeMp4.ts';
import { temporaryFolder } from '../../support/project.ts';
import { referenceFfmpeg } from '../../support/renders/ffmpeg.ts';
import { boxNames } from '../../support/renders/movieBoxes.ts';

const ffmpeg = referenceFfmpeg;
const run = (...args: string[]) => execFileSync(ffmpeg, ['-v', 'error', ...args], { maxBuffer: 1 << 28 });

const ntsc = { num: 30000, den: 1001 };
const size = { width: 320, height: 180 };

/** Frames of a test video, the same ones for the same `first`. */
function encode(count: number, first: number): Buffer[] {
  const { preset, crf, params } = h264Settings.standard;
  const source = `testsrc=size=320x180:rate=30,trim=start_frame=${first}`;
  const encoder = ['-c:v', 'libx264', '-preset', preset, '-crf', String(crf), '-x264-params', params];
  const input = ['-f', 'lavfi', '-i', source, '-frames:v', String(count)];
  return insertSkippedFrames(run(...input, ...encoder, '-pix_fmt', 'yuv420p', '-f', 'h264', '-'), []);
}

function writeSegments(folder: string, ...segments: Buffer[][]): string[] {
  let first = 0;
  return segments.map((frames, index) => {
    const path = join(folder, `${index}.ivf`);
    writeFileSync(path, ivfFrames(frames, first));
    first += frames.length;
    return path;
  });
}

/** Stream, decoding time, presentation time, duration, ... of every frame as it is stored. */
const stored = (file: string): string[] =>
  run('-i', file, '-c', 'copy', '-f', 'framemd5', '-').toString().match(/^0,.*/gm) ?? [];

const decoded = (file: string): string[] => run('-i', file, '-f', 'framemd5', '-').toString().match(/^0,.*/gm) ?? [];

test('writes the index before the frames, with exact times, durations and colors', async () => {
  const folder = temporaryFolder();
  const output = join(folder, 'out.mp4');
  await writeMp4(writeSegments(folder, encode(40, 0), encode(20, 40)), output, { ...size, fps: ntsc });
  const file = readFileSync(output);
  expect(boxNames(file)).toEqual(['ftyp', 'moov', 'mdat']);
  // Timescale and duration, in the headers of the movie and of the track.
  for (const header of ['mvhd', 'mdhd']) {
    const at = file.indexOf(header) + 4;
    expect([file.readUInt32BE(at + 12), file.readUInt32BE(at + 16)], header).toEqual([30000, 60 * 1001]);
  }
  expect(file.readUInt32BE(file.indexOf('tkhd') + 24)).toBe(60 * 1001);
  expect(stored(output).map((line) => line.split(/, */).slice(1, 4).join())).toEqual(
    Array.from({ length: 60 }, (_, frame) => `${frame * 1001},${frame * 1001},1001`),
  );
  const track = await new Input({ formats: ALL_FORMATS, source: new FilePathSource(output) }).getPrimaryVideoTrack();
  expect(await track?.getColorSpace()).toEqual({
    primaries: 'bt709',
    transfer: 'bt709',
    matrix: 'bt709',
    fullRange: false,
  });
});

test('keeps the segments, or deletes each one when its frames are written', async () => {
  const folder = temporaryFolder();
  const segments = writeSegments(folder, encode(3, 0), encode(3, 3));
  await writeMp4(segments, join(folder, 'a.mp4'), { ...size, fps: ntsc });
  expect(segments.map((path) => existsSync(path))).toEqual([true, true]);
  const left: boolean[][] = [];
  const onJoined = async () => void left.push(segments.map((path) => existsSync(path)));
  await writeMp4(segments, join(folder, 'b.mp4'), { ...size, fps: ntsc, deleteSegments: true, onJoined });
  expect(left).toEqual([
    [false, true],
    [false, false],
  ]);
  expect(readFileSync(join(folder, 'b.mp4')).equals(readFileSync(join(folder, 'a.mp4')))).toBe(true);
});

test('writes the same bytes at any time of day', async () => {
  const folder = temporaryFolder();
  const segments = writeSegments(folder, encode(3, 0));
  const write = async (name: string) => {
    await writeMp4(segments, join(folder, name), { ...size, fps: ntsc });
    return readFileSync(join(folder, name));
  };
  const first = await write('a.mp4');
  vi.useFakeTimers({ now: Date.now() + 3600_000, toFake: ['Date'] });
  try {
    expect((await write('b.mp4')).equals(first)).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});

test('writes the index before the frames of a video that does not fit in memory', async () => {
  const folder = temporaryFolder();
  const frames = encode(4, 0);
  // Filler data, which decoders skip.
  const filler = Buffer.concat([Buffer.of(0, 0, 0, 1, 12), Buffer.alloc(17 * 1024 * 1024, 0xff), Buffer.of(0x80)]);
  const large = frames.map((frame, index) => (index % 2 === 1 ? Buffer.concat([frame, filler]) : frame));
  const write = async (name: string, content: Buffer[]) => {
    const output = join(folder, name);
    await writeMp4(writeSegments(folder, content.slice(0, 2), content.slice(2)), output, { ...size, fps: ntsc });
    return output;
  };
  const file = await write('large.mp4', large);
  expect(boxNames(readFileSync(file))).toEqual(['ftyp', 'moov', 'free', 'mdat']);
  expect(decoded(file)).toEqual(decoded(await write('small.mp4', frames)));
});

test('stops when the signal is aborted', async () => {
  const folder = temporaryFolder();
  const segments = writeSegments(folder, encode(3, 0));
  const written = writeMp4(segments, join(folder, 'out.mp4'), { ...size, fps: ntsc }, AbortSignal.abort());
  await expect(written).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
});

test.runIf(process.platform === 'linux')('reports a full disk', async () => {
  const segments = writeSegments(temporaryFolder(), encode(3, 0));
  const written = writeMp4(segments, '/dev/full', { ...size, fps: ntsc });
  await expect(written).rejects.toThrow(expect.objectContaining({ code: 'disk_full' }));
});
