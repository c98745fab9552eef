// Progress of the last stage: mixing the sound, and joining the segments.
import { statIfExists } from '../project/statIfExists.ts';
import type { ProgressReporter } from './types.ts';

/** The share of the progress that captured frames make up. The rest is mixing and joining. */
export const capturedShare = 0.95;

/** Seconds for a second of video, before it is known how fast the machine does it: with and without sound. */
const usualSeconds = { sound: 0.03, silent: 0.003 };

/** How long it usually takes to mix and join a video of `duration` seconds. */
export const assembleEstimate = (duration: number, hasSound: boolean): number =>
  duration * (hasSound ? usualSeconds.sound : usualSeconds.silent);

/** Mixing takes about as long as encoding the sound, which is part of joining. */
const mixedShare = 0.5;

const intervalMs = 100;

/** Below this share, the speed is not known. */
const leastShare = 0.05;

/** Reports shares of the stage. `hasSound`: it begins with mixing. Its parts get numbers from 0 to 1. */
export function reportAssembly(hasSound: boolean, { now, emit }: Pick<ProgressReporter, 'now' | 'emit'>) {
  const startedAt = now();
  let reportedAt = Number.NEGATIVE_INFINITY;
  const mixed = hasSound ? mixedShare : 0;
  const report = (done: number): void => {
    const time = now();
    if (time - reportedAt < intervalMs) return;
    reportedAt = time;
    const remainingSeconds = done < leastShare ? null : (((time - startedAt) / done) * (1 - done)) / 1000;
    emit({ type: 'assemble', fraction: capturedShare + (1 - capturedShare) * done, remainingSeconds });
  };
  return {
    mix: (done: number): void => report(mixed * done),
    join: (done: number): void => report(mixed + (1 - mixed) * done),
  };
}

const pollMs = 200;

/** Runs `work`, which writes about `bytes` to `path`, and reports the share of them that is written. */
export async function whileWriting<T>(
  path: string,
  bytes: number,
  onShare: (done: number) => void,
  work: () => Promise<T>,
): Promise<T> {
  const poll = async (): Promise<void> => {
    const written = await bytesOf(path);
    if (bytes > 0) onShare(Math.min(0.99, written / bytes));
  };
  const timer = setInterval(() => void poll(), pollMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/** The size of the files. */
export async function totalBytes(paths: readonly string[]): Promise<number> {
  const sizes = await Promise.all(paths.map(bytesOf));
  return sizes.reduce((sum, size) => sum + size, 0);
}

const bytesOf = async (path: string): Promise<number> => (await statIfExists(path))?.size ?? 0;
