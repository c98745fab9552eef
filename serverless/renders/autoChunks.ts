// Chooses the number of chunks from what the test video of the deployment has measured.
import { splitFrames } from '../../renderer-core/plan/chunks.ts';
import { distributedMapSeconds, isDistributed } from '../deploy/stateMachine.ts';
import { keys } from '../keys.ts';
import type { Store } from '../store.ts';
import type { Measured } from './reports.ts';

/** What the last deployment has measured; undefined if it did not. */
export const readMeasured = (store: Store): Promise<Measured | undefined> => store.getJson<Measured>(keys.canary);

/** A shorter chunk would spend more time on the start of its worker than on frames. */
const minChunkFrames = 15;

/** Each worker costs its start, so a slightly later video with fewer workers is better. */
const tolerance = 1.1;

/** The fewest chunks that finish within 10 % of the shortest possible time, if each has a free worker. */
export function autoChunkCount(totalFrames: number, measured: Measured): number {
  const most = Math.max(1, Math.min(measured.chunksAtOnce, Math.floor(totalFrames / minChunkFrames)));
  const seconds = Array.from({ length: most }, (_, index) => chunkSeconds(totalFrames, index + 1, measured));
  const shortest = Math.min(...seconds);
  return seconds.findIndex((one) => one <= shortest * tolerance) + 1;
}

/** From the end of the plan step to the end of the longest chunk. */
function chunkSeconds(totalFrames: number, count: number, { coldStartSeconds, framesPerSecond }: Measured): number {
  const longest = Math.max(...splitFrames(totalFrames, count).map(({ start, end }) => end - start));
  return coldStartSeconds + longest / framesPerSecond + (isDistributed(count) ? distributedMapSeconds : 0);
}
