// What workers tell about themselves while they run: one small object a chunk, read by `progress`.

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
export const progressIntervalMs = 10_000;
