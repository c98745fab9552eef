// Captions: in which frames they are shown, and what a render writes of them.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { composition, project, temporaryFolder } from '../../../support/project.ts';
import { referenceFfmpeg } from '../../../support/renders/ffmpeg.ts';
import { black, blue, cases, checkCuts, green, mount, page, red, string } from '../../../support/renders/frames.ts';
import { makeSound } from '../../../support/renders/sound.ts';
import { warmRenderer } from '../../../support/renders/warmRender.ts';

/** Each caption fills the first cell; each word of it the cell of its number. */
const style = `<style>
  [data-cue] { position: absolute; left: 0; top: 0; width: 8px; height: 8px; background: red; color: red; font-size: 1px }
  [data-cue-word] { position: absolute; top: 0; width: 8px; height: 8px; background: lime }
  [data-cue-word]:nth-child(1) { left: 8px } [data-cue-word]:nth-child(2) { left: 16px }
</style>`;
const talk = 'WEBVTT\n\n00:00.200 --> 00:00.400\na\n\n00:00.500 --> 00:00.800\nb <00:00.600>c\n';
const shows = (attributes: string) => ({
  'index.html': page(`${style}<p ${attributes}></p>`, { duration: 1 }),
  'talk.vtt': talk,
});

cases([
  [
    'captions in their frames',
    shows('data-captions-src="talk.vtt"'),
    { 1: [black], 2: [red], 3: [red], 4: [black], 5: [red], 7: [red], 8: [black] },
  ],
  [
    'captions from the start of their clip, and only in its time',
    shows('data-captions-src="talk.vtt" data-start="0.1" data-duration="0.6"'),
    { 2: [black], 3: [red], 4: [red], 5: [black], 6: [red], 7: [black] },
  ],
  [
    'a part of a file',
    shows('data-captions-src="talk.vtt" data-media-start="0.3"'),
    { 0: [red], 1: [black], 2: [red], 5: [black] },
  ],
  [
    'word by word',
    shows('data-captions-src="talk.vtt" data-captions-words'),
    { 3: [red, black, black], 5: [red, green, black], 6: [red, green, green], 8: [black, black, black] },
  ],
  [
    'all words, with an animation of the author',
    {
      'index.html': page(
        `${style}<style>[data-cue-word] { animation: said var(--word-seconds) var(--word-start) } @keyframes said { from, to { background: blue } }</style><p data-captions-src="talk.vtt" data-captions-words></p>`,
        { duration: 1 },
      ),
      'talk.vtt': talk,
    },
    { 5: [red, blue, green], 6: [red, green, blue], 7: [red, green, blue] },
  ],
  [
    'the file of a variable, in a file that starts later',
    {
      'index.html': page(mount('inner.html', { file: 'talk.vtt' }, 'data-start="0.2" data-duration="0.8"'), {
        duration: 1,
      }),
      'inner.html': `<template>${style}<div data-composition-id="inner" data-width="64" data-height="48" data-composition-variables='${JSON.stringify([string('file', '')])}'><p data-captions-src="" data-var-src="file"></p></div></template>`,
      'talk.vtt': talk,
    },
    { 3: [black], 4: [red], 5: [red], 6: [black], 7: [red], 9: [red] },
  ],
  [
    'animations of captions from their starts',
    {
      'index.html': page(
        `${style}<style>[data-cue] { animation: turn 0.2s step-end both } @keyframes turn { from { background: lime } to { background: blue } }</style><p data-captions-src="talk.vtt"></p>`,
        { duration: 1 },
      ),
      'talk.vtt': talk,
    },
    { 2: [green], 3: [green], 5: [green], 6: [green], 7: [blue] },
  ],
]);

test('shows the same when a page starts in the middle of a caption', async () => {
  const long = 'WEBVTT\n\n00:00.500 --> 00:03.500\na <00:02.500>b\n';
  const turning =
    '<style>[data-cue], [data-cue-word] { animation: turn 3s linear both } @keyframes turn { from { background: lime } to { background: blue } }</style>';
  await checkCuts({
    'index.html': composition(`${style}${turning}<p data-captions-src="talk.vtt" data-captions-words></p>`, {
      duration: 4,
    }),
    'talk.vtt': long,
  });
});

const renderVideo = warmRenderer();

const texts = (file: string) =>
  execFileSync(referenceFfmpeg, ['-v', 'error', '-i', file, '-f', 'srt', '-'], { encoding: 'utf8' }).replace(
    /<[^>]*>/g,
    '',
  );

const tone = () =>
  readFileSync(makeSound(referenceFfmpeg, join(temporaryFolder(), 'tone.wav'), '0.5*sin(2*PI*440*t)', 0.5));

test.each<[string, string]>([
  ['mp4', ''],
  ['mov', ''],
  // Opus needs 7 ms before the sound. The frames of such a file also start then.
  ['webm', '07'],
])('writes the captions into a track of %s, with and without sound', async (format, late) => {
  const output = join(temporaryFolder(), `out.${format}`);
  const render = async (body: string) => {
    const index = composition(`<p data-captions-src="talk.vtt"></p>${body}`);
    const projectDir = project({ 'index.html': index, 'talk.vtt': talk, 'tone.wav': tone() });
    await renderVideo({ projectDir, output, fps: '10', capture: 'paint', captions: 'embed', quality: 'draft' });
    return texts(output);
  };
  const expected = '1\n00:00:00,200 --> 00:00:00,400\na\n\n2\n00:00:00,500 --> 00:00:00,800\nb c\n\n';
  expect(await render('')).toBe(expected);
  expect(await render('<audio src="tone.wav" data-start="0"></audio>')).toBe(
    late === '' ? expected : expected.replace(/00(?= -->|\n[a-z])/g, late),
  );
});

test('writes the captions of a part of the video into a file next to it', async () => {
  const projectDir = project(shows('data-captions-src="talk.vtt"'));
  const output = join(temporaryFolder(), 'out.mp4');
  const report = await renderVideo({
    projectDir,
    output,
    fps: '10',
    capture: 'paint',
    captions: 'srt',
    from: '0.3',
    to: '0.7',
  });
  expect(report.captions).toBe(output.replace('.mp4', '.srt'));
  expect(readFileSync(report.captions ?? '', 'utf8')).toBe(
    '1\n00:00:00,000 --> 00:00:00,100\na\n\n2\n00:00:00,200 --> 00:00:00,400\nb c\n',
  );
});

test('writes all captions of several files into a track', async () => {
  const body = '<p data-captions-src="talk.vtt"></p><p data-captions-src="de.vtt"></p>';
  const files = { 'talk.vtt': talk, 'de.vtt': 'WEBVTT\n\n00:00.300 --> 00:00.600\nd\n' };
  const output = join(temporaryFolder(), 'out.mp4');
  const projectDir = project({ 'index.html': composition(body), ...files });
  await renderVideo({ projectDir, output, fps: '10', capture: 'paint', captions: 'embed' });
  const lines = texts(output).trim().split('\n\n');
  expect(
    lines.map((line) => line.replace(/^\d+\n00:00:00,|00 --> 00:00:00,|00(?=\n)/g, '').replace(/\r?\n/g, ' ')),
  ).toEqual([...['23 a', '34 a d', '45 d', '56 d b c', '68 b c']]);
});

test.each([
  ['talk.vtt', 'out.mp4', 'a source of the composition'],
  ['x.vtt', 'x.vtt', 'a part of the output'],
  ['x/talk.vtt', 'x', 'a part of the output'],
])('does not write captions to %s of %s: it is %s', async (captions, output, what) => {
  const projectDir = project(shows('data-captions-src="talk.vtt"'));
  const at = (name: string) => join(projectDir, name);
  const request = { projectDir, output: at(output), captions: at(captions), format: output === 'x' ? 'png' : 'mp4' };
  await expect(renderVideo(request)).rejects.toMatchObject({
    message: `${at(captions)} is ${what}, which the captions would replace`,
  });
  expect(readFileSync(at('talk.vtt'), 'utf8')).toBe(talk);
  expect(existsSync(at(output))).toBe(false);
});

test('knows only its own captions, and infers no length from them', async () => {
  const body = '<p data-cue data-start="0" data-duration="0.2">mine</p><p data-captions-src="talk.vtt"></p>';
  const projectDir = project({ 'index.html': composition(body, { duration: null }), 'talk.vtt': talk });
  const output = join(temporaryFolder(), 'out.mp4');
  const { frames } = await renderVideo({ projectDir, output, fps: '10', capture: 'paint', captions: 'vtt' });
  expect(frames).toBe(2);
  expect(readFileSync(output.replace('.mp4', '.vtt'), 'utf8')).toBe('WEBVTT\n');
});

test('fails for a file that does not exist, and writes nothing', async () => {
  const projectDir = project({ 'index.html': composition('\n<p id="c" data-captions-src="tlak.vtt"></p>') });
  const output = join(temporaryFolder(), 'out.mp4');
  await expect(renderVideo({ projectDir, output, captions: 'vtt' })).rejects.toMatchObject({
    code: 'asset_missing',
    message: 'The file tlak.vtt does not exist, and <p id="c"> needs it',
    place: { file: 'index.html', line: 5 },
  });
  expect(existsSync(output)).toBe(false);
  expect(existsSync(output.replace('.mp4', '.vtt'))).toBe(false);
});
