// The last step of a serverless render: joins the segments while they are downloaded, and sends the video to the bucket while it
// is written.
import { basename, dirname, extname, join } from 'node:path';
import mime from 'mime';
import pLimit from 'p-limit';
import { finalFrom } from '../../renderer-core/media/indexFirst.ts';
import { frameTime } from '../../renderer-core/model/frameGrid.ts';
import { mergedFonts } from '../../renderer-core/plan/fonts/shownFonts.ts';
import { createWorkspace } from '../../renderer-core/project/output/workspace.ts';
import { assemble } from '../../renderer-core/render/chunkRender.ts';
import { keys } from '../keys.ts';
import type { AssembleResult, TaskInput } from '../renders/execution.ts';
import type { StoredPlan, StoredReport } from '../renders/storedRender.ts';
import type { Store } from '../store.ts';
import { downloadAhead } from './downloadAhead.ts';
import { uploadWhileWritten } from './growingUpload.ts';
import { factsKey, type SegmentFacts, type StepContext, segmentKey, storedPlan } from './stepContext.ts';

const maxConcurrentRequests = 16;

/** They share the bandwidth of the worker. With more of them, the first segment would arrive later. */
const maxConcurrentDownloads = 4;

/** `target`: where the video goes, under the key `outputKey`. */
export async function assembleStep(
  input: TaskInput,
  planKey: string,
  context: StepContext,
  target: Store = context.store,
): Promise<AssembleResult> {
  const { store, stopwatch } = context;
  const stored = await storedPlan(store, planKey);
  const { frames, fps, chunks } = stored.plan;
  const segmentKeys = chunks.map(({ index }) => segmentKey(input.renderId, stored, index));
  const segments = await readSegments(store, segmentKeys);
  stopwatch.end('download');
  const workspace = await createWorkspace();
  try {
    const bytes = await joinAndUpload(input, stored, segments, workspace.folder, context, target);
    stopwatch.end('upload');
    const durationSeconds = frameTime(frames, fps);
    return { outputKey: input.outputKey, bytes, frames, durationSeconds, times: stopwatch.times() };
  } finally {
    await workspace.remove();
  }
}

type Segment = { key: string; bytes: number; facts: SegmentFacts };

async function readSegments(store: Store, segmentKeys: readonly string[]): Promise<Segment[]> {
  const listed = await store.list(`${dirname(segmentKeys[0] ?? '')}/`);
  const sizes = new Map(listed.map(({ key, bytes }) => [key, bytes]));
  const limit = pLimit(maxConcurrentRequests);
  return Promise.all(
    segmentKeys.map((key) =>
      limit(async () => {
        const bytes = sizes.get(key);
        const facts = await store.getJson<SegmentFacts>(factsKey(key));
        if (bytes === undefined || !facts) throw new Error(`the segment ${key} does not exist`);
        return { key, bytes, facts };
      }),
    ),
  );
}

/** Returns the size of the video. When it returns or throws, nothing uses the folder any more. */
async function joinAndUpload(
  { renderId, outputKey }: TaskInput,
  { plan, network }: StoredPlan,
  segments: readonly Segment[],
  folder: string,
  { store, projectDir, signal, stopwatch, surroundings }: StepContext,
  target: Store,
): Promise<number> {
  const paths = segments.map(({ key }) => join(folder, basename(key)));
  const sizes = segments.map(({ bytes }) => bytes);
  const facts = segments.map((segment) => segment.facts);
  const limit = pLimit(maxConcurrentDownloads);
  const downloads = downloadAhead(sizes, (index) =>
    limit(() => store.download(segments[index]?.key ?? '', paths[index] ?? '')),
  );
  const arrival = async (index: number) => {
    stopwatch.end('join');
    await downloads.arrival(index);
    stopwatch.end('download');
  };
  const failed = new AbortController();
  const path = join(folder, `output${extname(plan.output)}`);
  const written = assemble(plan, paths, facts.at(-1)?.sounds ?? [], path, {
    ...surroundings,
    projectDir,
    network,
    signal: AbortSignal.any([signal, failed.signal]),
    streamed: { arrival, bytes: sizes.reduce((sum, size) => sum + size, 0) },
  }).then(async ({ video, warnings }) => {
    stopwatch.end('join');
    // Before the video, so that it exists for every video.
    await store.putJson(keys.report(renderId), reportOf(facts, warnings));
    return video;
  });
  try {
    const contentType = mime.getType(path) ?? 'application/octet-stream';
    const growing = { path, finalFrom: finalFrom(plan.frames), written };
    return await uploadWhileWritten(target, outputKey, contentType, growing);
  } finally {
    failed.abort();
    await Promise.allSettled([written, downloads.ended()]);
  }
}

/** `warnings`: those of assembling. */
function reportOf(chunks: readonly SegmentFacts[], warnings: readonly string[]): StoredReport {
  const all = [...chunks.flatMap((chunk) => chunk.warnings), ...warnings];
  return { fonts: mergedFonts(chunks.map(({ fonts }) => fonts)), warnings: [...new Set(all)] };
}
