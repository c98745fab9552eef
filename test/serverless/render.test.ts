// The steps of a render in the order of the state machine, each as another worker, on a bucket in memory.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openChunkRenderer } from '../../renderer-core/render/chunkRender.ts';
import { renderVideo } from '../../sdk/renders.ts';
import type { ExecutionInput } from '../../serverless/renders/execution.ts';
import { assembleStep } from '../../serverless/steps/assembleStep.ts';
import { chunkStep } from '../../serverless/steps/chunkStep.ts';
import { planStep } from '../../serverless/steps/planStep.ts';
import { startStopwatch } from '../../serverless/steps/stageTimes.ts';
import type { StepContext } from '../../serverless/steps/stepContext.ts';
import { composition, project, temporaryFolder } from '../support/project.ts';
import { surroundings } from '../support/renders/surroundings.ts';
import { memoryBucket } from '../support/servers/memoryBucket.ts';
import { core } from '../support/suites.ts';

test('plans, renders chunks and joins them to the bytes of a local render', core, async () => {
  const moving = `<style>@keyframes go { to { translate: 40px } }</style><p style="animation:go 1s linear">a</p>`;
  const projectDir = project(composition(moving, { duration: 1 }));
  const objects: Record<string, unknown> = {};
  const context: StepContext = {
    surroundings,
    store: memoryBucket(objects),
    projectDir,
    codeVersion: '1',
    signal: new AbortController().signal,
    worker: { memoryMb: 2048, log: { group: 'g', stream: 's', requestId: 'r' } },
    stopwatch: startStopwatch(Date.now, true),
    now: Date.now,
  };
  const input: ExecutionInput = {
    ...{ version: 1, renderId: 'r-1', bucket: 'results', siteId: 's', outputKey: 'renders/r-1.mp4' },
    config: { composition: 'index.html', fps: 30 },
    chunks: { chunkSize: 10 },
  };
  const { task, planKey, chunks } = await planStep(input, context);
  // Without another setting, pages reach public hosts only.
  expect(objects[planKey]).toMatchObject({ network: 'public' });
  const renderer = await openChunkRenderer({ ...surroundings, projectDir });
  onTestFinished(() => renderer.close());
  const open = async () => renderer;
  const rendered = [];
  for (const { index } of chunks) rendered.push(await chunkStep(task, planKey, index, open, context));
  expect(rendered).toMatchObject([0, 1, 2].map((index) => ({ index, frames: 10, isReused: false })));
  expect(await chunkStep(task, planKey, 0, open, context)).toMatchObject({ isReused: true });
  expect(await assembleStep(task, planKey, context)).toMatchObject({ outputKey: 'renders/r-1.mp4', frames: 30 });

  const output = join(temporaryFolder(), 'local.mp4');
  await renderVideo({ projectDir, output, fps: '30', chunkFrames: 10 });
  const video = objects['renders/r-1.mp4'];
  expect(video instanceof Uint8Array && Buffer.compare(video, readFileSync(output))).toBe(0);
});
