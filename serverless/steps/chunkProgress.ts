// Progress of a chunk: workers write one small object per chunk, which `progress.ts` reads.
import type { Store } from '../store.ts';
import type { StageTimes } from './stageTimes.ts';

/** `framesDone` of `frames`; times are unix milliseconds. */
export type ChunkProgress = {
  index: number;
  frames: number;
  framesDone: number;
  startedAt: number;
  /** Null until the first frame is captured. */
  firstFrameAt: number | null;
  updatedAt: number;
  /** Null until the chunk is complete. */
  endedAt: number | null;
  attempts: number;
  /** Run time of all attempts. */
  billedMs: number;
  memoryMb: number;
  /** The CloudWatch log of the last attempt. */
  log: { group: string; stream: string; requestId: string };
  error: { code: string; message: string } | null;
  /** The times of the attempt that has completed the chunk. */
  times: StageTimes | null;
};

/** Shortest time between two writes. */
const progressIntervalMs = 10_000;

/** Progress of one attempt. */
export type ChunkProgressReporter = {
  report(framesDone: number): void;
  /** Both resolve when the progress is written. */
  end(times: StageTimes): Promise<void>;
  fail(error: unknown): Promise<void>;
};

/** Errors of the bucket are ignored, because progress is only informative. */
export async function openChunkProgress(
  key: string,
  { index, frames }: Pick<ChunkProgress, 'index' | 'frames'>,
  { store, worker, now }: { store: Store; worker: Pick<ChunkProgress, 'memoryMb' | 'log'>; now(): number },
): Promise<ChunkProgressReporter> {
  const before = await store.getJson<ChunkProgress>(key).catch(() => undefined);
  const startedAt = now();
  const state: ChunkProgress = {
    index,
    frames,
    framesDone: 0,
    startedAt,
    firstFrameAt: null,
    updatedAt: startedAt,
    endedAt: null,
    attempts: (before?.attempts ?? 0) + 1,
    billedMs: before?.billedMs ?? 0,
    ...worker,
    error: null,
    times: null,
  };
  const spent = state.billedMs;
  let written: Promise<void> = Promise.resolve();
  // One write after the other: of two concurrent ones, the older could arrive last.
  const write = (): Promise<void> => {
    state.updatedAt = now();
    state.billedMs = spent + state.updatedAt - startedAt;
    const snapshot = { ...state };
    written = written.then(() => store.putJson(key, snapshot)).catch(() => undefined);
    return written;
  };
  await write();
  return {
    report(done) {
      state.framesDone = done;
      state.firstFrameAt ??= now();
      if (now() - state.updatedAt >= progressIntervalMs) void write();
    },
    end(times) {
      state.times = times;
      state.framesDone = frames;
      state.endedAt = now();
      return write();
    },
    fail(error) {
      const { code = 'internal_error', message } = error as Error & { code?: string };
      state.error = { code, message };
      return write();
    },
  };
}
