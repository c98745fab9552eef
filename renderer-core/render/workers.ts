// How many pages capture at once: what was asked for, or what cores and memory allow at the cost that the first page shows.
import { UserError } from '../errors.ts';
import type { Load } from './load.ts';

export type WorkerChoice = { count: number; reason: string };

export type Machine = { cores: number; freeMemory: number };

/** Beside the page's own process: its encoder, its half of the ring, and what it may still grow by; in bytes. */
const memoryBeside = 350 * 2 ** 20;

/** Where the system does not tell what a page's process holds. */
const usualPageMemory = 350 * 2 ** 20;

/** Cores that a page's encoder keeps busy while everything moves. */
const encoderCores = 0.5;

/** Throws UserError `usage` for what is no number of workers. */
export function checkWorkers(asked: number): void {
  if (Number.isInteger(asked) && asked >= 1) return;
  throw new UserError('usage', `${asked} is not a number of workers`, {
    hint: 'Use a whole number from 1 up with --workers.',
  });
}

/** The number asked for; never more than there are chunks to share out. */
export function askedWorkers(asked: number, chunks: number): WorkerChoice {
  const count = Math.min(asked, chunks);
  return { count, reason: count === asked ? 'as asked' : `as many as there are chunks (${chunks})` };
}

/** What the machine allows, when a page costs `load`. A page that keeps all cores busy by itself stays alone. */
export function chooseWorkers(load: Load, chunks: number, machine: Machine): WorkerChoice {
  const cores = load.cores + encoderCores;
  const memory = (load.memory ?? usualPageMemory) + memoryBeside;
  const byCores = Math.max(1, Math.ceil(machine.cores / Math.max(1, cores)));
  const byMemory = Math.max(1, Math.floor(machine.freeMemory / memory));
  const count = Math.min(byCores, byMemory, chunks);
  if (chunks <= Math.min(byCores, byMemory)) {
    return { count, reason: `one for each of ${chunks} ${chunks === 1 ? 'chunk' : 'chunks'}` };
  }
  const reason =
    byMemory < byCores
      ? `each needs ${mebibytes(memory)} MiB, and ${mebibytes(machine.freeMemory)} are free`
      : `each keeps ${cores.toFixed(1)} of ${machine.cores} cores busy`;
  return { count, reason };
}

const mebibytes = (bytes: number): number => Math.round(bytes / 2 ** 20);
