// The pages of one browser that capture the chunks of a plan and encode them: the part of a render that takes the time.
import type { CapturedFrame, FrameSource } from '../../capture/frameSource.ts';
import type { CaptureResults } from '../../capture/protocol.ts';
import type { FrameInput } from '../../media/frameFormat.ts';
import type { PageResults } from '../../page/runtime/page.ts';
import { brightest } from '../../plan/brightness.ts';
import type { Chunk, Share } from '../../plan/chunks.ts';
import { withPageErrors } from '../probe/openPage.ts';
import { deferred, untilAborted } from '../promises.ts';
import type { CapturedFrames, CaptureJob } from '../types.ts';
import { type ChunkEncoder, openChunkEncoder } from './chunkEncoder.ts';
import { countWorkers, type OnCaptured } from './countWorkers.ts';
import { createShareScheduler, type LaneShare, type ShareScheduler } from './shareScheduler.ts';
import { measureLoad } from './workers.ts';

/** A page that captures. `check` throws the page's error, if it has one. `results` are complete after the last frame. */
export type Worker<Source extends FrameSource> = { source: Source; check(): void; results(): Promise<CaptureResults> };

/** Called for each captured frame; the promise it returns is awaited after the last chunk. */
type OnFrame<Source> = (source: Source, frame: number) => Promise<void> | undefined;

/** Captures all chunks. If the number of workers depends on the load, the first worker starts and is measured. */
export async function runWorkers<Source extends FrameSource>(
  given: CaptureJob,
  shares: readonly Share[],
  open: (worker: number) => Promise<Worker<Source>>,
  onFrame: OnFrame<Source> = () => undefined,
): Promise<CapturedFrames> {
  const stop = new AbortController();
  const job = { ...given, signal: AbortSignal.any([given.signal, stop.signal]) };
  const scheduler = createShareScheduler(job.plan.chunks, shares);
  const encoders = createEncoders(job, shares);
  const counted = deferred<number>();
  const run = (worker: number, onCaptured?: OnCaptured) =>
    runWorker(job, { worker, scheduler, encoders }, () => open(worker), onFrame, onCaptured);
  const others = counted.promise.then((count) =>
    Promise.all(Array.from({ length: Math.max(0, count - 1) }, (_, index) => run(index + 1))),
  );
  const firstPage = {
    count: job.workers(shares.length),
    frames: shares.reduce((sum, { start, end }) => sum + end - start, 0),
    now: job.now,
    measure: () => measureLoad(job.page.launched, job.now),
  };
  const onCaptured = countWorkers(firstPage, (count) => {
    scheduler.split(count);
    encoders.split(count);
    counted.resolve(count);
  });
  const first = run(0, onCaptured);
  try {
    const [own, rest] = await Promise.all([first, others]);
    const done = [own, ...rest];
    const light = done.flatMap(({ results }) => results.light ?? []);
    return {
      segments: await encoders.paths(),
      encoded: encoders.encoded(),
      closed: Promise.all(done.map((part) => part.closed)),
      sounds: done.flatMap(({ results }) => results.sounds),
      faces: done.flatMap(({ results }) => results.faces),
      missing: done.flatMap(({ results }) => results.missing),
      postsWithoutEnd: done.some(({ results }) => results.postsWithoutEnd),
      passthroughFrames: done.reduce((sum, part) => sum + part.passthroughFrames, 0),
      limits: [...new Set(done.flatMap(({ results }) => results.limits))],
      plainSamples: [],
      ...(light.length > 0 ? { light: brightest(light) } : {}),
    };
  } catch (error) {
    stop.abort(error);
    counted.resolve(0);
    await Promise.allSettled([first, others]);
    throw error;
  }
}

/** Whether a chunk has only a frame for a comparison, which is not encoded. */
export const isSample = ({ index }: Chunk): boolean => index < 0;

type ChunkEncoders = ReturnType<typeof createEncoders>;

/** The encoders of the chunks; each one starts with the first frame of its chunk. */
function createEncoders(job: CaptureJob, shares: readonly Share[]) {
  const { chunks } = job.plan;
  const shareStarts = new Set(shares.map(({ start }) => start));
  const longestShare = Math.max(...shares.map(({ start, end }) => end - start));
  const encoders = new Map<Chunk, ChunkEncoder>();
  /** For each lane, the end of its newest encoder. */
  const lanes = new Map<number, Promise<void>>();
  let pagesPerChunk = 1;
  const open = ({ chunk, lane }: LaneShare): ChunkEncoder => {
    // Two encoders of a lane at once would need twice the memory.
    const before = lanes.get(lane);
    const start = async (input: FrameInput) => {
      await before;
      return job.encoding.startSegment({ ...job.encoding, plan: job.plan, signal: job.signal }, input, chunk);
    };
    const maxHeld = () => longestShare * pagesPerChunk;
    const encoder = openChunkEncoder({ chunk, shareStarts, maxHeld, signal: job.signal, start });
    encoders.set(chunk, encoder);
    lanes.set(lane, encoder.encoded);
    if (!isSample(chunk)) void keepSegment(job, chunk, encoder);
    return encoder;
  };
  const all = () => chunks.flatMap((chunk) => (isSample(chunk) ? [] : (encoders.get(chunk) ?? [])));
  return {
    split(workers: number): void {
      pagesPerChunk = Math.max(2, Math.ceil(workers / chunks.length));
    },
    of: (share: LaneShare): ChunkEncoder => encoders.get(share.chunk) ?? open(share),
    paths: () => Promise.all(all().map(({ path }) => path)),
    encoded: () => Promise.all(all().map(({ encoded }) => encoded)),
  };
}

/** A segment that cannot be kept is captured again if the render is interrupted. */
async function keepSegment(
  { onSegment, page }: CaptureJob,
  chunk: Chunk,
  { encoded, path }: ChunkEncoder,
): Promise<void> {
  if (!onSegment) return;
  const keep = async () => {
    await encoded;
    // It may contain empty frames.
    if (!(await page.launched.processes.hasLost())) await onSegment(chunk, await path);
  };
  await keep().catch(() => undefined);
}

type WorkerResult = Pick<CapturedFrames, 'closed' | 'passthroughFrames'> & { results: CaptureResults };

export const noResults: PageResults = { sounds: [], faces: [], missing: [], postsWithoutEnd: false, limits: [] };

type WorkerTurns = { worker: number; scheduler: ShareScheduler; encoders: ChunkEncoders };

/** Captures one worker's shares, one after another. Includes the sounds only if it captures the end of the video. */
async function runWorker<Source extends FrameSource>(
  job: CaptureJob,
  { worker, scheduler, encoders }: WorkerTurns,
  open: () => Promise<Worker<Source>>,
  onFrame: OnFrame<Source>,
  onCaptured: OnCaptured = async () => undefined,
): Promise<WorkerResult> {
  let share = scheduler.take(worker);
  if (!share) return { closed: Promise.resolve(), results: noResults, passthroughFrames: 0 };
  encoders.of(share);
  // A tab whose process dies while it opens never answers.
  const { source, check, results } = await untilAborted(open(), job.signal);
  try {
    const comparisons: Promise<unknown>[] = [];
    let last = 0;
    let passthroughFrames = 0;
    let current = share;
    const onCapturedFrame = async ({ frame, repeat, passthrough }: CapturedFrame): Promise<void> => {
      last = frame + repeat;
      if (passthrough) passthroughFrames += repeat;
      if (!isSample(current.chunk)) job.onFrames(repeat);
      await onCaptured(repeat);
    };
    for (; share; share = scheduler.take(worker)) {
      current = share;
      const extend = (): number => {
        current = scheduler.takeAfter(worker, current) ?? current;
        return current.end;
      };
      const frames = source.frames(share.start, share.end, extend);
      const capturing = captureFrames(job, source, frames, encoders.of(share), comparisons, onFrame, onCapturedFrame);
      await withPageErrors(capturing, check);
      // After an exception in the page, later frames are wrong.
      check();
    }
    await onCaptured(0, true);
    await Promise.all(comparisons);
    const { sounds, ...fonts } = await results();
    const complete = last === job.plan.frames ? sounds : [];
    return { closed: source.close(), results: { sounds: complete, ...fonts }, passthroughFrames };
  } catch (error) {
    await source.close();
    throw error;
  }
}

/** Captures one or more shares of a chunk. */
async function captureFrames<Source extends FrameSource>(
  job: CaptureJob,
  source: Source,
  frames: AsyncGenerator<CapturedFrame>,
  encoder: ChunkEncoder,
  comparisons: Promise<unknown>[],
  onFrame: OnFrame<Source>,
  onCapturedFrame: (captured: CapturedFrame) => Promise<void>,
): Promise<void> {
  for await (const captured of frames) {
    const { frame, repeat } = captured;
    job.signal.throwIfAborted();
    await encoder.write(captured, source.input);
    for (let copy = 0; copy < repeat; copy++) {
      const comparison = onFrame(source, frame + copy);
      if (!comparison) continue;
      // It is awaited after the last share; until then its failure must not count as unhandled.
      comparison.catch(() => undefined);
      comparisons.push(comparison);
    }
    await onCapturedFrame(captured);
  }
}
