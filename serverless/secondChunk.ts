// After its own chunk, a worker may also render the slowest one of the render. The first segment that is finished counts, and the other worker stops.
import type { ChunkRenderer } from '../renderer-core/render/chunkRender.ts';
import type { ChunkProgress } from './chunkProgress.ts';
import { keys } from './keys.ts';
import { chunkToStart, isSlower, type ObservedChunk, paceOf, type RunningChunk } from './secondStart.ts';
import { renderSegment } from './segment.ts';
import { startStopwatch } from './stageTimes.ts';
import { type StepContext, segmentKey } from './stepContext.ts';
import type { StoredPlan } from './storedRender.ts';

/** The object with which a worker claims a chunk. It exists once per chunk. Times are unix milliseconds. */
export type SecondStart = {
  index: number;
  /** The chunk that the worker has rendered before. */
  workerOf: number;
  startedAt: number;
  /** Null while it renders. */
  endedAt: number | null;
  hasUploaded: boolean;
  log: ChunkProgress['log'];
};

type OwnChunk = { renderId: string; stored: StoredPlan; index: number; renderer: ChunkRenderer };

/** `own`: the chunk that this worker has uploaded. Never rejects: the result of the worker's own chunk must not depend on it. */
export async function renderSlowestChunk(own: OwnChunk, context: StepContext): Promise<void> {
  try {
    const index = await slowestChunk(own, context);
    if (index !== undefined) await renderClaimed(own, index, context);
  } catch {
    // The first worker of the chunk still renders it, and reports an error of the project.
    await own.renderer.close().catch(() => undefined);
  }
}

async function slowestChunk({ renderId, stored, index }: OwnChunk, context: StepContext): Promise<number | undefined> {
  const { stopwatch, deadlineAt, now, signal } = context;
  const { chunks } = stored.plan;
  const own = chunks[index];
  const pace = own && paceOf(stopwatch.times(), own.end - own.start);
  if (chunks.length === 1 || pace === undefined || signal.aborted) return undefined;
  const observed = await observeChunks(renderId, stored, context);
  return chunkToStart({ index, pace, msLeft: deadlineAt - now() }, observed, now());
}

/** One list, and one read for each running chunk if at least half of the chunks are finished. */
async function observeChunks(
  renderId: string,
  stored: StoredPlan,
  { bucket }: StepContext,
): Promise<readonly ObservedChunk[]> {
  const found = new Set((await bucket.list(keys.render(renderId))).map(({ key }) => key));
  const stateOf = (index: number): ObservedChunk['state'] => {
    if (found.has(segmentKey(renderId, stored, index))) return 'finished';
    if (found.has(keys.secondStart(renderId, index))) return 'claimed';
    return found.has(keys.progress(renderId, index)) ? 'running' : 'waiting';
  };
  const states = stored.plan.chunks.map(({ index }) => ({ index, state: stateOf(index) }));
  const running = states.filter(({ state }) => state === 'running');
  const isEarly = states.some(({ state }) => state === 'waiting') || running.length > states.length / 2;
  if (isEarly) return [];
  return Promise.all(
    states.map(async ({ index, state }): Promise<ObservedChunk> => {
      if (state !== 'running') return { index, state };
      const progress = await bucket.getJson<ChunkProgress>(keys.progress(renderId, index));
      if (!progress || progress.error) return { index, state: 'waiting' };
      return progress.endedAt === null ? { index, state, progress } : { index, state: 'finished' };
    }),
  );
}

async function renderClaimed(own: OwnChunk, index: number, context: StepContext): Promise<void> {
  const { renderId, stored, renderer } = own;
  const { bucket, worker, now } = context;
  const key = keys.secondStart(renderId, index);
  const startedAt = now();
  const claim: SecondStart = {
    index,
    workerOf: own.index,
    startedAt,
    endedAt: null,
    hasUploaded: false,
    log: worker.log,
  };
  if (!(await bucket.createJson(key, claim))) return;
  const { start = 0, end = 0 } = stored.plan.chunks[index] ?? {};
  const progress: RunningChunk = {
    frames: end - start,
    framesDone: 0,
    startedAt,
    firstFrameAt: null,
    updatedAt: startedAt,
  };
  let hasUploaded = false;
  try {
    hasUploaded = await renderSegment(
      {
        ...{ stored, index, renderer, key: segmentKey(renderId, stored, index) },
        onFrames(done) {
          progress.framesDone = done;
          progress.updatedAt = now();
          progress.firstFrameAt ??= progress.updatedAt;
        },
        async shouldStop() {
          const first = await bucket.getJson<ChunkProgress>(keys.progress(renderId, index));
          return first !== undefined && (first.endedAt !== null || isSlower(progress, first, now()));
        },
      },
      { ...context, stopwatch: startStopwatch(now, false) },
    );
  } finally {
    await bucket.putJson(key, { ...claim, endedAt: now(), hasUploaded }).catch(() => undefined);
  }
}
