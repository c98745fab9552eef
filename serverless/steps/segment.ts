// Renders a chunk and uploads its segment.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChunkRenderer } from '../../renderer-core/render/chunkRender.ts';
import type { StoredPlan } from '../renders/storedRender.ts';
import { factsKey, type SegmentFacts, type StepContext } from './stepContext.ts';

export type SegmentTask = {
  stored: StoredPlan;
  index: number;
  /** The key of the segment. */
  key: string;
  renderer: ChunkRenderer;
  onFrames(done: number): void;
};

export async function renderSegment(
  { stored, index, key, renderer, onFrames }: SegmentTask,
  { store, stopwatch }: Pick<StepContext, 'store' | 'stopwatch'>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'chunk-'));
  try {
    let isFirst = true;
    const { path, ...facts } = await renderer.render(stored, index, folder, (event) => {
      if (event.type !== 'frames') return;
      if (isFirst) stopwatch.end('page');
      isFirst = false;
      onFrames(event.done);
    });
    stopwatch.end('frames');
    await store.putJson(factsKey(key), facts satisfies SegmentFacts);
    await store.upload(key, path, 'application/octet-stream');
    stopwatch.end('upload');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
