// Renders a chunk and uploads its segment, unless another worker is faster.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChunkRenderer } from '../renderer-core/render/chunkRender.ts';
import { factsKey, type SegmentFacts, type StepContext } from './stepContext.ts';
import type { StoredPlan } from './storedRender.ts';

export type SegmentTask = {
  stored: StoredPlan;
  index: number;
  /** Of the segment. */
  key: string;
  renderer: ChunkRenderer;
  onFrames(done: number): void;
  /** Is called every few seconds while frames are captured; `true` stops. Failures are ignored. */
  shouldStop(): Promise<boolean>;
};

/** Between two calls of `shouldStop`. */
const pollMs = 5000;

/** Returns whether it has uploaded the segment. The renderer is closed if not. */
export async function renderSegment(
  { stored, index, key, renderer, onFrames, shouldStop }: SegmentTask,
  { bucket, stopwatch, pause }: Pick<StepContext, 'bucket' | 'stopwatch' | 'pause'>,
): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'chunk-'));
  const watch = new AbortController();
  try {
    let isFirst = true;
    const rendering = renderer.render(stored, index, folder, (event) => {
      if (event.type !== 'frames' || watch.signal.aborted) return;
      if (isFirst) stopwatch.end('page');
      isFirst = false;
      onFrames(event.done);
    });
    const chunk = await Promise.race([rendering, untilStopped(shouldStop, pause, watch.signal)]);
    watch.abort();
    if (chunk === 'stopped') {
      await renderer.close();
      stopwatch.end('stopped');
      return false;
    }
    stopwatch.end('frames');
    const { sounds, fonts, warnings } = chunk;
    await bucket.putJson(factsKey(key), { sounds, fonts, warnings } satisfies SegmentFacts);
    await bucket.upload(key, chunk.path, 'application/octet-stream');
    stopwatch.end('upload');
    return true;
  } finally {
    watch.abort();
    await rm(folder, { recursive: true, force: true });
  }
}

/** A timer, because a worker that hangs captures no frames. Rejects when the signal aborts. */
async function untilStopped(
  shouldStop: () => Promise<boolean>,
  pause: StepContext['pause'],
  signal: AbortSignal,
): Promise<'stopped'> {
  do await pause(pollMs, signal);
  while (!(await shouldStop().catch(() => false)));
  return 'stopped';
}
