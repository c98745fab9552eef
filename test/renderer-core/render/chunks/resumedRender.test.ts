// A render that was interrupted continues with its finished segments, and produces the same bytes.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { renderResumable } from '../../../../renderer-core/render/pipeline.ts';
import type { RenderEvent } from '../../../../renderer-core/render/renderReport.ts';
import type { RenderRequest, Resumable } from '../../../../renderer-core/render/types.ts';
import { renderVideo } from '../../../../sdk/renders.ts';
import { composition, project, temporaryFolder } from '../../../support/project.ts';
import { referenceFfmpeg } from '../../../support/renders/ffmpeg.ts';
import { processesBelow, processesOf } from '../../../support/renders/processes.ts';
import { makeSound } from '../../../support/renders/sound.ts';
import { surroundings } from '../../../support/renders/surroundings.ts';

const moving = `<div style="position:absolute;width:20px;height:20px;background:#f40;animation:go 8s linear both"></div>
  <style>@keyframes go { to { transform: translate(40px, 20px) rotate(90deg) } }</style>`;

/** 240 frames in chunks of 15, with sound. */
function movingProject(): RenderRequest {
  const body = `${moving}<audio src="tone.wav" data-start="0"></audio>`;
  const projectDir = project({ 'index.html': composition(body, { duration: 8 }) });
  makeSound(referenceFfmpeg, join(projectDir, 'tone.wav'), '0.5*sin(2*PI*440*t)', 8);
  return { projectDir, fps: '30', chunkFrames: 15, gpu: 'off', workers: 1 };
}

/** Renders until a segment is kept. Returns the names of those that are kept. */
async function interrupt(request: RenderRequest, folder: string): Promise<string[]> {
  const stop = new AbortController();
  const names = () => readdirSync(folder).sort();
  const resumable: RenderRequest & Resumable = {
    ...request,
    output: join(temporaryFolder(), 'out.mp4'),
    segments: { folder, key: 'a' },
    signal: stop.signal,
    onEvent: (event) => event.type === 'frames' && names().length > 0 && stop.abort(),
  };
  const rendering = renderResumable(resumable, surroundings);
  await expect(rendering).rejects.toMatchObject({ code: 'cancelled' });
  return names();
}

/** Returns the video, and the number of frames in the first report of progress. */
async function resume(request: RenderRequest, segments: { folder: string; key: string }) {
  const events: RenderEvent[] = [];
  const output = join(temporaryFolder(), 'out.mp4');
  const resumable = { ...request, output, segments, onEvent: (event: RenderEvent) => events.push(event) };
  await renderResumable(resumable, surroundings);
  const [first] = events.flatMap((event) => (event.type === 'frames' ? [event.done] : []));
  return { first, video: readFileSync(output) };
}

test.each([
  ['auto', 'paint'],
  ['screenshot', 'screenshot'],
] as const)('continues with the segments of an interrupted render (%s)', async (capture, path) => {
  const request = { ...movingProject(), capture };
  const whole = join(temporaryFolder(), 'whole.mp4');
  await renderVideo({ ...request, output: whole });
  const folder = temporaryFolder();
  const kept = await interrupt(request, folder);
  expect(kept[0]).toMatch(new RegExp(`^[0-9a-f]{32}-${path}-00000\\.ivf$`));
  const { first, video } = await resume(request, { folder, key: 'a' });
  expect(first).toBeGreaterThan(15 * kept.length);
  expect(video.equals(readFileSync(whole))).toBe(true);
});

test.runIf(process.platform === 'linux')('keeps no segment with empty frames after graphics have ended', async () => {
  const request = movingProject();
  const [folder, scratch] = [temporaryFolder(), temporaryFolder()];
  const whole = join(scratch, 'whole.mp4');
  await renderVideo({ ...request, output: whole });
  let isKilled = false;
  const killGraphics = () => {
    const isBrowser = ({ line }: { line: string }) => line.includes('--user-data-dir') && !line.includes('--type=');
    const own = processesBelow(process.pid).find(isBrowser);
    const graphics = processesOf(own?.pid, '--type=gpu-process');
    expect(graphics).not.toEqual([]);
    for (const pid of graphics) process.kill(pid, 'SIGKILL');
    isKilled = true;
  };
  const resumable: RenderRequest & Resumable = {
    ...request,
    output: join(scratch, 'out.mp4'),
    segments: { folder, key: 'a' },
    onEvent: (event) => event.type === 'frames' && !isKilled && readdirSync(folder).length > 0 && killGraphics(),
  };
  const rendering = renderResumable(resumable, surroundings);
  await expect(rendering).rejects.toMatchObject({ code: 'browser_failed' });
  const { first, video } = await resume(request, { folder, key: 'a' });
  expect(first).toBeGreaterThan(15);
  expect(video.equals(readFileSync(whole))).toBe(true);
});

test('starts from the beginning if files, options or program are others', async () => {
  const request = movingProject();
  const folder = temporaryFolder();
  await interrupt(request, folder);
  const other = await resume(request, { folder, key: 'b' });
  expect(other.first).toBeLessThan(15);
  const draft = await resume({ ...request, quality: 'draft' }, { folder, key: 'a' });
  expect(draft.first).toBeLessThan(15);
});
