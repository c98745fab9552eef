// Reads the progress that workers have written.
import pLimit from 'p-limit';
import { keys } from '../keys.ts';
import type { ChunkProgress } from '../steps/chunkProgress.ts';
import type { Store } from '../store.ts';

const maxConcurrentReads = 16;

export async function readChunkProgress(store: Store, renderId: string): Promise<ChunkProgress[]> {
  const prefix = keys.progress(renderId, 0).replace(/[^/]*$/, '');
  const limit = pLimit(maxConcurrentReads);
  const found = await store.list(prefix);
  const chunks = await Promise.all(found.map(({ key }) => limit(() => store.getJson<ChunkProgress>(key))));
  return chunks.flatMap((chunk) => chunk ?? []);
}
