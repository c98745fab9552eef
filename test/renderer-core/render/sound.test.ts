// The sound of a render: which elements of the page are audible, when, and how loud.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RenderRequest } from '../../../renderer-core/render/types.ts';
import { composition, project, temporaryFolder } from '../../support/project.ts';
import { referenceFfmpeg } from '../../support/renders/ffmpeg.ts';
import { footage, footageHeight, footageWidth, readNumber } from '../../support/renders/footage.ts';
import { decodeSound, loudest, makeSound, tenths } from '../../support/renders/sound.ts';
import { decode, describeVideo } from '../../support/renders/video.ts';
import { warmRenderer } from '../../support/renders/warmRender.ts';
import { core } from '../../support/suites.ts';

const renderVideo = warmRenderer();

const ffmpeg = referenceFfmpeg;

/** A constant tone at half of full scale. */
const tone = (seconds: number) =>
  readFileSync(makeSound(ffmpeg, join(temporaryFolder(), 'tone.wav'), '0.5*sin(2*PI*440*t)', seconds));

/** Renders one second at 10 frames per second. */
async function render(
  body: string,
  files: Record<string, string | Uint8Array> = {},
  request: Partial<RenderRequest> = {},
): Promise<string> {
  const projectDir = project({ 'index.html': composition(body), ...files });
  const output = join(temporaryFolder(), 'out.mp4');
  return (await renderVideo({ projectDir, output, fps: '10', capture: 'paint', ...request })).output;
}

const silence = Array.from({ length: 10 }, () => 0);
const heard = (from: number, to: number, level = 5) =>
  silence.map((_, part) => (part >= from && part < to ? level : 0));

describe('plays an element', () => {
  test.each<[string, string, number[]]>([
    ['from its start to its end', '<audio src="tone.wav" data-start="0.2" data-duration="0.3"></audio>', heard(2, 5)],
    ['for its natural length', '<audio src="tone.wav" data-start="0.3"></audio>', heard(3, 7)],
    ['as long as it loops', '<audio src="tone.wav" data-start="0.3" loop></audio>', heard(3, 10)],
    ['without data-start from time 0', '<audio src="tone.wav"></audio>', heard(0, 4)],
    [
      'in a shadow tree, from the start of the clip around it',
      '<p data-start="0.2" data-duration="0.3"><template shadowrootmode="open"><audio src="tone.wav"></audio></template></p>',
      heard(2, 5),
    ],
    [
      'with fades',
      '<audio src="tone.wav" data-start="0" loop data-duration="1" data-fade-in="0.4" data-fade-out="0.2"></audio>',
      [1, 2, 3, 5, 5, 5, 5, 5, 4, 2],
    ],
    [
      'more quietly while another one is heard',
      '<audio src="tone.wav" data-start="0" loop data-duck="voice -14 0.1 0.2"></audio><p id="voice" data-start="0.4" data-duration="0.3"><audio src="tone.wav" data-volume="0.0001"></audio></p>',
      [5, 5, 5, 4, 1, 1, 1, 2, 4, 5],
    ],
    ['at its volume', '<audio src="tone.wav" data-start="0" data-volume="0.4"></audio>', heard(0, 4, 2)],
    [
      'while the clip around it is visible',
      '<div data-start="0.2" data-duration="0.2"><audio src="tone.wav" data-start="0"></audio></div>',
      heard(2, 4),
    ],
    [
      'whose file a script sets',
      '<audio id="a" data-start="0.5"></audio><script>a.src = "to" + "ne.wav"</script>',
      heard(5, 9),
    ],
    [
      'at the volume that a script sets',
      `<audio id="a" src="tone.wav" data-start="0" loop></audio>
       <script>requestAnimationFrame(function turn() { a.volume = performance.now() < 450 ? 1 : 0.4; requestAnimationFrame(turn); })</script>`,
      // Between two frames, the volume changes linearly.
      [5, 5, 5, 5, 4, 2, 2, 2, 2, 2],
    ],
  ])('%s', async (_, body, expected) => {
    expect(tenths(await render(body, { 'tone.wav': tone(0.4) }))).toEqual(expected);
  });

  test('plays the sound of a video with data-has-audio', core, async () => {
    const clip = footage({ seconds: 0.4, sound: true });
    const body = '<video src="clip.mp4" data-start="0.2" data-has-audio="true"></video>';
    const levels = tenths(await render(body, { 'clip.mp4': clip }));
    expect(levels.map((level) => (level > 0 ? 5 : 0))).toEqual(heard(2, 6));
  });
});

test('writes no audio stream from muted elements, videos without data-has-audio, and elements after the end', async () => {
  const body = `<audio src="tone.wav" data-start="0" muted></audio><video src="clip.mp4" data-start="0"></video>
    <audio src="tone.wav" data-start="1.5"></audio>`;
  const file = await render(body, { 'tone.wav': tone(0.4), 'clip.mp4': footage({ seconds: 0.4, sound: true }) });
  expect(() => decodeSound(ffmpeg, file)).toThrow(/matches no streams/);
});

test('writes audio as long as the video', async () => {
  const file = await render('<audio src="tone.wav" data-start="0.2"></audio>', { 'tone.wav': tone(5) });
  // AAC has blocks of 1024 samples. The file states where the sound ends in the last block.
  expect(Math.ceil(decodeSound(ffmpeg, file).left.length / 1024)).toBe(Math.ceil(48_000 / 1024));
  expect((await describeVideo(file)).duration).toBe('00:00:01.00');
});

test('writes the same audio with one page and with two', async () => {
  const body = `<audio id="a" src="tone.wav" loop></audio>
    <script>requestAnimationFrame(function turn() { a.volume = performance.now() / 20000; requestAnimationFrame(turn); })</script>`;
  const files = { 'index.html': composition(body, { duration: 2 }), 'tone.wav': tone(1) };
  const sounds = await Promise.all(
    [1, 2].map(async (workers) => {
      const output = join(temporaryFolder(), 'out.mp4');
      const request = { projectDir: project(files), output, fps: '30', quality: 'draft', chunkFrames: 30 } as const;
      expect((await renderVideo({ ...request, workers })).workers.count).toBe(workers);
      return decodeSound(ffmpeg, output).left.join();
    }),
  );
  expect(sounds[0] === sounds[1]).toBe(true);
});

test('synchronizes a click with its frame', core, async () => {
  const clip = footage({ seconds: 1, fps: '25', clickAt: 10 });
  const body = '<video src="clip.mp4" data-start="0.2" data-has-audio style="position:absolute;left:0;top:0"></video>';
  const projectDir = project({
    'index.html': composition(body, { width: footageWidth, height: footageHeight }),
    'clip.mp4': clip,
  });
  const output = join(temporaryFolder(), 'out.mp4');
  await renderVideo({ projectDir, output, fps: '25', capture: 'paint' });
  const frames = await decode(output, footageWidth, footageHeight);
  const frame = frames.findIndex((one) => readNumber(one) === 10);
  const click = loudest(decodeSound(ffmpeg, output).left) / 48_000;
  expect(frame).toBe(15);
  expect(Math.abs(click - frame / 25)).toBeLessThan(0.004);
});

test('names each of several elements that play the same file after its end', async () => {
  const late = '<audio src="tone.wav" data-start="0" data-duration="1" data-media-start="5"></audio>';
  const projectDir = project({ 'index.html': composition(late + late), 'tone.wav': tone(0.4) });
  const { warnings } = await renderVideo({ projectDir, output: join(temporaryFolder(), 'out.mp4'), fps: '10' });
  expect(warnings.filter((warning) => warning.includes('audio'))).toEqual([
    'No audio for <audio src="tone.wav"> (1 of 2): tone.wav has no audio at 5 s, where the clip starts',
    'No audio for <audio src="tone.wav"> (2 of 2): tone.wav has no audio at 5 s, where the clip starts',
  ]);
});
