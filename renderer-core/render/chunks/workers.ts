// The number of pages that capture at the same time: as requested, or what cores and memory allow for the measured load.
import { readFile } from 'node:fs/promises';
import { availableParallelism, freemem } from 'node:os';
import type { LaunchedBrowser } from '../../capture/launch.ts';

export type WorkerChoice = { count: number; reason: string };

export type Machine = { cores: number; freeMemory: number };

/**
 * Load of one page. `cores`: busy cores. `memory`: bytes of the largest renderer process; null if it cannot be read.
 * `secondsToStart`: until its first frame, after it has passed the frames before. `secondsLeft`: what one page would need
 * for the other frames. `passing`: the part of a frame's work that pages also do for the frames of other pages.
 */
export type Load = {
  cores: number;
  memory: number | null;
  secondsToStart: number;
  secondsLeft: number;
  passing: number;
};

/** Memory of a page besides its renderer process, in bytes: encoder, its half of the ring file, and room to grow. */
const extraMemory = 350 * 2 ** 20;

/** Assumed memory of a renderer process if the system does not report it. */
const defaultPageMemory = 350 * 2 ** 20;

/** Cores that a page's encoder keeps busy while everything moves. */
const encoderCores = 0.3;

/** Seconds until another page captures, and the processor seconds that opening it and replaying frames costs: at least these. */
const openSeconds = 0.5;
const openWork = 1;

/**
 * More pages must save at least this part of the time, and this many seconds. Pages slow each other down: on two cores, a
 * second page that saves less takes 15 % more processor time for the same wall time (docs/internals/capture.md).
 */
const leastSavedPart = 0.2;
const leastSavedSeconds = 0.5;

/** The requested number, at most one per share. */
export function requestedWorkers(requested: number, shares: number): WorkerChoice {
  const count = Math.min(requested, shares);
  return { count, reason: count === requested ? 'as requested' : `as many as there are shares (${shares})` };
}

/** The number that the machine allows if each page has this load; 1 if a single page keeps all cores busy. */
export function chooseWorkers(
  load: Load,
  shares: number,
  machine: Machine = { cores: availableParallelism(), freeMemory: freemem() },
): WorkerChoice {
  const cores = load.cores + encoderCores;
  const memory = (load.memory ?? defaultPageMemory) + extraMemory;
  const byCores = Math.max(1, Math.ceil(machine.cores / Math.max(1, cores)));
  const byMemory = Math.max(1, Math.floor(machine.freeMemory / memory));
  const limit = Math.min(byCores, byMemory, shares);
  const count = fastestCount(load, cores, machine.cores, limit);
  if (count < limit) return { count, reason: 'opening more would hardly be faster' };
  if (shares <= Math.min(byCores, byMemory)) {
    return { count, reason: `one for each of ${shares} ${shares === 1 ? 'share' : 'shares'}` };
  }
  const reason =
    byMemory < byCores
      ? `each needs ${mebibytes(memory)} MiB, and ${mebibytes(machine.freeMemory)} are free`
      : `each keeps ${cores.toFixed(1)} of ${machine.cores} cores busy`;
  return { count, reason };
}

/** The number of pages, each with `cores` busy cores, that captures the other frames in the shortest time. One if more save little. */
function fastestCount(
  { secondsLeft, secondsToStart, passing }: Pick<Load, 'secondsLeft' | 'secondsToStart' | 'passing'>,
  cores: number,
  machineCores: number,
  limit: number,
): number {
  const toStart = Math.max(openSeconds, secondsToStart);
  const seconds = (count: number): number => {
    if (count === 1 || secondsLeft <= toStart) return secondsLeft;
    const work = secondsLeft * cores * (1 + passing * (count - 1)) + (count - 1) * Math.max(openWork, toStart);
    const share = 1 / count + passing * (1 - 1 / count);
    return Math.max(toStart + (secondsLeft - toStart) * share, work / machineCores);
  };
  let fastest = 1;
  for (let count = 2; count <= limit; count++) if (seconds(count) < seconds(fastest)) fastest = count;
  const saved = secondsLeft - seconds(fastest);
  return saved < Math.max(leastSavedPart * secondsLeft, leastSavedSeconds) ? 1 : fastest;
}

const mebibytes = (bytes: number): number => Math.round(bytes / 2 ** 20);

type Reading = { at: number; cpuSeconds: number; gpuSeconds: number; processes: { type: string; id: number }[] };

/** Resolves to the load since the measurement began. */
export type MeasuredLoad = () => Promise<Pick<Load, 'cores' | 'memory' | 'passing'>>;

/** Starts to measure the browser's processes. */
export async function measureLoad(launched: LaunchedBrowser, now: () => number): Promise<MeasuredLoad> {
  const before = await readProcesses(launched, now);
  return async () => {
    const after = await readProcesses(launched, now);
    const seconds = Math.max(0.001, (after.at - before.at) / 1000);
    const cpuSeconds = Math.max(0.001, after.cpuSeconds - before.cpuSeconds);
    // WebGL is drawn again in every page, unless its drawings can be skipped, which is not known yet.
    const isDrawnAgain = launched.graphics === 'software';
    return {
      cores: cpuSeconds / seconds,
      passing: isDrawnAgain ? Math.max(0, after.gpuSeconds - before.gpuSeconds) / cpuSeconds : 0,
      memory: await largestMemory(after.processes.filter(({ type }) => type === 'renderer').map(({ id }) => id)),
    };
  };
}

async function readProcesses({ browser }: LaunchedBrowser, now: () => number): Promise<Reading> {
  const session = await browser.target().createCDPSession();
  try {
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    const cpuOf = (processes: typeof processInfo) => processes.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
    const gpuSeconds = cpuOf(processInfo.filter(({ type }) => type === 'GPU'));
    return { at: now(), cpuSeconds: cpuOf(processInfo), gpuSeconds, processes: processInfo };
  } finally {
    // The browser may have ended.
    await session.detach().catch(() => undefined);
  }
}

/** Linux reports the proportional set size, which divides shared libraries among the processes that use them. */
async function largestMemory(processes: readonly number[]): Promise<number | null> {
  const sizes = await Promise.all(
    processes.map(async (id) => {
      const text = await readFile(`/proc/${id}/smaps_rollup`, 'utf8').catch(() => '');
      return 1024 * Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0);
    }),
  );
  const most = Math.max(0, ...sizes);
  return most > 0 ? most : null;
}
