// What workers tell about themselves while they run: one small object a chunk, read by `progress`.
import type { Bucket } from './bucket.ts';

/** `framesDone` of `frames`; times are unix milliseconds. */
export type ChunkProgress = {
  index: number;
  frames: number;
  framesDone: number;
  startedAt: number;
  updatedAt: number;
  /** Set when it is done. */
  endedAt: number | null;
  /** How often the chunk was begun. */
  attempts: number;
  /** Milliseconds that workers of this chunk ran, in all attempts. */
  billedMs: number;
  memoryMb: number;
  /** Where its log is. */
  log: { group: string; stream: string; requestId: string };
  error: { code: string; message: string } | null;
};

/** So often a worker writes: one request in ten seconds, and less than a lost chunk's time to be missed. */
const progressIntervalMs = 10_000;

/** One attempt at a chunk, as it goes. */
export type ProgressTeller = {
  /** Written at most once in a while. */
  tell(framesDone: number): void;
  /** Resolves when it is written, as `fail` does. */
  end(): Promise<void>;
  fail(error: unknown): Promise<void>;
};

/** Never fails the chunk: it is only to be looked at. */
export async function openProgress(
  key: string,
  { index, frames }: Pick<ChunkProgress, 'index' | 'frames'>,
  { bucket, worker, now }: { bucket: Bucket; worker: Pick<ChunkProgress, 'memoryMb' | 'log'>; now(): number },
): Promise<ProgressTeller> {
  const before = await bucket.getJson<ChunkProgress>(key).catch(() => undefined);
  const startedAt = now();
  const state: ChunkProgress = {
    index,
    frames,
    framesDone: 0,
    startedAt,
    updatedAt: startedAt,
    endedAt: null,
    attempts: (before?.attempts ?? 0) + 1,
    billedMs: before?.billedMs ?? 0,
    ...worker,
    error: null,
  };
  const spent = state.billedMs;
  let written: Promise<void> = Promise.resolve();
  // One after the other: of two requests on their way at once, the older may arrive last and stay.
  const write = (): Promise<void> => {
    state.updatedAt = now();
    state.billedMs = spent + state.updatedAt - startedAt;
    const told = { ...state };
    written = written.then(() => bucket.putJson(key, told)).catch(() => undefined);
    return written;
  };
  await write();
  return {
    tell(done) {
      state.framesDone = done;
      if (now() - state.updatedAt >= progressIntervalMs) void write();
    },
    end() {
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
