// The exact ffmpeg arguments that decode sounds and change their speed.
import { describe, expect, test } from 'vitest';
import { mediaInput } from '../../../renderer-core/media/ffmpeg.ts';
import type { MediaFacts } from '../../../renderer-core/media/probeMedia.ts';
import { decodeArguments, stretchArguments, tempoSteps } from '../../../renderer-core/media/trackSound.ts';

const quiet = '-hide_banner -nostdin -loglevel error -y';
const stereo = (first: number) =>
  `aresample=48000:async=1:min_comp=0:first_pts=${first}:internal_sample_fmt=fltp,aformat=sample_fmts=flt:channel_layouts=stereo`;

const facts = (container: string, layout = 'stereo', start = 0): MediaFacts => ({
  container,
  duration: 60,
  start,
  video: null,
  audio: { codec: 'aac', layout },
});

const mov = 'mov,mp4,m4a,3gp,3g2,mj2';

describe('decodeArguments', () => {
  test.each<[string, { first: number; end: number }, MediaFacts, string, string]>([
    [
      'decodes the beginning of a file',
      { first: 0, end: 48_000 },
      facts(mov),
      '',
      `${stereo(0)},atrim=end_sample=48000`,
    ],
    [
      'decodes from the beginning of a file for a start close to it',
      { first: 72_000, end: 120_000 },
      facts(mov),
      '',
      `${stereo(0)},atrim=start_sample=72000,atrim=end_sample=48000`,
    ],
    [
      'seeks in a long file, to two seconds before the start',
      { first: 1_452_000, end: 1_500_000 },
      facts(mov),
      '-noaccurate_seek -ss 28 ',
      `${stereo(1_344_000)},atrim=start_sample=108000,atrim=end_sample=48000`,
    ],
    [
      'does not seek in a file with estimated time stamps',
      { first: 1_452_000, end: 1_500_000 },
      facts('mp3'),
      '',
      `${stereo(0)},atrim=start_sample=1452000,atrim=end_sample=48000`,
    ],
    [
      'decodes a mono file that does not start at 0',
      { first: 0, end: 48_000 },
      facts('mpegts', 'mono', 1.4),
      '',
      `asetpts=PTS-1.4/TB,pan=stereo|c0=c0|c1=c0,${stereo(0)},atrim=end_sample=48000`,
    ],
    [
      'decodes a file with negative time stamps',
      { first: 0, end: 96_000 },
      facts('matroska,webm', 'stereo', -0.007),
      '',
      `${stereo(0)},atrim=end_sample=96000`,
    ],
  ])('%s', (_, range, media, seek, chain) =>
    expect(decodeArguments('/a b.m4a', media, range).join(' ')).toBe(
      `${quiet} ${seek}-copyts ${mediaInput('/a b.m4a').join(' ')} -map 0:a:0 -af ${chain} -f f32le pipe:1`,
    ));
});

const decoded = '-f f32le -ar 48000 -ac 2 -i /t.f32 -filter_complex';

test('changes the speed of several parts in one run', () =>
  expect(
    stretchArguments('/t.f32', 96_000, [
      { rate: 3, loop: false, from: 1000, length: 4800 },
      { rate: 0.5, loop: false, from: 0, length: 9600 },
    ]).join(' '),
  ).toBe(
    `${quiet} ${decoded} [0:a]asplit=2[i0][i1];` +
      '[i0]atrim=start_sample=1000:end_sample=96000,asetpts=PTS-STARTPTS,atempo=2,atempo=1.5,atrim=end_sample=4800,apad=whole_len=4800[o0];' +
      '[i1]atrim=start_sample=0:end_sample=96000,asetpts=PTS-STARTPTS,atempo=0.5,atrim=end_sample=9600,apad=whole_len=9600[o1];' +
      '[o0][o1]concat=n=2:v=0:a=1 -f f32le pipe:1',
  ));

test('repeats the decoded file for loops', () =>
  expect(stretchArguments('/t.f32', 10_000, [{ rate: 0.5, loop: true, from: 5000, length: 48_000 }]).join(' ')).toBe(
    `${quiet} -stream_loop -1 ${decoded} [0:a]asplit=1[i0];` +
      '[i0]atrim=start_sample=5000,asetpts=PTS-STARTPTS,atempo=0.5,atrim=end_sample=48000,apad=whole_len=48000[o0];' +
      '[o0]concat=n=1:v=0:a=1 -f f32le pipe:1',
  ));

test.each([
  [1, []],
  [0.5, [0.5]],
  [2, [2]],
  [1.25, [1.25]],
  [5, [2, 2, 1.25]],
  [0.1, [0.5, 0.5, 0.5, 0.8]],
])('splits the speed %d into %j', (rate, steps) => expect(tempoSteps(rate)).toEqual(steps));
