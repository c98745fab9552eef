// A part of a composition has the same frames and the same sound as the whole video has there.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RenderRequest } from '../../../renderer-core/render/types.ts';
import { composition, project, temporaryFolder } from '../../support/project.ts';
import { referenceFfmpeg } from '../../support/renders/ffmpeg.ts';
import { captureProject } from '../../support/renders/frames.ts';
import { makeSound, tenths } from '../../support/renders/sound.ts';
import { allPixels, describeVideo } from '../../support/renders/video.ts';
import { warmRenderer } from '../../support/renders/warmRender.ts';
import { core } from '../../support/suites.ts';

const renderVideo = warmRenderer();

/** One frame depends on those before: the script counts them. */
const counting = `<style>#box { position: absolute; left: 0; top: 0; width: 10px; height: 10px; background: #c06 }</style>
<div id="box"></div><div data-start="0.4" data-duration="0.3" style="background:#0a7;width:60px;height:20px"></div>
<script>let count = 0; requestAnimationFrame(function step() { box.style.left = count++ * 5 + 'px'; requestAnimationFrame(step); })</script>`;
const moving = `<style>@keyframes go { to { translate: 40px 20px } } p { width: 20px; height: 20px; background: #c06; animation: go 1s linear }</style><p></p>`;

test.each([
  ['paint', counting],
  ['screenshot', counting],
  ['paint', moving],
  ['auto', moving],
] as const)('renders the frames of the part with %s', async (capture, body) => {
  const frames = async (request: Partial<RenderRequest>) =>
    (await captureProject(composition(body), { capture, ...request })).frames.map(allPixels);
  const all = await frames({});
  expect(new Set(all).size).toBeGreaterThan(5);
  expect(await frames({ from: '0.3', to: '8f' })).toEqual(all.slice(3, 8));
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
  // Silence from 0.6 to 0.7 seconds of the composition.
  expect(tenths(output, 5)).toEqual([5, 5, 0, 5, 5]);
});
