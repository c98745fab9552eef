// Renders in all sizes of a composition: the same videos as one render for each, in one browser.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { planSizes, renderSizes } from '../../../../renderer-core/render/batch/renderSizes.ts';
import { renderVideo } from '../../../../renderer-core/render/pipeline.ts';
import type { RenderEvent } from '../../../../renderer-core/render/renderReport.ts';
import { composition, project, temporaryFolder } from '../../../support/project.ts';
import { tone } from '../../../support/renders/wav.ts';

const surroundings = { env: process.env, now: () => performance.now() };

const page = composition(`<div id="all"></div><audio src="a.wav" data-start="0"></audio>`, {
  duration: 0.5,
  attributes: 'data-sizes="64x48 48x64 64x64"',
  head: `<style>#root{width:100vw !important;height:100vh !important}
      #all{position:absolute;inset:0;background:#f00}
      @media (orientation:portrait){#all{background:#0f0}}</style>`,
});

const projectDir = () => project({ 'index.html': page, 'a.wav': tone(0.5) });

test('renders the video of each size', async () => {
  const folder = temporaryFolder();
  const request = { projectDir: projectDir(), fps: '10' };
  const events: RenderEvent[] = [];
  const all = { ...request, output: join(folder, 'out.mp4'), onEvent: (event: RenderEvent) => void events.push(event) };
  const reports = await renderSizes(all, surroundings);
  expect(reports.map(({ output, width, height }) => [basename(output), width, height])).toEqual([
    ['out-4x3.mp4', 64, 48],
    ['out-3x4.mp4', 48, 64],
    ['out-1x1.mp4', 64, 64],
  ]);
  expect(readdirSync(folder).sort()).toEqual(['out-1x1.mp4', 'out-3x4.mp4', 'out-4x3.mp4']);
  const stages = events.flatMap((event) => (event.type === 'stage' ? [event.message] : []));
  expect(stages.filter((message) => message.startsWith('Size'))).toEqual([
    'Size 1 of 3: 64x48',
    'Size 2 of 3: 48x64',
    'Size 3 of 3: 64x64',
  ]);
  const alone = join(folder, 'alone.mp4');
  await renderVideo({ ...request, aspectRatio: '3:4', output: alone }, surroundings);
  expect(readFileSync(alone).equals(readFileSync(join(folder, 'out-3x4.mp4')))).toBe(true);
});

test('keeps the videos that are finished when it is cancelled', async () => {
  const folder = temporaryFolder();
  const controller = new AbortController();
  const onEvent = (event: RenderEvent) => {
    if (event.type === 'stage' && event.message === 'Size 3 of 3: 64x64') controller.abort();
  };
  const request = { projectDir: projectDir(), output: join(folder, 'out.mp4'), onEvent, signal: controller.signal };
  const error = await renderSizes(request, surroundings).catch((one: Error) => one.message);
  const written = readdirSync(folder).length;
  expect(written).toBeGreaterThan(0);
  expect(error).toBe(`The render was cancelled; ${written} of 3 videos are finished.`);
});

test('plans each size with the pixels of the resolution', async () => {
  const plans = await planSizes({ projectDir: projectDir(), resolution: '1080p', output: 'a.webm' }, surroundings);
  expect(plans.map(({ plan }) => [plan.output, plan.width, plan.height, plan.page.width, plan.page.placement])).toEqual(
    [
      ['a-4x3.webm', 1440, 1080, 64, undefined],
      ['a-3x4.webm', 1080, 1440, 48, undefined],
      ['a-1x1.webm', 1080, 1080, 64, undefined],
    ],
  );
});

test.each([
  [{ aspectRatio: '1:1' }, 'All sizes cannot be combined with an aspect ratio'],
  [{ width: 100 }, 'All sizes cannot be combined with a width'],
  [{ output: '-' }, 'All sizes cannot be written to -: each one is a file'],
])('rejects %j', async (options, message) => {
  await expect(planSizes({ projectDir: projectDir(), ...options }, surroundings)).rejects.toMatchObject({
    code: 'usage',
    message,
  });
});

test('says how sizes are declared', async () => {
  const projectDir = project(composition(''));
  await expect(planSizes({ projectDir }, surroundings)).rejects.toMatchObject({
    message: 'The composition declares no sizes',
    hint: 'Add data-sizes="64x48 48x64" to the root composition element.',
  });
});

test('names the size that fails, and starts no further one', async () => {
  const folder = temporaryFolder();
  const script = `<script>if (innerWidth === 48) throw new Error('too narrow')</script>`;
  const projectDir = project(composition(script, { duration: 0.2, attributes: 'data-sizes="48x64 64x64"' }));
  const render = renderSizes({ projectDir, output: join(folder, 'out.mp4') }, surroundings);
  await expect(render).rejects.toMatchObject({
    code: 'script_error',
    message: expect.stringMatching(/^48x64: .*too narrow/),
  });
  expect([existsSync(join(folder, 'out-4x3.mp4')), readdirSync(folder).length]).toEqual([true, 1]);
});
