// Chunks that are rendered separately, in any order and each in a new browser, result in the same video as one render.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mergedFonts } from '../../../../renderer-core/plan/fonts/shownFonts.ts';
import { assemble, planChunks, type RenderedChunk, renderChunk } from '../../../../renderer-core/render/chunkRender.ts';
import type { Machine } from '../../../../renderer-core/render/chunks/workers.ts';
import type { CaptureDecision, RenderRequest } from '../../../../renderer-core/render/types.ts';
import { composition, project, temporaryFolder } from '../../../support/project.ts';
import { referenceFfmpeg } from '../../../support/renders/ffmpeg.ts';
import { indexIsFirst, videoIn } from '../../../support/renders/movieBoxes.ts';
import { makeSound } from '../../../support/renders/sound.ts';
import { surroundings } from '../../../support/renders/surroundings.ts';
import { warmRenderer } from '../../../support/renders/warmRender.ts';
import { core } from '../../../support/suites.ts';

const renderVideo = warmRenderer();

const moving = `<div style="position:absolute;width:20px;height:20px;background:#f40;animation:go 2s linear both"></div>
  <style>@keyframes go { to { transform: translate(40px, 20px) rotate(90deg) } }</style>`;

const sumSizes = (paths: string[]): number => paths.reduce((sum, path) => sum + statSync(path).size, 0);

async function renderInChunks(
  projectDir: string,
  chunkSize: number,
  options: Partial<RenderRequest> = {},
): Promise<{ file: string; frames: number[]; chunks: RenderedChunk[]; capture: CaptureDecision }> {
  const planned = await planChunks({ projectDir, fps: '30', ...options }, surroundings, { chunkSize });
  // A plan is sent as JSON.
  const sent = JSON.parse(JSON.stringify(planned)) as typeof planned;
  const folder = temporaryFolder();
  const done = [];
  for (const { index } of [...sent.plan.chunks].reverse()) {
    done.push(await renderChunk(sent, index, folder, { ...surroundings, projectDir }));
  }
  done.reverse();
  const paths = done.map(({ path }) => path);
  const joined = join(folder, 'joined');
  const streamed = { arrival: async () => undefined, bytes: sumSizes(paths) };
  const { video } = await assemble(sent.plan, paths, done.at(-1)?.sounds ?? [], joined, {
    ...surroundings,
    projectDir,
    // Joining needs no browser.
    browserPath: join(folder, 'missing'),
    streamed,
  });
  const file = join(folder, 'out.mp4');
  writeFileSync(file, videoIn(joined, video));
  return { file, frames: done.map(({ frames }) => frames), chunks: done, capture: sent.capture };
}

test('produces the same bytes as a local render from chunks of the local size, including sound', async () => {
  const projectDir = project({
    'index.html': composition(`${moving}<audio src="tone.wav" data-start="0"></audio>`, { duration: 9 }),
  });
  makeSound(referenceFfmpeg, join(projectDir, 'tone.wav'), '0.5*sin(2*PI*440*t)', 9);
  const output = join(temporaryFolder(), 'local.mp4');
  await renderVideo({ projectDir, fps: '30', output, capture: 'paint' });
  const { file, frames } = await renderInChunks(projectDir, 240);
  expect(frames).toEqual([135, 135]);
  expect(readFileSync(file).equals(readFileSync(output))).toBe(true);
  expect(indexIsFirst(readFileSync(file))).toBe(true);
});

test('produces the same bytes as a local render of a video that stops moving', core, async () => {
  const projectDir = project(composition(moving.replace('2s', '0.15s'), { duration: 0.6 }));
  const output = join(temporaryFolder(), 'local.mp4');
  await renderVideo({ projectDir, fps: '30', output, chunkFrames: 9 });
  const { file, frames } = await renderInChunks(projectDir, 9);
  expect(frames).toEqual([9, 9]);
  expect(readFileSync(file).equals(readFileSync(output))).toBe(true);
});

test('renders a chunk with as many pages as the machine allows, to the same bytes', async () => {
  const projectDir = project({
    'index.html': composition(
      `<p style="color:#fff;font-family:Inter">Now \u{12000}</p>${moving.replace('2s', '20s')}`,
      {
        duration: 20,
      },
    ),
  });
  const planned = await planChunks({ projectDir, fps: '30' }, surroundings, { chunkSize: 300 });
  const chunk = async (machine: Machine) => {
    const { path, pages, ...facts } = await renderChunk(planned, 1, temporaryFolder(), {
      ...surroundings,
      projectDir,
      machine: () => machine,
    });
    return { pages, facts, bytes: readFileSync(path) };
  };
  const alone = await chunk({ cores: 1, freeMemory: 8 * 2 ** 30 });
  const together = await chunk({ cores: 64, freeMemory: 8 * 2 ** 30 });
  expect([alone.pages, together.pages > 1]).toEqual([1, true]);
  expect(together.facts).toEqual(alone.facts);
  expect(together.bytes.equals(alone.bytes)).toBe(true);
});

test.each([
  ['with bars', ''],
  ['in a declared size', 'data-sizes="36x64"'],
])('produces the same bytes as a local render of a part in another aspect ratio, %s, with the fonts of the machine', async (_, attributes) => {
  const text = '<p style="position:absolute;font:12px serif;color:#fff">Text</p>';
  const projectDir = project(composition(text + moving, { duration: 2, attributes }));
  const size = { aspectRatio: '9:16', height: 160, background: 'tomato' } as const;
  const options = { from: '1.5', systemFonts: true, ...size };
  const output = join(temporaryFolder(), 'local.mp4');
  const local = { projectDir, fps: '30', output, chunkFrames: 10, capture: 'paint', ...options } as const;
  const { width, height } = await renderVideo(local);
  expect([width, height]).toEqual([90, 160]);
  const { file, frames } = await renderInChunks(projectDir, 10, options);
  expect(frames).toEqual([7, 8]);
  expect(readFileSync(file).equals(readFileSync(output))).toBe(true);
});

test('does not render a chunk with another engine than the plan', async () => {
  const projectDir = project(composition(moving, { duration: 0.2 }));
  const planned = await planChunks({ projectDir, fps: '30' }, surroundings);
  const engine = { ...planned.engine, ffmpeg: { ...planned.engine.ffmpeg, version: '7.1' } };
  await expect(
    renderChunk({ ...planned, engine }, 0, temporaryFolder(), { ...surroundings, projectDir }),
  ).rejects.toMatchObject({
    code: 'render_failed',
    message: expect.stringMatching(
      /^This machine has Chromium 153\S+ and FFmpeg 8\S+, but the video was planned with /,
    ),
  });
});

/** After a quarter of a second, cards that intersect: painting does not sort them by depth. */
const intersects = `<h1 style="rotate:9deg">Card</h1><script>setTimeout(() => {
  root.innerHTML += ['red;transform:rotateY(45deg)', 'blue;transform:rotateY(-45deg)'].reduce((html, style) =>
    html + '<i style="position:absolute;inset:0;background:' + style + '"></i>',
    '<div style="position:absolute;inset:0;transform-style:preserve-3d">') + '</div>';
}, 250)</script>`;

test('captures all chunks as decided for the whole video, and produces the bytes of a local render', async () => {
  const projectDir = project(composition(intersects, { duration: 0.4 }));
  const output = join(temporaryFolder(), 'local.mp4');
  const local = await renderVideo({ projectDir, fps: '30', output, chunkFrames: 6 });
  const { file, frames, capture } = await renderInChunks(projectDir, 6);
  expect(frames).toEqual([6, 6]);
  expect(capture).toMatchObject({ path: 'screenshot', reason: local.capture.reason });
  expect(readFileSync(file).equals(readFileSync(output))).toBe(true);
});

test('captures all chunks with screenshots if elements intersect in a frame that is not a sample', async () => {
  const card = (style: string) => `<i style="position:absolute;inset:5px;background:${style}"></i>`;
  const cards = `<div style="position:absolute;inset:0;transform-style:preserve-3d">
    ${card('red')}${card('blue;transform:translateZ(2px)')}</div><script>requestAnimationFrame(function turn(now) {
      document.querySelector('i').style.transform = now === 100 ? 'rotateY(45deg)' : 'none';
      requestAnimationFrame(turn);
    })</script>`;
  const { capture } = await planChunks(
    { projectDir: project(composition(cards, { duration: 1 })), fps: '10' },
    surroundings,
  );
  expect(capture).toMatchObject({ path: 'screenshot', reason: expect.stringContaining('intersect') });
});

test('reports the fonts and the missing characters of each chunk, together those of a local render', async () => {
  const later = '<p style="font-family:Georgia">Later \u{12000}</p>';
  const script = `setTimeout(() => root.insertAdjacentHTML('beforeend', '${later}'), 250)`;
  const page = `<p style="color:#fff;font-family:Inter">Now</p><script>${script}</script>`;
  const projectDir = project(composition(page, { duration: 0.4 }));
  const output = join(temporaryFolder(), 'local.mp4');
  const local = await renderVideo({ projectDir, fps: '30', output, chunkFrames: 6 });
  const { chunks } = await renderInChunks(projectDir, 6);
  const inter = { family: 'Inter', weights: ['100 900'], source: 'pinned', substitute: null };
  const georgia = { family: 'Georgia', weights: ['400'], source: 'pinned', substitute: 'Gelasio' };
  expect(chunks.map(({ fonts }) => fonts)).toEqual([[inter], [georgia, inter]]);
  expect(chunks.map(({ warnings }) => warnings)).toEqual([
    [],
    [expect.stringMatching(/^index\.html:\d+:\d+: no font has the character U\+12000 /)],
  ]);
  expect(local.fonts).toEqual(mergedFonts(chunks.map(({ fonts }) => fonts)));
  expect(local.warnings).toEqual(chunks[1]?.warnings);
});

test('rejects a chunk that cannot be painted as decided', async () => {
  const cards = intersects.replace('}, 250)', '}, 0)').replace('setTimeout(() => {', '{').replace('}, 0)', '}');
  const projectDir = project(composition(cards, { duration: 0.1 }));
  const planned = await planChunks({ projectDir }, surroundings);
  expect(planned.capture.path).toBe('screenshot');
  const painted = { ...planned, capture: { path: 'paint' as const, reason: 'all sample frames agree' } };
  await expect(renderChunk(painted, 0, temporaryFolder(), { ...surroundings, projectDir })).rejects.toMatchObject({
    code: 'render_failed',
    message: expect.stringMatching(/^This part of the video cannot be painted as the others are: .*preserve-3d/),
  });
});

test('rejects values that scripts set, with the message of a local render, if checking is strict', async () => {
  const projectDir = project({
    'index.html': composition(`<div data-composition-src="a.html"></div><script>
      document.querySelector('div div').setAttribute('data-variable-values', '{"n":"x"}')</script>`),
    'a.html': `<p data-composition-id="a" data-composition-variables='[{"id":"n","type":"number"}]'>A</p>`,
  });
  const output = join(temporaryFolder(), 'local.mp4');
  const errorOf = (work: Promise<unknown>) => work.catch(({ code, message, place }) => ({ code, message, place }));
  const local = await errorOf(renderVideo({ projectDir, output, strictVariables: true }));
  expect(local).toMatchObject({ code: 'variables_invalid', message: 'Variable "n" must be a number (got "x")' });
  expect(await errorOf(planChunks({ projectDir, strictVariables: true }, surroundings))).toEqual(local);
});

test('rejects a project that only one machine can render before a browser starts', core, async () => {
  const projectDir = project(composition(moving));
  await expect(planChunks({ projectDir, hdr: true }, surroundings)).rejects.toThrow(
    'HDR video can only be rendered on one machine',
  );
  await expect(planChunks({ projectDir, format: 'png' }, surroundings)).rejects.toThrow('A folder of frames');
});
