// `framework sounds`: the times and levels of the sounds of a video, and their picture.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import { listSounds } from '../../../sdk/renders.ts';
import { composition, project, temporaryFolder } from '../../support/project.ts';
import { referenceFfmpeg } from '../../support/renders/ffmpeg.ts';
import { makeSound } from '../../support/renders/sound.ts';

/** A tone of 1,000 Hz, whose loudness in LUFS on both sides is that of its peak in dBFS. */
const tone = (seconds: number) =>
  readFileSync(makeSound(referenceFfmpeg, join(temporaryFolder(), 'tone.wav'), '0.5*sin(2*PI*1000*t)', seconds));

test('lists the sounds as they are heard, and draws them', async () => {
  const body = `<audio id="late" src="sounds/tone.wav" data-start="1" data-duration="1" data-volume="0.5"></audio>
    <audio id="early" src="sounds/tone.wav" data-start="0.25" data-duration="0.5"></audio>`;
  const projectDir = project({ 'index.html': composition(body, { duration: 2 }), 'sounds/tone.wav': tone(2) });
  const output = join(temporaryFolder(), 'sounds.png');
  const report = await listSounds({ projectDir, output });
  const rounded = report.sounds.map(({ loudness, truePeak, ...sound }) => ({
    ...sound,
    loudness: Math.round(10 * (loudness ?? 0)) / 10,
    truePeak: Math.round(10 * (truePeak ?? 0)) / 10,
  }));
  const file = 'sounds/tone.wav';
  expect(rounded).toEqual([
    { name: '<audio id="early">', file, start: 0.25, end: 0.75, loudness: -6, truePeak: -6 },
    { name: '<audio id="late">', file, start: 1, end: 2, loudness: -12, truePeak: -12 },
  ]);
  expect(report.mix.truePeak).toBeCloseTo(-6, 1);
  const { width, height, data } = PNG.sync.read(readFileSync(output));
  const at = (lane: number, seconds: number, level: number) => {
    const [x, y] = [20 + 600 * seconds, 20 + lane * 146 + 30 + 48 - 48 * level];
    return [
      ...data.subarray(4 * (Math.round(y) * width + Math.round(x)), 4 * (Math.round(y) * width + Math.round(x)) + 3),
    ];
  };
  expect([width, height]).toEqual([1240, 3 * 146 + 50]);
  const [drawn, empty, mixed] = [
    [0x4c, 0xc2, 0xff],
    [0x26, 0x26, 0x2c],
    [0x7d, 0xdc, 0x8a],
  ];
  expect([at(0, 0.5, 0.4), at(0, 1.5, 0.4), at(1, 0.5, 0.4), at(1, 1.5, 0.2)]).toEqual([drawn, empty, empty, drawn]);
  expect([at(2, 0.5, 0.4), at(2, 1.5, 0.2), at(2, 1.5, 0.4)]).toEqual([mixed, mixed, empty]);
});

test('lists nothing for a video without sound', async () => {
  const { sounds, mix } = await listSounds({ projectDir: project(composition('<p>x</p>')) });
  expect({ sounds, mix }).toEqual({ sounds: [], mix: { loudness: null, truePeak: null } });
});
