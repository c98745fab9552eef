// Properties of media files, from descriptions by old and new versions of ffmpeg and from real files.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseMedia, probeMedia } from '../../../renderer-core/media/probeMedia.ts';
import { temporaryFolder } from '../../support/project.ts';
import { ffmpegAt } from '../../support/renders/ffmpeg.ts';
import { everyFfmpeg, ffmpegRun, makeSound } from '../../support/renders/sound.ts';

const phone = {
  container: 'mov,mp4,m4a,3gp,3g2,mj2',
  duration: 61.5,
  start: 0,
  video: {
    codec: 'h264',
    width: 320,
    height: 180,
    fps: 29.97,
    rotation: 90,
    hasAlpha: false,
    isRgb: false,
    isHdr: false,
  },
  audio: { codec: 'aac', layout: 'mono' },
};

describe('parseMedia', () => {
  test('reads a video of a phone, described by ffmpeg 5.1', () =>
    expect(
      parseMedia(`Input #0, mov,mp4,m4a,3gp,3g2,mj2, from 'a.mp4':
  Metadata:
    major_brand     : isom
    encoder         : Lavf59.27.100
  Duration: 00:01:01.50, start: 0.000000, bitrate: 117 kb/s
  Stream #0:0[0x1](und): Video: h264 (High) (avc1 / 0x31637661), yuv420p(progressive), 320x180 [SAR 1:1 DAR 16:9], 48 kb/s, 29.97 fps, 29.97 tbr, 30k tbn (default)
    Metadata:
      handler_name    : VideoHandler
      vendor_id       : [0][0][0][0]
    Side data:
      displaymatrix: rotation of -90.00 degrees
  Stream #0:1[0x2](und): Audio: aac (LC) (mp4a / 0x6134706D), 44100 Hz, mono, fltp, 70 kb/s (default)
    Metadata:
      handler_name    : SoundHandler
At least one output file must be specified
`),
    ).toEqual(phone));

  test('reads the same video, described by the build of 2018', () =>
    expect(
      parseMedia(`Input #0, mov,mp4,m4a,3gp,3g2,mj2, from 'a.mp4':
  Metadata:
    major_brand     : isom
  Duration: 00:01:01.50, start: 0.000000, bitrate: 117 kb/s
    Stream #0:0(und): Video: h264 (High) (avc1 / 0x31637661), yuv420p, 320x180 [SAR 1:1 DAR 16:9], 48 kb/s, 29.97 fps, 29.97 tbr, 30k tbn, 59.94 tbc (default)
    Metadata:
      rotate          : 90
      handler_name    : VideoHandler
    Side data:
      displaymatrix: rotation of -90.00 degrees
    Stream #0:1(und): Audio: aac (LC) (mp4a / 0x6134706D), 44100 Hz, mono, fltp, 70 kb/s (default)
    Metadata:
      handler_name    : SoundHandler
At least one output file must be specified
`),
    ).toEqual(phone));

  test.each([
    [
      'ffmpeg 5.1',
      `Input #0, mp3, from 'cover.mp3':
  Duration: 00:00:02.04, start: 0.025056, bitrate: 86 kb/s
  Stream #0:0: Audio: mp3, 44100 Hz, stereo, fltp, 64 kb/s
  Stream #0:1: Video: mjpeg (Baseline), yuvj444p(pc, bt470bg/unknown/unknown), 100x100 [SAR 1:1 DAR 1:1], 90k tbr, 90k tbn (attached pic)
`,
    ],
    [
      'the build of 2018',
      `Input #0, mp3, from 'cover.mp3':
  Duration: 00:00:02.04, start: 0.025056, bitrate: 86 kb/s
    Stream #0:0: Audio: mp3, 44100 Hz, stereo, fltp, 64 kb/s
    Stream #0:1: Video: mjpeg (Baseline), yuvj444p(pc, bt470bg/unknown/unknown), 100x100 [SAR 1:1 DAR 1:1], 90k tbr, 90k tbn, 90k tbc
`,
    ],
  ])('ignores the cover image of an audio file, described by %s', (_, text) =>
    expect(parseMedia(text)).toEqual({
      container: 'mp3',
      duration: 2.04,
      start: 0.025056,
      video: null,
      audio: { codec: 'mp3', layout: 'stereo' },
    }));

  test('reads a recording of a browser, which has neither a duration nor a frame rate', () =>
    expect(
      parseMedia(`Input #0, matroska,webm, from 'a.webm':
  Duration: N/A, start: -0.007000, bitrate: N/A
  Stream #0:0(eng): Video: vp9 (Profile 0), yuv420p(tv), 1280x720, SAR 1:1 DAR 16:9, 1k tbr, 1k tbn (default)
  Stream #0:1(eng): Audio: opus, 48000 Hz, 5.1(side), fltp (default)
`),
    ).toEqual({
      container: 'matroska,webm',
      duration: null,
      start: -0.007,
      video: {
        codec: 'vp9',
        width: 1280,
        height: 720,
        fps: null,
        rotation: 0,
        hasAlpha: false,
        isRgb: false,
        isHdr: false,
      },
      audio: { codec: 'opus', layout: '5.1(side)' },
    }));

  test.each([
    [
      'prores (4444) (ap4h / 0x68347061), yuva444p12le(tv, bt709, progressive), 128x64',
      { hasAlpha: true, isHdr: false },
    ],
    ['qtrle (rle  / 0x20656C72), argb(progressive), 64x48', { hasAlpha: true, isRgb: true, isHdr: false }],
    ['gif, bgra, 64x48', { hasAlpha: true, isRgb: true, isHdr: false }],
    [
      'hevc (Main 10) (hvc1 / 0x31637668), yuv420p10le(tv, bt2020nc/bt2020/arib-std-b67), 64x48',
      { hasAlpha: false, isHdr: true },
    ],
    ['hevc (Main 10), yuv420p10le(tv, bt2020nc/bt2020/smpte2084), 64x48', { hasAlpha: false, isHdr: true }],
    ['h264 (High), yuv420p, 64x48', { hasAlpha: false, isRgb: false, isHdr: false }],
  ])('detects alpha and HDR: %s', (stream, expected) =>
    expect(parseMedia(`Input #0, mov, from 'a.mov':\n  Stream #0:0: Video: ${stream}, 30 fps\n`)?.video).toMatchObject(
      expected,
    ));

  test.each([
    'a.mp4: No such file or directory\n',
    'a.mp4: Invalid data found when processing input\n',
    '',
  ])('returns null for %j', (text) => expect(parseMedia(text)).toBeNull());
});

describe.each(await everyFfmpeg())('probeMedia with ffmpeg $version', { timeout: 60_000 }, ({ ffmpeg }) => {
  test('reads a video with sound', async () => {
    const file = join(temporaryFolder(), 'a b.mp4');
    const picture = ['-f', 'lavfi', '-i', 'testsrc=s=322x180:r=24000/1001:d=1'];
    const sound = ['-f', 'lavfi', '-i', 'sine=d=2:r=44100'];
    ffmpegRun(ffmpeg, ...picture, ...sound, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'aac', file);
    expect(await probeMedia(ffmpegAt(ffmpeg), file)).toMatchObject({
      container: 'mov,mp4,m4a,3gp,3g2,mj2',
      video: { codec: 'h264', width: 322, height: 180, fps: 23.98, rotation: 0 },
      audio: { codec: 'aac', layout: 'mono' },
    });
  });

  test.each([
    ['a playlist', '#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nother.mp3\n#EXT-X-ENDLIST\n'],
    ['a script', "ffconcat version 1.0\nfile 'other.mp3'\n"],
  ])('rejects %s with the name of a media file, without reading other files', async (_, text) => {
    const folder = temporaryFolder();
    makeSound(ffmpeg, join(folder, 'other.mp3'), '0|0', 1);
    const file = join(folder, 'a.mp4');
    writeFileSync(file, text);
    await expect(probeMedia(ffmpegAt(ffmpeg), file)).rejects.toThrow('cannot be read');
  });

  test('reads a file with only sound', async () =>
    expect(
      await probeMedia(ffmpegAt(ffmpeg), makeSound(ffmpeg, join(temporaryFolder(), 'a.wav'), '0|0', 1.25)),
    ).toEqual({
      container: 'wav',
      duration: 1.25,
      start: 0,
      video: null,
      audio: { codec: 'pcm_s16le', layout: 'stereo' },
    }));

  test.each([
    ['does not exist', undefined, 'cannot be read: No such file or directory'],
    ['is empty', '', 'is empty'],
    ['is a text file', 'Nothing to hear here. '.repeat(50), 'cannot be read: Invalid data found when processing input'],
  ])('rejects a file that %s, with its path', async (_, content, problem) => {
    const file = join(temporaryFolder(), 'a.mp4');
    if (content !== undefined) writeFileSync(file, content);
    await expect(probeMedia(ffmpegAt(ffmpeg), file)).rejects.toMatchObject({
      code: 'media_unreadable',
      message: `${file} ${problem}`,
    });
  });
});
