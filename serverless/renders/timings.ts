// How long the steps of a render took, from the times that they have stored.
import type { ChunkProgress } from '../steps/chunkProgress.ts';
import type { StageTimes } from '../steps/stageTimes.ts';
import type { AssembleResult } from './execution.ts';
import type { RenderProgress } from './reports.ts';
import type { StoredPlan } from './storedRender.ts';

type Timings = NonNullable<RenderProgress['timings']>;
type Step = Timings['stages'][number]['step'];

export type TimedRender = {
  startedAt: Date | undefined;
  plan: Pick<StoredPlan, 'times'> | undefined;
  chunks: readonly Pick<ChunkProgress, 'frames' | 'times'>[];
  result: Partial<AssembleResult> | undefined;
};

/** Null until the render is planned, and for renders of stacks that did not measure. */
export function timingsOf({ startedAt, plan, chunks, result }: TimedRender): RenderProgress['timings'] {
  const planned = plan?.times;
  if (!planned) return null;
  const finished = chunks.flatMap(({ frames, times }) => (times ? [{ frames, times }] : []));
  const times = finished.map((chunk) => chunk.times);
  const lastEnd = Math.max(...times.map(({ endedAt }) => endedAt));
  const assembled = result?.times ? [result.times] : [];
  const speeds = finished.flatMap((chunk) => speedOf(chunk.frames, chunk.times));
  return {
    stages: [
      ...stagesOf('plan', [planned], startedAt?.getTime() ?? planned.startedAt),
      ...stagesOf('chunks', times, planned.endedAt),
      ...stagesOf('assemble', assembled, lastEnd),
    ],
    framesPerSecond: speeds.length === 0 ? null : median(speeds),
    coldWorkers: [planned, ...times, ...assembled].filter(({ isCold }) => isCold).length,
  };
}

/** `since`: when the step could have started, in unix milliseconds. */
function stagesOf(step: Step, workers: readonly StageTimes[], since: number): Timings['stages'] {
  if (workers.length === 0) return [];
  // The clocks of AWS's services differ by milliseconds.
  const waits = workers.map(({ startedAt }) => Math.max(0, startedAt - since));
  const row = (stage: string, all: number[]) => ({
    step,
    stage,
    medianSeconds: median(all) / 1000,
    longestSeconds: Math.max(...all) / 1000,
  });
  // A worker that finds the segment of an earlier attempt has fewer stages.
  const names = [...new Set(workers.flatMap(({ stages }) => Object.keys(stages)))];
  return [
    row('wait', waits),
    ...names.map((name) =>
      row(
        name,
        workers.map(({ stages }) => stages[name] ?? 0),
      ),
    ),
  ];
}

/** The time of the first frame belongs to the page. Chunks of a single frame show no speed. */
function speedOf(frames: number, { stages }: StageTimes): number[] {
  const { frames: ms = 0 } = stages;
  return frames > 1 && ms > 0 ? [((frames - 1) / ms) * 1000] : [];
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}
