import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runFfmpeg } from '../../../renderer-core/media/ffmpeg.ts';
import { declareLight, lightSpace, withLight } from '../../../renderer-core/media/lightLevels.ts';
import { temporaryFolder } from '../../support/project.ts';
import { ffmpegAt, referenceFfmpeg } from '../../support/renders/ffmpeg.ts';
import { box, indexIsFirst } from '../../support/renders/movieBoxes.ts';
import { everyFfmpeg, ffmpegRun } from '../../support/renders/sound.ts';

describe('withLight', () => {
  const header = [0, 0, 0, 0, 0, 0, 0, 1];
  const track = (description: Buffer, ...more: Buffer[]): Buffer =>
    box('trak', box('mdia', box('minf', box('stbl', box('stsd', header, description), box('stsz', [4])))), ...more);
  const filled = (name: string, length: number): Buffer => box(name, Buffer.alloc(length - 8));
  const sound = track(box('mp4a', [6]));
  const video = box('hvc1', [1, 2, 3]);
  const space = filled('udta', 44);

  /** Green, blue, red and white, x and y each. */
  const primaries = [33, 52, 155, 170, 25, 150, 8, 252, 138, 72, 57, 8, 61, 19, 64, 66];
  /** 1000 and 0.0001 cd/m² in steps of 0.0001; 204 and 80 cd/m². */
  const mdcv = box('mdcv', primaries, [0, 0x98, 0x96, 0x80], [0, 0, 0, 1]);
  const clli = box('clli', [0, 204], [0, 80]);
  const levels = { maxCll: 203.4, maxFall: 80 };

  test('replaces a title by the levels', () => {
    const changed = withLight(box('moov', box('mvhd', [9]), sound, track(video, space)), levels);
    const declared = track(box('hvc1', [1, 2, 3], mdcv, clli));
    expect(changed).toEqual(box('moov', box('mvhd', [9]), sound, declared));
  });

  test.each(['hvc1', 'hev1', 'av01'])('fills the rest of the space in a movie of %s', (name) => {
    const changed = withLight(box('moov', track(box(name, [1, 2, 3])), filled('udta', 98)), levels);
    const declared = track(box(name, [1, 2, 3], mdcv, clli));
    expect(changed).toEqual(box('moov', declared, filled('free', 54)));
  });

  test('uses the first space that is large enough and leaves the others', () => {
    const changed = withLight(box('moov', track(video, filled('udta', 51)), filled('udta', 52)), levels);
    const declared = track(box('hvc1', [1, 2, 3], mdcv, clli), filled('udta', 51));
    expect(changed).toEqual(box('moov', declared, filled('free', 8)));
  });

  test.each([
    [
      { maxCll: 0, maxFall: 0 },
      { display: 1000, maxCll: 1, maxFall: 1 },
    ],
    [
      { maxCll: 1000, maxFall: 0.2 },
      { display: 1000, maxCll: 1000, maxFall: 1 },
    ],
    [
      { maxCll: 1000.1, maxFall: 400 },
      { display: 1001, maxCll: 1001, maxFall: 400 },
    ],
    [
      { maxCll: 10_000, maxFall: 10_000 },
      { display: 10_000, maxCll: 10_000, maxFall: 10_000 },
    ],
    [
      { maxCll: 70_000, maxFall: 65_536 },
      { display: 10_000, maxCll: 65_535, maxFall: 65_535 },
    ],
  ])('writes %o as %o', (given, expected) => {
    const changed = withLight(box('moov', track(video, space)), given);
    const [display, light] = [changed.indexOf('mdcv') + 4, changed.indexOf('clli') + 4];
    expect({
      display: changed.readUInt32BE(display + 16) / 10_000,
      maxCll: changed.readUInt16BE(light),
      maxFall: changed.readUInt16BE(light + 2),
    }).toEqual(expected);
  });

  test.each([
    [box('moov', track(video), filled('udta', 43)), 'the movie has no space for its light levels'],
    [box('moov', track(box('avc1', [1])), space), 'the movie has no video of H.265 or AV1'],
    [box('moov', sound, space), 'the movie has no video of H.265 or AV1'],
  ])('rejects other movies', (moov, message) => {
    expect(() => withLight(moov, levels)).toThrow(message);
  });
});

const encoders = {
  h265: ['-c:v', 'libx265', '-x265-params', 'log-level=error', '-tag:v', 'hvc1'],
  av1: ['-c:v', 'libaom-av1', '-strict', 'experimental', '-cpu-used', '8', '-crf', '40', '-b:v', '0'],
};
const tags = ['-color_primaries', 'bt2020', '-color_trc', 'smpte2084', '-colorspace', 'bt2020nc'];
const sources = ['-f', 'lavfi', '-i', 'testsrc=s=64x64:r=10:d=0.5', '-f', 'lavfi', '-i', 'sine=d=0.5'];

/** The checksums of the frames and of the sound. */
const decoded = (path: string): string => ffmpegRun(referenceFfmpeg, '-i', path, '-f', 'framemd5', '-').toString();

/** What ffmpeg prints of a file under `Side data:`. */
function sideData(path: string): string[] {
  const { stderr } = spawnSync(referenceFfmpeg, ['-hide_banner', '-i', path], { encoding: 'utf8' });
  return stderr.split('\n').flatMap((line) => /^ {6}(.* Metadata, .*)$/.exec(line)?.[1] ?? []);
}

const all = [...(await everyFfmpeg()), { version: 'of 2018', ffmpeg: referenceFfmpeg }];

describe.each(all)('ffmpeg $version', ({ ffmpeg }) => {
  test.each([
    ['h265', 'mp4', 'first'],
    ['h265', 'mp4', 'last'],
    ['h265', 'mov', 'first'],
    ['h265', 'mov', 'last'],
    ['av1', 'mp4', 'first'],
    ['av1', 'mp4', 'last'],
  ] as const)('declares the levels of %s in %s with the index %s', async (codec, format, index) => {
    const folder = temporaryFolder();
    const [source, path] = [join(folder, 'source.mp4'), join(folder, `video.${format}`)];
    ffmpegRun(referenceFfmpeg, ...sources, ...encoders[codec], '-pix_fmt', 'yuv420p10le', ...tags, source);
    const copy = ['-i', source, '-map', '0:v:0', '-map', '0:a:0', '-c', 'copy', '-strict', 'experimental'];
    const flags = ['-movflags', index === 'first' ? '+faststart+write_colr' : '+write_colr'];
    await runFfmpeg(ffmpegAt(ffmpeg), [...copy, ...lightSpace, ...flags, '-f', format, path]);
    const [before, { length }] = [decoded(path), readFileSync(path)];
    expect(sideData(path)).toEqual([]);

    await declareLight(path, { maxCll: 1203.4, maxFall: 80 });

    expect(sideData(path)).toEqual([
      'Mastering Display Metadata, has_primaries:1 has_luminance:1 r(0.7080,0.2920) g(0.1700,0.7970) b(0.1310 0.0460) wp(0.3127, 0.3290) min_luminance=0.000100, max_luminance=1204.000000',
      'Content Light Level Metadata, MaxCLL=1204, MaxFALL=80',
    ]);
    expect(decoded(path)).toBe(before);
    expect(readFileSync(path).length).toBe(length);
    expect(indexIsFirst(readFileSync(path))).toBe(index === 'first');
    expect(readFileSync(path).includes(' '.repeat(8))).toBe(false);
  });
});
