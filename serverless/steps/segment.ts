// Renders a chunk and uploads its segment.
import { createWorkspace } from '../../renderer-core/project/output/workspace.ts';
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
  const workspace = await createWorkspace();
  try {
    let isFirst = true;
    const { path, ...facts } = await renderer.render(stored, index, workspace.folder, (event) => {
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
    await workspace.remove();
  }
}
