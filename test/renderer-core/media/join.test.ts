// The ffmpeg arguments that join segments, and the list of segments that ffmpeg reads.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  gifArguments,
  joinArguments,
  joinSegments,
  paletteArguments,
  segmentList,
} from '../../../renderer-core/media/join.ts';
import { program } from '../../support/programs.ts';
import { temporaryFolder } from '../../support/project.ts';
import { ffmpegAt } from '../../support/renders/ffmpeg.ts';

const quiet = '-hide_banner -nostdin -loglevel error -y';
const thirty = { num: 30, den: 1 };
const ntsc = { num: 30000, den: 1001 };
const list = { list: '/tmp/list.txt' };
const listed = `${quiet} -f concat -safe 0 -i /tmp/list.txt`;
const copied = `${listed} -map 0:v:0 -c copy`;

describe('joinArguments', () => {
  test('copies a stream from standard input, with the index first', () =>
    expect(joinArguments({ ivf: true }, { format: 'mp4', codec: 'h264', fps: thirty }, '/out/a.mp4').join(' ')).toBe(
      `${quiet} -f ivf -i pipe:0 -map 0:v:0 -c copy -video_track_timescale 30 -movflags +faststart+write_colr -f mp4 /out/a.mp4`,
    ));

  test('writes fragments of an mp4 that cannot be changed later', () => {
    const fragmented = { codec: 'h264', fps: thirty, fragmented: true } as const;
    expect(joinArguments(list, { ...fragmented, format: 'mp4' }, '/out/a').join(' ')).toBe(
      `${copied} -video_track_timescale 30 -movflags +frag_keyframe+delay_moov+default_base_moof+write_colr -f mp4 /out/a`,
    );
    expect(joinArguments(list, { ...fragmented, format: 'mov' }, '/out/a').join(' ')).toContain('+faststart');
  });

  test.each([
    ['mp4', 'h264', '-video_track_timescale 30000 -movflags +faststart+write_colr -f mp4'],
    ['mp4', 'h265', '-video_track_timescale 30000 -tag:v hvc1 -movflags +faststart+write_colr -f mp4'],
    ['mp4', 'av1', '-video_track_timescale 30000 -movflags +faststart+write_colr -f mp4'],
    ['webm', 'vp9', '-metadata:s:v:0 alpha_mode=1 -fflags +bitexact -f webm'],
    ['webm', 'av1', '-fflags +bitexact -f webm'],
    [
      'mov',
      'prores',
      '-bsf:v prores_metadata=color_primaries=bt709:color_trc=bt709:colorspace=bt709 -video_track_timescale 30000 -movflags +faststart+write_colr -f mov',
    ],
  ] as const)('copies listed segments: %s with %s', (format, codec, expected) =>
    expect(joinArguments(list, { format, codec, fps: ntsc }, '/out/a').join(' ')).toBe(`${copied} ${expected} /out/a`));
});

test.each([
  ['h264', thirty, '', 6],
  ['h265', ntsc, ' -tag:v hvc1', 6.006],
] as const)('copies listed segments to an HLS stream: %s at %j', (codec, fps, tag, seconds) =>
  expect(joinArguments(list, { format: 'hls', codec, fps }, '/out/a').join(' ')).toBe(
    `${copied}${tag} -avoid_negative_ts disabled -hls_time ${seconds} -hls_playlist_type vod -hls_list_size 0 -hls_flags independent_segments -hls_segment_type fmp4 -hls_fmp4_init_filename init.mp4 -hls_segment_filename segment-%04d.m4s -f hls index.m3u8`,
  ));

test.each([
  ['#EXTM3U\n#EXTINF:6.0,\nsegment-0000.m4s\n#EXTINF:2.0,\nsegment-0001.m4s\n', 'segment-0001.m4s'],
  ['#EXTM3U\n', 'its segments'],
])('fails if ffmpeg has not written all segments of the playlist %j', async (playlist, missing) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'segment-0000.m4s'), '');
  writeFileSync(join(folder, 'index.m3u8'), playlist);
  const ffmpeg = ffmpegAt(program(join(temporaryFolder(), 'ffmpeg')));
  const plan = { format: 'hls', codec: 'h265', fps: thirty, frames: 240, width: 64, height: 64, chunks: [] } as const;
  await expect(joinSegments(ffmpeg, ['0.mp4'], plan, temporaryFolder(), folder)).rejects.toMatchObject({
    code: 'ffmpeg_failed',
    message: `ffmpeg wrote a playlist without ${missing}`,
  });
});

test('reads the colors of the whole video for the palette of a gif', () => {
  expect(paletteArguments(list, '/tmp/p.png').join(' ')).toBe(`${listed} -vf palettegen -c:v png -f image2 /tmp/p.png`);
});

test.each([
  [thirty, 30, 3],
  [thirty, 29, 4],
  [{ num: 25, den: 1 }, 10, 4],
])('at %j, a gif of %d frames shows the last one for %d hundredths of a second', (fps, frames, last) => {
  expect(gifArguments(list, '/tmp/p.png', { fps, frames }, '/out/a.gif').join(' ')).toBe(
    `${listed} -i /tmp/p.png -filter_complex [0:v][1:v]paletteuse=dither=sierra2_4a:diff_mode=rectangle -loop 0 -final_delay ${last} -f gif /out/a.gif`,
  );
});

test('lists segments with lengths whose rounding errors do not add up', () => {
  const chunks = [
    { index: 0, start: 0, end: 1 },
    { index: 1, start: 1, end: 2 },
    { index: 2, start: 2, end: 3 },
  ];
  expect(segmentList(['/a/0.mov', "/it's/1.mov", '/a/2.mov'], chunks, thirty)).toBe(
    "file '/a/0.mov'\nduration 0.033333\nfile '/it'\\''s/1.mov'\nduration 0.033334\nfile '/a/2.mov'\nduration 0.033333\n",
  );
  expect(segmentList(['0.webm', '1.webm', '2.webm'], chunks, thirty)).toBe(
    "file '0.webm'\nduration 0.033000\nfile '1.webm'\nduration 0.034000\nfile '2.webm'\nduration 0.033000\n",
  );
});
