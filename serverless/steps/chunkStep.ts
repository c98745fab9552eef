// The step that renders one chunk to a segment in the bucket.
import { UserError } from '../../renderer-core/errors.ts';
import type { Network } from '../../renderer-core/project/remote/publicFetch.ts';
import type { ChunkRenderer } from '../../renderer-core/render/chunkRender.ts';
import { keys } from '../keys.ts';
import type { ChunkResult, TaskInput } from '../renders/execution.ts';
import { openChunkProgress } from './chunkProgress.ts';
import { renderSegment } from './segment.ts';
import { type StepContext, segmentKey, storedPlan } from './stepContext.ts';

export async function chunkStep(
  { renderId }: TaskInput,
  planKey: string,
  index: number,
  openRenderer: (network: Network) => Promise<ChunkRenderer>,
  context: StepContext,
): Promise<ChunkResult> {
  const { store, stopwatch, now } = context;
  const started = now();
  const stored = await storedPlan(store, planKey);
  const { plan, network } = stored;
  const frames = (plan.chunks[index]?.end ?? 0) - (plan.chunks[index]?.start ?? 0);
  if (stored.codeVersion !== context.codeVersion) throw codeChanged();
  const key = segmentKey(renderId, stored, index);
  const progress = await openChunkProgress(keys.progress(renderId, index), { index, frames }, context);
  const end = async (isReused: boolean): Promise<ChunkResult> => {
    await progress.end(stopwatch.times());
    return { index, frames, bytes: (await store.size(key)) ?? 0, elapsedMs: now() - started, isReused };
  };
  if ((await store.size(key)) !== undefined) return end(true);
  try {
    const renderer = await openRenderer(network);
    stopwatch.end('browser');
    await renderSegment({ stored, index, key, renderer, onFrames: progress.report }, context);
    return await end(false);
  } catch (error) {
    await progress.fail(error);
    throw error;
  }
}

/** Chunks that were rendered by different versions of the code may differ visibly. */
function codeChanged(): UserError {
  return new UserError('deploy_failed', 'Another version of the stack was deployed during this render', {
    hint: 'Start the render again.',
  });
}
