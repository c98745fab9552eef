// What the steps of a serverless render have in common: their context, the plan, and the keys of the segments.
import { createHash } from 'node:crypto';
import { segmentExtension } from '../../renderer-core/media/segment.ts';
import type { RenderedChunk } from '../../renderer-core/render/chunkRender.ts';
import type { Surroundings } from '../../renderer-core/render/session.ts';
import { keys } from '../keys.ts';
import type { StoredPlan } from '../renders/storedRender.ts';
import type { Store } from '../store.ts';
import type { ChunkProgress } from './chunkProgress.ts';
import type { Stopwatch } from './stageTimes.ts';

export type StepContext = {
  store: Store;
  /** Folder with the files of the site. */
  projectDir: string;
  /** Hash of the function's code. All chunks of a video must be rendered by the same code. */
  codeVersion: string;
  signal: AbortSignal;
  worker: Pick<ChunkProgress, 'memoryMb' | 'log'>;
  /** Its stage `site` has ended. */
  stopwatch: Stopwatch;
  now(): number;
  surroundings: Surroundings;
};

/** Metadata of a segment. It is written before the segment, so that it exists for every segment. */
export type SegmentFacts = Pick<RenderedChunk, 'sounds' | 'fonts' | 'warnings'>;

export async function storedPlan(store: Store, planKey: string): Promise<StoredPlan> {
  const stored = await store.getJson<StoredPlan>(planKey);
  if (!stored) throw new Error(`the plan ${planKey} does not exist`);
  return stored;
}

/** The key contains a hash of everything that affects the chunk, so that an existing segment can be reused. */
export function segmentKey(
  renderId: string,
  { plan, capture, engine, siteId, codeVersion }: StoredPlan,
  index: number,
): string {
  const { output: _output, chunks, ...rest } = plan;
  const inputs = JSON.stringify([codeVersion, siteId, capture.path, engine, rest, chunks[index]]);
  const hash = createHash('sha256').update(inputs).digest('hex').slice(0, 16);
  return keys.segment(renderId, index, hash, segmentExtension(plan));
}

export const factsKey = (segment: string): string => `${segment}.json`;
