// What is killed and when, decided before the run starts: the same seed gives the same list.
import { seeded } from './random.ts';

/** `drain`: the service gets SIGTERM and may finish short renders. All others get SIGKILL. */
export const killKinds = ['service', 'drain', 'worker', 'browser', 'ffmpeg'] as const;
export type KillKind = (typeof killKinds)[number];

export type KillDecision = {
  kind: KillKind;
  /** Before a process of this kind is looked for. */
  pauseMs: number;
  /** Which of the processes that are found, from 0 to 1. */
  which: number;
};

const weights: Record<KillKind, number> = { service: 15, drain: 5, worker: 25, browser: 35, ffmpeg: 20 };

export function killDecisions(seed: number, count: number, meanPauseMs: number): KillDecision[] {
  const random = seeded(seed, 'kills');
  return Array.from({ length: count }, () => ({
    kind: random.weighted(weights),
    pauseMs: Math.round(random.between(0, 2 * meanPauseMs)),
    which: random.next(),
  }));
}
