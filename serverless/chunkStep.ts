// The step that renders one chunk to a segment in the bucket.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UserError } from '../renderer-core/errors.ts';
import type { Network } from '../renderer-core/project/remote/publicFetch.ts';
import type { ChunkRenderer } from '../renderer-core/render/chunkRender.ts';
import { openChunkProgress } from './chunkProgress.ts';
import type { ChunkResult, TaskInput } from './execution.ts';
import { keys } from './keys.ts';
import { factsKey, type SegmentFacts, type StepContext, segmentKey, storedPlan } from './stepContext.ts';

export async function chunkStep(
  { renderId }: TaskInput,
  planKey: string,
  index: number,
  openRenderer: (network: Network) => Promise<ChunkRenderer>,
  context: StepContext,
): Promise<ChunkResult> {
  const { bucket, stopwatch, now } = context;
  const started = now();
  const stored = await storedPlan(bucket, planKey);
  const { plan, network } = stored;
  const frames = (plan.chunks[index]?.end ?? 0) - (plan.chunks[index]?.start ?? 0);
  if (stored.codeVersion !== context.codeVersion) throw codeChanged();
  const key = segmentKey(renderId, stored, index);
  const progress = await openChunkProgress(keys.progress(renderId, index), { index, frames }, context);
  const known = await bucket.size(key);
  if (known !== undefined) {
    await progress.end(stopwatch.times());
    return { index, frames, bytes: known, elapsedMs: now() - started, isReused: true };
  }
  const folder = await mkdtemp(join(tmpdir(), 'chunk-'));
  try {
    const renderer = await openRenderer(network);
    stopwatch.end('browser');
    let isFirst = true;
    const chunk = await renderer.render(stored, index, folder, (event) => {
      if (event.type !== 'frames') return;
      if (isFirst) stopwatch.end('page');
      isFirst = false;
      progress.report(event.done);
    });
    stopwatch.end('frames');
    const { sounds, fonts, warnings } = chunk;
    await bucket.putJson(factsKey(key), { sounds, fonts, warnings } satisfies SegmentFacts);
    await bucket.upload(key, chunk.path, 'application/octet-stream');
    stopwatch.end('upload');
    await progress.end(stopwatch.times());
    return { index, frames, bytes: (await bucket.size(key)) ?? 0, elapsedMs: now() - started, isReused: false };
  } catch (error) {
    await progress.fail(error);
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Chunks that were rendered by different versions of the code may differ visibly. */
function codeChanged(): UserError {
  return new UserError('deploy_failed', 'Another version of the stack was deployed during this render', {
    hint: 'Start the render again.',
  });
}
