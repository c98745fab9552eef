// Attributes of video and audio: which part plays, how fast, how loud, and in which colors.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { composition } from '../support/project.ts';
import { referenceFfmpeg } from '../support/renders/ffmpeg.ts';
import { footage, readNumber } from '../support/renders/footage.ts';
import { decodeSound, makeSound, sounding } from '../support/renders/sound.ts';
import { describeVideo, readFrames } from '../support/renders/video.ts';
import { accept, type Check, type Statement } from './acceptance.ts';

/** A clip of one second at 10 frames per second, whose frames show their numbers. */
const clip: Check = ({ folder }) => writeFileSync(join(folder, 'clip.mp4'), footage({ fps: '10', seconds: 1 }));

/** A tone of half a second at half of the full level. */
const tone: Check = ({ folder }) =>
  void makeSound(referenceFfmpeg, join(folder, 'tone.wav'), '0.5*sin(2*PI*440*t)', 0.5);

const playing = (attributes: string, duration = 1) => ({
  'index.html': composition(`<video src="clip.mp4" data-start="0" muted ${attributes} style="display:block"></video>`, {
    ...{ width: 128, height: 32, duration },
  }),
});

const frames = { run: 'render -o frames --format png --fps 10' };

/** The numbers of the clip's frames in the rendered frames. */
const numbers =
  (...expected: number[]): Check =>
  ({ folder }) =>
    expect(readFrames(join(folder, 'frames')).map((frame) => readNumber(frame))).toEqual(expected);

const sounds = (attributes: string) => ({
  'index.html': composition(`<audio src="tone.wav" data-start="0.2" ${attributes}></audio>`, { duration: 2 }),
});

const render = { run: 'render -o out.mp4 --fps 10' };

const peak = (samples: number[]) => samples.reduce((most, value) => Math.max(most, Math.abs(value)), 0);

/** The loudest sample, and the times of the first and last sound, in tenths of a second. */
const heard =
  (level: number, from: number, to: number): Check =>
  ({ folder }) => {
    const { left } = decodeSound(referenceFfmpeg, join(folder, 'out.mp4'));
    const parts = sounding(left, 0.01).map((sample) => Math.round(sample / 4800));
    expect([peak(left).toFixed(1), parts[0], parts.at(-1)]).toEqual([level.toFixed(1), from, to]);
  };

const silent: Check = async ({ folder }) =>
  expect(await describeVideo(join(folder, 'out.mp4'))).toMatchObject({ hasSound: false });

const timing: Statement[] = [
  {
    sentence: 'data-media-start: the time in the file at which the media starts',
    files: playing('data-media-start="0.4"', 0.3),
    steps: [clip, frames, numbers(4, 5, 6)],
  },
  {
    sentence: 'data-playback-rate, 0.1 to 5',
    files: {
      ...playing('data-playback-rate="2"', 0.4),
      'fast.html': composition('<video src="clip.mp4" data-start="0" data-playback-rate="6"></video>'),
      'slow.html': composition('<video src="clip.mp4" data-start="0" data-playback-rate="0.05"></video>'),
    },
    steps: [
      clip,
      frames,
      numbers(0, 2, 4, 6),
      {
        run: 'lint',
        prints: [/fast\.html:\d+:\d+ .*data-playback-rate/, /slow\.html:\d+:\d+ .*data-playback-rate/],
      },
    ],
  },
  {
    sentence: 'loop: the media starts again when it ends',
    files: playing('loop data-duration="1.3"', 1.3),
    steps: [clip, frames, numbers(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2)],
  },
];

const volume: Statement[] = [
  {
    sentence: 'data-volume, 0 to 1',
    files: {
      ...sounds('data-volume="0.4"'),
      'loud.html': composition('<audio src="tone.wav" data-start="0" data-volume="1.5"></audio>'),
    },
    steps: [tone, render, heard(0.2, 2, 7), { run: 'lint', prints: [/loud\.html:\d+:\d+ .*data-volume/] }],
  },
  {
    sentence: 'data-start and the length of the file place the sound',
    files: sounds(''),
    steps: [tone, render, heard(0.5, 2, 7)],
  },
  {
    sentence: 'muted: no sound',
    files: sounds('muted'),
    steps: [tone, render, silent],
  },
  {
    sentence: 'data-has-audio: audio flag of a video, kept on the media element itself',
    files: {
      'index.html': composition('<video src="clip.mp4" data-start="0.2" data-has-audio="true"></video>', {
        duration: 2,
      }),
      'without.html': composition('<video src="clip.mp4" data-start="0.2"></video>', { duration: 2 }),
    },
    steps: [
      ({ folder }) => writeFileSync(join(folder, 'clip.mp4'), footage({ fps: '10', seconds: 1, sound: true })),
      render,
      heard(0.5, 2, 12),
      { run: 'render -c without.html -o out.mp4 --fps 10' },
      silent,
    ],
  },
];

const graded = (grading: string) =>
  composition(`<img src="gray.svg" data-color-grading='${grading}' style="position:absolute;width:64px;height:48px">`, {
    variables: [
      { id: 'exposure', type: 'number', label: 'Exposure', default: 1 },
      { id: 'look', type: 'string', label: 'Look', default: 'warm' },
    ],
    duration: 0.1,
  });
const gray =
  '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="48"><rect width="64" height="48" fill="#808080"/></svg>';
const shot = (name: string, options = '') => ({ run: `snapshot --at 0 -c ${name}.html -o ${name}.png ${options}` });
const same =
  (one: string, other: string, isSame = true): Check =>
  ({ folder }) => {
    const [a, b] = [one, other].map((name) => readFileSync(join(folder, `${name}.png`)));
    expect(a?.equals(b ?? Buffer.of())).toBe(isSame);
  };

const grading: Statement[] = [
  {
    sentence: `A field of data-color-grading whose entire value is $name or \${name} is resolved from the current composition’s variables before grading is applied; the value keeps its type`,
    files: {
      'gray.svg': gray,
      'literal.html': graded('{"preset":"cool","adjust":{"exposure":-1}}'),
      'named.html': graded(`{"preset":"$look","adjust":{"exposure":"\${exposure}"}}`),
    },
    steps: [
      shot('literal'),
      shot('named', `--variables '{"look":"cool","exposure":-1}'`),
      same('literal', 'named'),
      shot('named'),
      same('literal', 'named', false),
    ],
  },
  {
    sentence:
      '$name counts only when the whole trimmed string is the reference; an unresolved reference stays literal, counts as neutral for that field, and warns',
    files: {
      'gray.svg': gray,
      'neutral.html': graded('{"adjust":{"exposure":1}}'),
      'unknown.html': graded('{"preset":"$nobody","adjust":{"exposure":" $exposure "}}'),
      'part.html': graded('{"preset":"very $look"}'),
    },
    steps: [
      shot('neutral'),
      { ...shot('unknown'), prints: [/warning: .*nobody/] },
      same('neutral', 'unknown'),
      { run: 'lint', prints: [/part\.html:\d+:\d+ .*very \$look/, /unknown\.html:\d+:\d+ .*nobody/] },
    ],
  },
];

accept([...timing, ...volume, ...grading]);
