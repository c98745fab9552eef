// The exact ffmpeg arguments that decode the sound of a track.
import { describe, expect, test } from 'vitest';
import { mediaInput } from '../../../renderer-core/media/ffmpeg.ts';
import type { MediaFacts } from '../../../renderer-core/media/probeMedia.ts';
import { decodeArguments, loopArguments, playArguments, tempoSteps } from '../../../renderer-core/media/trackSound.ts';
import type { MixTrack } from '../../../renderer-core/plan/audio.ts';

const quiet = '-hide_banner -nostdin -loglevel error -y';
const stereo = (first: number) =>
  `aresample=48000:async=1:min_comp=0:first_pts=${first}:internal_sample_fmt=fltp,aformat=sample_fmts=flt:channel_layouts=stereo`;

const track = (changes: Partial<MixTrack> = {}): MixTrack => ({
  name: '<audio>',
  file: '/a b.m4a',
  start: 1000,
  end: 49_000,
  mediaStart: 0,
  rate: 1,
  loop: false,
  volume: 1,
  ...changes,
});

const facts = (container: string, layout = 'stereo', start = 0): MediaFacts => ({
  container,
  duration: 60,
  start,
  video: null,
  audio: { codec: 'aac', layout },
});

const mov = 'mov,mp4,m4a,3gp,3g2,mj2';

describe('playArguments', () => {
  test.each<[string, Partial<MixTrack>, MediaFacts, string, string]>([
    ['decodes the beginning of a file', {}, facts(mov), '', `${stereo(0)},atrim=end_sample=48000`],
    [
      'decodes from the beginning of a file for a start close to it',
      { mediaStart: 72_000 },
      facts(mov),
      '',
      `${stereo(0)},atrim=start_sample=72000,atrim=end_sample=48000`,
    ],
    [
      'seeks in a long file, to two seconds before the start',
      { mediaStart: 1_452_000 },
      facts(mov),
      '-noaccurate_seek -ss 28 ',
      `${stereo(1_344_000)},atrim=start_sample=108000,atrim=end_sample=48000`,
    ],
    [
      'does not seek in a file with estimated time stamps',
      { mediaStart: 1_452_000 },
      facts('mp3'),
      '',
      `${stereo(0)},atrim=start_sample=1452000,atrim=end_sample=48000`,
    ],
    [
      'decodes a mono file that does not start at 0',
      {},
      facts('mpegts', 'mono', 1.4),
      '',
      `asetpts=PTS-1.4/TB,pan=stereo|c0=c0|c1=c0,${stereo(0)},atrim=end_sample=48000`,
    ],
    [
      'decodes a file with negative time stamps',
      { rate: 3 },
      facts('matroska,webm', 'stereo', -0.007),
      '',
      `${stereo(0)},atempo=2,atempo=1.5,atrim=end_sample=48000`,
    ],
  ])('%s', (_, changes, media, seek, chain) =>
    expect(playArguments(track(changes), media).join(' ')).toBe(
      `${quiet} ${seek}-copyts ${mediaInput('/a b.m4a').join(' ')} -map 0:a:0 -af ${chain} -f f32le pipe:1`,
    ));
});

test('decodes a loop once, only as much as is played', () =>
  expect(decodeArguments('/a.wav', facts('wav'), 96_000).join(' ')).toBe(
    `${quiet} -copyts ${mediaInput('/a.wav').join(' ')} -map 0:a:0 -af ${stereo(0)},atrim=end_sample=96000 -f f32le pipe:1`,
  ));

test('plays the decoded loop repeatedly, from its start position', () =>
  expect(loopArguments(track({ mediaStart: 25_000, rate: 0.5 }), '/t.loop', 10_000).join(' ')).toBe(
    `${quiet} -stream_loop -1 -f f32le -ar 48000 -ac 2 -i /t.loop -af atrim=start_sample=5000,atempo=0.5,atrim=end_sample=48000 -f f32le pipe:1`,
  ));

test.each([
  [1, []],
  [0.5, [0.5]],
  [2, [2]],
  [1.25, [1.25]],
  [5, [2, 2, 1.25]],
  [0.1, [0.5, 0.5, 0.5, 0.8]],
])('splits the speed %d into %j', (rate, steps) => expect(tempoSteps(rate)).toEqual(steps));
