// Chunks that are rendered separately, in any order and each in a new browser, result in the same video as one render.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { SizeOptions } from '../../../renderer-core/plan/resolution.ts';
import { assemble, planChunks, renderChunk } from '../../../renderer-core/render/chunkRender.ts';
import { referenceFfmpeg } from '../../support/ffmpeg.ts';
import { indexIsFirst } from '../../support/movieBoxes.ts';
import { composition, project, temporaryFolder } from '../../support/project.ts';
import { makeSound } from '../../support/sound.ts';
import { warmRenderer } from '../../support/warmRender.ts';

const renderVideo = warmRenderer();

const moving = `<div style="position:absolute;width:20px;height:20px;background:#f40;animation:go 2s linear both"></div>
  <style>@keyframes go { to { transform: translate(40px, 20px) rotate(90deg) } }</style>`;

async function renderInChunks(
  projectDir: string,
  chunkSize: number,
  size: SizeOptions = {},
): Promise<{ file: string; frames: number[] }> {
  const { plan } = await planChunks({ projectDir, fps: '30', ...size }, { chunkSize });
  // A plan is sent as JSON.
  const sent = JSON.parse(JSON.stringify(plan)) as typeof plan;
  const folder = temporaryFolder();
  const done = [];
  for (const { index } of [...sent.chunks].reverse()) {
    done.push(await renderChunk(sent, index, folder, { projectDir, capture: 'paint' }));
  }
  done.reverse();
  const file = join(folder, 'out.mp4');
  const sounds = done.at(-1)?.sounds ?? [];
  await assemble(
    sent,
    done.map(({ path }) => path),
    sounds,
    file,
    { projectDir },
  );
  return { file, frames: done.map(({ frames }) => frames) };
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

test('produces the same bytes as a local render in another aspect ratio', async () => {
  const projectDir = project(composition(moving, { duration: 0.2 }));
  const size: SizeOptions = { aspectRatio: '9:16', height: 160, background: 'tomato' };
  const output = join(temporaryFolder(), 'local.mp4');
  const { width, height } = await renderVideo({ projectDir, fps: '30', output, capture: 'paint', ...size });
  expect([width, height]).toEqual([90, 160]);
  const { file } = await renderInChunks(projectDir, 240, size);
  expect(readFileSync(file).equals(readFileSync(output))).toBe(true);
});

test('rejects a project that only one machine can render before a browser starts', async () => {
  const projectDir = project(composition(moving));
  await expect(planChunks({ projectDir, hdr: true })).rejects.toThrow('HDR video can only be rendered on one machine');
  await expect(planChunks({ projectDir, format: 'png' })).rejects.toThrow('A folder of frames');
});
