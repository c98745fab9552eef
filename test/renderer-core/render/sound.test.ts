// The sound of a render: which elements of the page are heard, when, and how loud.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findFfmpeg } from '../../renderer-core/media/findFfmpeg.ts';
import { type RenderRequest, renderVideo } from '../../renderer-core/render/renderVideo.ts';
import { footage, footageHeight, footageWidth, readNumber } from '../support/footage.ts';
import { composition, project, temporaryFolder } from '../support/project.ts';
import { decodeSound, loudest, makeSound } from '../support/sound.ts';
import { decode, describeVideo } from '../support/video.ts';

const { path: ffmpeg } = await findFfmpeg();

/** A steady tone at half of full scale. */
const tone = (seconds: number) =>
  readFileSync(makeSound(ffmpeg, join(temporaryFolder(), 'tone.wav'), '0.5*sin(2*PI*440*t)', seconds));

/** Renders one second at ten frames a second. */
async function render(
  body: string,
  files: Record<string, string | Uint8Array> = {},
  request: Partial<RenderRequest> = {},
): Promise<string> {
  const projectDir = project({ 'index.html': composition(body), ...files });
  const output = join(temporaryFolder(), 'out.mp4');
  return (await renderVideo({ projectDir, output, fps: '10', ...request })).output;
}

/** The loudness of each tenth of a second, as a part of full scale in tenths. */
function tenths(file: string): number[] {
  const { left } = decodeSound(ffmpeg, file);
  return Array.from({ length: 10 }, (_, part) => {
    // Off the edges, which the encoder smears a little.
    const samples = left.slice(part * 4800 + 1200, (part + 1) * 4800 - 1200);
    return Math.round(Math.max(...samples.map(Math.abs)) * 10);
  });
}

const silence = Array.from({ length: 10 }, () => 0);
const heard = (from: number, to: number, level = 5) =>
  silence.map((_, part) => (part >= from && part < to ? level : 0));

describe('is heard', () => {
  test.each<[string, string, number[]]>([
    ['from its start to its end', '<audio src="tone.wav" data-start="0.2" data-duration="0.3"></audio>', heard(2, 5)],
    ['for its natural length', '<audio src="tone.wav" data-start="0.3"></audio>', heard(3, 7)],
    ['as long as it loops', '<audio src="tone.wav" data-start="0.3" loop></audio>', heard(3, 10)],
    ['without data-start from the beginning', '<audio src="tone.wav"></audio>', heard(0, 4)],
    ['at its volume', '<audio src="tone.wav" data-start="0" data-volume="0.4"></audio>', heard(0, 4, 2)],
    [
      'while the clip around it shows',
      '<div data-start="0.2" data-duration="0.2"><audio src="tone.wav" data-start="0"></audio></div>',
      heard(2, 4),
    ],
    [
      'from a file that a script names',
      '<audio id="a" data-start="0.5"></audio><script>a.src = "to" + "ne.wav"</script>',
      heard(5, 9),
    ],
    [
      'as loud as a script makes it',
      `<audio id="a" src="tone.wav" data-start="0" loop></audio>
       <script>requestAnimationFrame(function turn() { a.volume = performance.now() < 450 ? 1 : 0.4; requestAnimationFrame(turn); })</script>`,
      // Between two frames it goes from one loudness to the next.
      [5, 5, 5, 5, 4, 2, 2, 2, 2, 2],
    ],
  ])('%s', async (_, body, expected) => {
    expect(tenths(await render(body, { 'tone.wav': tone(0.4) }))).toEqual(expected);
  });

  test('of a video that says so', async () => {
    const clip = footage({ seconds: 0.4, sound: true });
    const body = '<video src="clip.mp4" data-start="0.2" data-has-audio="true"></video>';
    const levels = tenths(await render(body, { 'clip.mp4': clip }));
    expect(levels.map((level) => (level > 0 ? 5 : 0))).toEqual(heard(2, 6));
  });
});

describe('makes no stream of its own', () => {
  test.each([
    ['without media', '<p>quiet</p>'],
    ['from a muted element', '<audio src="tone.wav" data-start="0" muted></audio>'],
    ['from a video that does not say so', '<video src="clip.mp4" data-start="0"></video>'],
    ['from what starts after the end', '<audio src="tone.wav" data-start="1.5"></audio>'],
  ])('%s', async (_, body) => {
    const file = await render(body, { 'tone.wav': tone(0.4), 'clip.mp4': footage({ seconds: 0.4, sound: true }) });
    expect(() => decodeSound(ffmpeg, file)).toThrow(/matches no streams/);
  });
});

test('is as long as the video', async () => {
  const file = await render('<audio src="tone.wav" data-start="0.2"></audio>', { 'tone.wav': tone(5) });
  // AAC comes in blocks of 1024 samples; the file says where in the last one the sound ends.
  expect(Math.ceil(decodeSound(ffmpeg, file).left.length / 1024)).toBe(Math.ceil(48_000 / 1024));
  expect((await describeVideo(file)).duration).toBe('00:00:01.00');
});

test('is the same from one page and from two', async () => {
  const body = `<audio id="a" src="tone.wav" loop></audio>
    <script>requestAnimationFrame(function turn() { a.volume = performance.now() / 20000; requestAnimationFrame(turn); })</script>`;
  const files = { 'index.html': composition(body, { duration: 16 }), 'tone.wav': tone(1) };
  const sounds = await Promise.all(
    [1, 2].map(async (workers) => {
      const output = join(temporaryFolder(), 'out.mp4');
      await renderVideo({ projectDir: project(files), output, fps: '30', quality: 'draft', workers });
      return decodeSound(ffmpeg, output).left.join();
    }),
  );
  expect(sounds[0] === sounds[1]).toBe(true);
});

test('stays with the picture: a click and the frame it belongs to', async () => {
  const clip = footage({ seconds: 1, fps: '25', clickAt: 10 });
  const body = '<video src="clip.mp4" data-start="0.2" data-has-audio style="position:absolute;left:0;top:0"></video>';
  const projectDir = project({
    'index.html': composition(body, { width: footageWidth, height: footageHeight }),
    'clip.mp4': clip,
  });
  const output = join(temporaryFolder(), 'out.mp4');
  await renderVideo({ projectDir, output, fps: '25' });
  const frames = await decode(output, footageWidth, footageHeight);
  const frame = frames.findIndex((picture) => readNumber(picture) === 10);
  const click = loudest(decodeSound(ffmpeg, output).left) / 48_000;
  expect(frame).toBe(15);
  expect(Math.abs(click - frame / 25)).toBeLessThan(0.004);
});
