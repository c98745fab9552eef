// What ffmpeg is told, word for word: pictures to a segment or to numbered files, segments to one file.
import { describe, expect, test } from 'vitest';
import {
  h264Settings,
  joinArguments,
  type PictureInput,
  pngArguments,
  segmentArguments,
} from '../../renderer-core/media/encode.ts';
import { qualities } from '../../renderer-core/plan/formats.ts';

const quiet = '-hide_banner -nostdin -loglevel error -y';
const bt709 = '-color_primaries bt709 -color_trc bt709 -colorspace bt709 -color_range tv';
const toBt709 =
  'scale=flags=accurate_rnd+full_chroma_int+full_chroma_inp:out_color_matrix=bt709:out_range=tv,format=yuv420p';
const thirty = { num: 30, den: 1 };
const ntsc = { num: 30000, den: 1001 };
const input = (pixels: PictureInput['pixels'], width = 1920, height = 1080): PictureInput => ({
  pixels,
  width,
  height,
});

/** Presets and rates are tuned elsewhere; that they are passed on is what is checked. */
function x264(quality: (typeof qualities)[number]): string {
  const { preset, crf, params } = h264Settings[quality];
  return `-c:v libx264 -preset ${preset} -crf ${crf} -x264-params ${params} -pix_fmt yuv420p`;
}

describe('segmentArguments', () => {
  const check = (picture: PictureInput, rate: typeof thirty, quality: (typeof qualities)[number], expected: string) =>
    expect(segmentArguments(picture, rate, quality, '/tmp/s').join(' ')).toBe(expected);

  test('planes from the page are encoded as they are, into a stream whose pictures can be held', () =>
    check(
      input('i420'),
      thirty,
      'standard',
      `${quiet} -f rawvideo -pix_fmt yuv420p -s 1920x1080 -framerate 30 -i pipe:0 ${x264('standard')} ${bt709} -f h264 /tmp/s`,
    ));

  test('screenshots are converted; time stamps are exact at broadcast rates', () =>
    check(
      input('png'),
      ntsc,
      'high',
      `${quiet} -f image2pipe -c:v png -framerate 30000/1001 -i pipe:0 -vf ${toBt709} ${x264('high')} ${bt709} -video_track_timescale 30000 -f mp4 /tmp/s`,
    ));

  test('raw pixels are converted', () =>
    check(
      input('rgba', 64, 48),
      thirty,
      'draft',
      `${quiet} -f rawvideo -pix_fmt rgba -s 64x48 -framerate 30 -i pipe:0 -vf ${toBt709} ${x264('draft')} ${bt709} -f h264 /tmp/s`,
    ));

  test.each([
    [321, 181, 'pad=ceil(iw/2)*2:ceil(ih/2)*2,fillborders=right=1:bottom=1:mode=smear,'],
    [321, 180, 'pad=ceil(iw/2)*2:ceil(ih/2)*2,fillborders=right=1:bottom=0:mode=smear,'],
    [320, 181, 'pad=ceil(iw/2)*2:ceil(ih/2)*2,fillborders=right=0:bottom=1:mode=smear,'],
    [320, 180, ''],
  ])('a screenshot of %dx%d repeats its last row and column where that makes it even', (width, height, pad) => {
    const args = segmentArguments(input('png', width, height), thirty, 'standard', 's');
    expect(args[args.indexOf('-vf') + 1]).toBe(`${pad}${toBt709}`);
  });

  test('better qualities take no worse rate factor', () => {
    expect(h264Settings.high.crf).toBeLessThan(h264Settings.standard.crf);
    expect(h264Settings.standard.crf).toBeLessThanOrEqual(h264Settings.draft.crf);
  });

  test.each(qualities)('%s fixes the number of threads, which x264’s output depends on', (quality) => {
    expect(h264Settings[quality].params).toMatch(/(^|:)threads=[1-9]/);
  });
});

describe('pngArguments', () => {
  test.each([
    [
      input('png'),
      '/out',
      0,
      '-f image2pipe -c:v png -framerate 30 -i pipe:0 -c:v copy -f image2 -start_number 0 /out/frame-%06d.png',
    ],
    [
      input('rgba', 8, 8),
      '/50% off',
      240,
      '-f rawvideo -pix_fmt rgba -s 8x8 -framerate 30 -i pipe:0 -c:v png -compression_level 3 -pred mixed -f image2 -start_number 240 /50%% off/frame-%06d.png',
    ],
  ])('%j into %s from %d', (picture, folder, start, expected) =>
    expect(pngArguments(picture, thirty, folder, start).join(' ')).toBe(`${quiet} ${expected}`));
});

describe('joinArguments copies, and puts the index in front', () => {
  test('segments that are listed', () =>
    expect(joinArguments({ list: '/tmp/list.txt' }, ntsc, '/out/a.mp4').join(' ')).toBe(
      `${quiet} -f concat -safe 0 -i /tmp/list.txt -map 0:v:0 -c copy -video_track_timescale 30000 -movflags +faststart -f mp4 /out/a.mp4`,
    ));

  test('segments that come on standard input', () =>
    expect(joinArguments({ ivf: true }, thirty, '/out/a.mp4').join(' ')).toBe(
      `${quiet} -f ivf -i pipe:0 -map 0:v:0 -c copy -video_track_timescale 30 -movflags +faststart -f mp4 /out/a.mp4`,
    ));
});
