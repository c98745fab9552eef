// How long the stages of a step take, one after the other.

/** Times are unix milliseconds, `stages` milliseconds in order. `isCold`: the worker had not run before. */
export type StageTimes = { startedAt: number; endedAt: number; isCold: boolean; stages: Record<string, number> };

export type Stopwatch = {
  /** Ends the current stage. */
  end(stage: string): void;
  times(): StageTimes;
};

export function startStopwatch(now: () => number, isCold: boolean): Stopwatch {
  const startedAt = now();
  let endedAt = startedAt;
  const stages: Record<string, number> = {};
  return {
    end(stage) {
      const before = endedAt;
      endedAt = now();
      stages[stage] = (stages[stage] ?? 0) + endedAt - before;
    },
    times: () => ({ startedAt, endedAt, isCold, stages: { ...stages } }),
  };
}
