// The exact ffmpeg arguments that encode frames to a segment or to numbered files.
import { describe, expect, test } from 'vitest';
import { type Encoder, encoderArguments, encodersFor, h264Settings } from '../../../renderer-core/media/codecs.ts';
import { pngArguments, segmentArguments } from '../../../renderer-core/media/encode.ts';
import type { FrameInput } from '../../../renderer-core/media/frameFormat.ts';
import { qualities } from '../../../renderer-core/plan/formats.ts';
import type { Encoding } from '../../../renderer-core/plan/renderPlan.ts';

const quiet = '-hide_banner -nostdin -loglevel error -y';
const bt709 = '-color_primaries bt709 -color_trc bt709 -colorspace bt709 -color_range tv';
const exact = 'scale=flags=area+accurate_rnd+full_chroma_int+full_chroma_inp';
const toBt709 = `${exact}:out_color_matrix=bt709:out_range=tv,format=`;
const thirty = { num: 30, den: 1 };
const ntsc = { num: 30000, den: 1001 };
const input = (pixels: FrameInput['pixels'], width = 1920, height = 1080): FrameInput => ({
  pixels,
  width,
  height,
});
const h264: Encoding = { format: 'mp4', codec: 'h264', quality: 'standard', hdr: null, bitDepth: 8 };
const vp9: Encoding = { ...h264, format: 'webm', codec: 'vp9' };
const gif: Encoding = { ...h264, format: 'gif', codec: null };

/** The values are tuned elsewhere; these tests only check that they are passed to ffmpeg. */
const settings = (encoder: Exclude<Encoder, 'png'>, encoding: Encoding) =>
  encoderArguments(encoder, encoding).join(' ');

function x264(quality: (typeof qualities)[number]): string {
  const { preset, crf, params } = h264Settings[quality];
  return `-c:v libx264 -preset ${preset} -x264-params ${params} -crf ${crf} -pix_fmt yuv420p`;
}

describe('segmentArguments', () => {
  const check = (
    frame: FrameInput,
    encoding: Encoding & { fps: typeof thirty },
    encoder: Exclude<Encoder, 'png'>,
    expected: string,
  ) => expect(segmentArguments(frame, encoding, encoder, 240, '/tmp/s').join(' ')).toBe(`${quiet} ${expected} /tmp/s`);

  const raw = (format: string) => `-f rawvideo -pix_fmt ${format} -s 1920x1080 -framerate 30 -i pipe:0`;

  test('encodes planes from the page without conversion, to a stream whose frames can be repeated', () =>
    check(
      input('i420'),
      { ...h264, fps: thirty },
      'libx264',
      `${raw('yuv420p')} ${x264('standard')} ${bt709} -f h264`,
    ));

  test('converts screenshots, with exact time stamps at broadcast rates', () =>
    check(
      input('png'),
      { ...h264, quality: 'high', fps: ntsc },
      'libx264',
      `-f image2pipe -c:v png -framerate 30000/1001 -i pipe:0 -vf ${toBt709}yuv420p ${x264('high')} ${bt709} -video_track_timescale 30000 -f mp4`,
    ));

  test('reads JPEG screenshots as full range BT.601', () =>
    check(
      input('jpeg'),
      { ...h264, quality: 'draft', fps: thirty },
      'libx264',
      `-f image2pipe -c:v mjpeg -framerate 30 -i pipe:0 -vf ${exact}:in_color_matrix=bt601:in_range=pc:out_color_matrix=bt709:out_range=tv,format=yuv420p ${x264('draft')} ${bt709} -f h264`,
    ));

  test('converts only the colors of VP9 with alpha, and keeps the times of frames', () =>
    check(
      input('rgba'),
      { ...vp9, fps: thirty },
      'libvpx-vp9',
      `${raw('rgba')} -vf format=rgba,split[colors][open];[colors]${toBt709}yuva420p[converted];[open]alphaextract[alpha];[converted][alpha]alphamerge,setpts=PTS+240 ${settings('libvpx-vp9', vp9)} ${bt709} -f webm`,
    ));

  test('encodes ProRes 4444', () => {
    const prores: Encoding = { ...h264, format: 'mov', codec: 'prores' };
    check(
      input('rgba'),
      { ...prores, fps: thirty },
      'prores_ks',
      `${raw('rgba')} -vf ${toBt709}yuva444p10le ${settings('prores_ks', prores)} ${bt709} -video_track_timescale 30 -f mov`,
    );
  });

  test('stores segments of AV1 for webm in mp4, which has exact times', () => {
    const av1: Encoding = { ...h264, format: 'webm', codec: 'av1' };
    const expected = `${raw('yuv420p')} ${settings('libsvtav1', av1)} ${bt709} -video_track_timescale 30 -f mp4`;
    check(input('i420'), { ...av1, fps: thirty }, 'libsvtav1', expected);
  });

  test('has a key frame every two seconds in HLS, also while nothing changes', () => {
    const hls: Encoding = { ...h264, format: 'hls' };
    const frame = `${raw('yuv420p').replace('-framerate 30', '-framerate 30000/1001')} ${x264('standard')}`;
    const expected = `${frame} -g 60 ${bt709} -video_track_timescale 30000 -f mp4`;
    check(input('i420'), { ...hls, fps: ntsc }, 'libx264', expected);
  });

  test('stores segments of a gif losslessly', () =>
    check(
      input('rgba'),
      { ...gif, fps: thirty },
      'ffv1',
      `${raw('rgba')} -vf format=bgra -c:v ffv1 -pix_fmt bgra -f nut`,
    ));

  test('converts to HDR: from sRGB to linear light, to BT.2020, to PQ', () => {
    const hdr: Encoding = { ...h264, codec: 'h265', hdr: 'pq', bitDepth: 10 };
    const args = segmentArguments(input('rgba'), { ...hdr, fps: thirty }, 'libx265', 0, 's');
    expect(args[args.indexOf('-vf') + 1]).toMatch(
      /^format=rgb48le,lutrgb=.*,colorchannelmixer=.*,lutrgb=.*0\.0203.*,scale=.*:out_color_matrix=bt2020:out_range=tv,format=yuv420p10le$/,
    );
    expect(args.join(' ')).toContain(
      '-color_primaries bt2020 -color_trc smpte2084 -colorspace bt2020nc -color_range tv',
    );
  });

  test.each([
    ['yuv420p10', { ...h264, codec: 'h265', hdr: 'hlg', bitDepth: 10 }, 'yuv420p10le', 'arib-std-b67'],
    ['yuv420p10', { ...h264, codec: 'h265', bitDepth: 10 }, 'yuv420p10le', 'bt709'],
    ['yuva444p10', { ...h264, format: 'mov', codec: 'prores', bitDepth: 10 }, 'yuva444p10le', 'bt709'],
  ] as const)('encodes planes of 10 bits as they are: %s for %j', (pixels, encoding, format, curve) => {
    const args = segmentArguments(input(pixels), { ...encoding, fps: thirty }, 'libx265', 0, 's').join(' ');
    expect(args).not.toContain('-vf');
    expect(args.split(`-pix_fmt ${format}`)).toHaveLength(3);
    expect(args).toContain(`-color_trc ${curve}`);
  });

  const pad = 'format=gbrap,pad=ceil(iw/2)*2:ceil(ih/2)*2,fillborders=';
  test.each([
    [h264, 321, 181, `${pad}right=1:bottom=1:mode=smear,${toBt709}yuv420p`],
    [h264, 321, 180, `${pad}right=1:bottom=0:mode=smear,${toBt709}yuv420p`],
    [h264, 320, 181, `${pad}right=0:bottom=1:mode=smear,${toBt709}yuv420p`],
    [h264, 320, 180, `${toBt709}yuv420p`],
    [gif, 321, 181, 'format=bgra'],
  ])('%j: repeats the last row and column of a screenshot of %dx%d if the size is odd', (encoding, width, height, filter) => {
    const args = segmentArguments(input('png', width, height), { ...encoding, fps: thirty }, 'libx264', 0, 's');
    expect(args[args.indexOf('-vf') + 1]).toBe(filter);
  });
});

describe('settings', () => {
  test('uses a rate factor that is at least as good for a better quality', () => {
    expect(h264Settings.high.crf).toBeLessThan(h264Settings.standard.crf);
    expect(h264Settings.standard.crf).toBeLessThanOrEqual(h264Settings.draft.crf);
  });

  test.each(
    qualities,
  )('%s: fixes the number of threads, because the output of x264 and x265 depends on it', (quality) => {
    expect(h264Settings[quality].params).toMatch(/(^|:)threads=[1-9]/);
    expect(settings('libx265', { ...h264, codec: 'h265', quality })).toMatch(/:pools=none:frame-threads=1 /);
  });

  test.each(
    qualities,
  )('%s: disables alternate reference frames for VP9, and uses 16 bits of alpha for ProRes', (quality) => {
    expect(settings('libvpx-vp9', { ...vp9, quality })).toContain('-auto-alt-ref 0');
    expect(settings('prores_ks', { ...h264, format: 'mov', codec: 'prores', quality })).toMatch(
      /-profile:v 4444 .*-alpha_bits 16 .*-pix_fmt yuva444p10le$/,
    );
  });

  test.each([
    ['libx264', { crf: 30 }, '-crf 30 '],
    ['libx264', { bitrate: 8_000_000 }, ':ratetol=0.1 -b:v 8000000 -maxrate 12000000 -bufsize 16000000 '],
    ['libx265', { bitrate: 8_000_000 }, '-b:v 8000000 -maxrate 12000000 -bufsize 16000000 '],
    ['libsvtav1', { crf: 30 }, '-preset 10 -crf 30 '],
    ['libsvtav1', { bitrate: 500_000 }, '-preset 10 -b:v 500000 -svtav1-params lp=1 '],
    ['libaom-av1', { bitrate: 500_000 }, '-threads 2 -b:v 500000 -maxrate 750000 -bufsize 1000000 '],
    ['libvpx-vp9', { crf: 30 }, '-threads 2 -crf 30 -b:v 0 '],
    ['libvpx-vp9', { bitrate: 500_000 }, '-threads 2 -b:v 500000 -maxrate 750000 -bufsize 1000000 '],
  ] as const)('%s with %j instead of the rate of its quality: %s', (encoder, rate, expected) => {
    const args = settings(encoder, { ...h264, ...rate });
    expect(args).toContain(expected);
    expect(args.includes('-crf')).toBe('crf' in rate);
  });

  test.each([
    ['av1', 1920, 1080, ['libsvtav1', 'libaom-av1']],
    ['av1', 64, 48, ['libaom-av1']],
    ['h265', 1920, 1080, ['libx265']],
  ] as const)('offers these encoders of %s at %dx%d: %j', (codec, width, height, expected) =>
    expect(encodersFor(codec, width, height)).toEqual(expected));
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
  ])('writes %j to %s with numbers from %d', (frame, folder, start, expected) =>
    expect(pngArguments(frame, thirty, folder, start).join(' ')).toBe(`${quiet} ${expected}`));
});
