// A part of a composition has the same frames and the same sound as the whole video has there.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RenderRequest } from '../../../renderer-core/render/types.ts';
import { referenceFfmpeg } from '../../support/ffmpeg.ts';
import { composition, project, temporaryFolder } from '../../support/project.ts';
import { decodeSound, makeSound } from '../../support/sound.ts';
import { core } from '../../support/suites.ts';
import { describeVideo } from '../../support/video.ts';
import { warmRenderer } from '../../support/warmRender.ts';

const renderVideo = warmRenderer();

/** One frame depends on those before: the script counts them. */
const counting = `<style>#box { position: absolute; left: 0; top: 0; width: 10px; height: 10px; background: #c06 }</style>
<div id="box"></div><div data-start="0.4" data-duration="0.3" style="background:#0a7;width:60px;height:20px"></div>
<script>let count = 0; requestAnimationFrame(function step() { box.style.left = count++ * 5 + 'px'; requestAnimationFrame(step); })</script>`;
const moving = `<style>@keyframes go { to { translate: 40px 20px } } p { width: 20px; height: 20px; background: #c06; animation: go 1s linear }</style><p></p>`;

async function frames(body: string, request: Partial<RenderRequest>, count: number): Promise<string[]> {
  const projectDir = project(composition(body));
  const output = join(temporaryFolder(), 'frames');
  const report = await renderVideo({ projectDir, output, format: 'png', fps: '10', ...request });
  expect(report.frames).toBe(count);
  return Array.from({ length: count }, (_, at) =>
    readFileSync(join(output, `frame-${String(at).padStart(6, '0')}.png`), 'base64'),
  );
}

test.each([
  ['paint', counting],
  ['screenshot', counting],
  ['paint', moving],
  ['auto', moving],
] as const)('renders the frames of the part with %s', async (capture, body) => {
  const all = await frames(body, { capture }, 10);
  expect(new Set(all).size).toBeGreaterThan(5);
  expect(await frames(body, { capture, from: '0.3', to: '8f' }, 5)).toEqual(all.slice(3, 8));
});

test('renders the sound of the part', core, async () => {
  const tone = readFileSync(
    makeSound(referenceFfmpeg, join(temporaryFolder(), 'tone.wav'), '0.5*sin(2*PI*440*t)', 0.4),
  );
  const body = '<audio src="tone.wav" data-start="0.2"></audio><audio src="tone.wav" data-start="0.7" loop></audio>';
  const projectDir = project({ 'index.html': composition(body), 'tone.wav': tone });
  const output = join(temporaryFolder(), 'part.mp4');
  const report = await renderVideo({ projectDir, output, fps: '10', from: '0.4', to: '0.9' });
  expect(report).toMatchObject({ frames: 5, durationSeconds: 0.5 });
  expect(await describeVideo(output)).toMatchObject({ duration: '00:00:00.50' });
  const { left } = decodeSound(referenceFfmpeg, output);
  const levels = Array.from({ length: 5 }, (_, part) =>
    Math.round(10 * Math.max(...left.slice(part * 4800 + 1200, (part + 1) * 4800 - 1200).map(Math.abs))),
  );
  // Silence from 0.6 to 0.7 seconds of the composition.
  expect(levels).toEqual([5, 5, 0, 5, 5]);
});
