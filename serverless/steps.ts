// The three steps of a serverless render: plan, renderChunk and assemble.
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import mime from 'mime';
import pLimit from 'p-limit';
import { UserError } from '../renderer-core/errors.ts';
import { segmentExtension } from '../renderer-core/media/segment.ts';
import { mergedFonts } from '../renderer-core/plan/fonts/shownFonts.ts';
import { frameTime } from '../renderer-core/plan/frameRate.ts';
import type { Network } from '../renderer-core/project/remote/publicFetch.ts';
import { assemble, type ChunkRenderer, planChunks, type RenderedChunk } from '../renderer-core/render/chunkRender.ts';
import { autoChunkCount, readMeasured } from './autoChunks.ts';
import type { Bucket } from './bucket.ts';
import { type ChunkProgress, openChunkProgress } from './chunkProgress.ts';
import type {
  AssembleResult,
  ChunkResult,
  ExecutionInput,
  PlanResult,
  ServerlessConfig,
  TaskInput,
} from './execution.ts';
import { keys } from './keys.ts';
import type { Stopwatch } from './stageTimes.ts';
import type { StoredPlan, StoredReport } from './storedRender.ts';

export type StepContext = {
  bucket: Bucket;
  /** Folder with the files of the site. */
  projectDir: string;
  /** Hash of the function's code. All chunks of a video must be rendered by the same code. */
  codeVersion: string;
  signal: AbortSignal;
  worker: Pick<ChunkProgress, 'memoryMb' | 'log'>;
  /** Its stage `site` has ended. */
  stopwatch: Stopwatch;
  now(): number;
};

/** Metadata of a segment. It is written before the segment, so that it exists for every segment. */
type SegmentFacts = Pick<RenderedChunk, 'sounds' | 'fonts' | 'warnings'>;

const maxConcurrentDownloads = 16;

export async function planStep(
  input: ExecutionInput,
  { bucket, projectDir, codeVersion, signal, stopwatch }: StepContext,
): Promise<PlanResult> {
  const { config, chunks, version, renderId, bucket: bucketName, siteId, outputKey } = input;
  const { network = 'public' } = config;
  const measured = chunks.auto ? await readMeasured(bucket) : undefined;
  const count = measured ? (frames: number) => autoChunkCount(frames, measured) : chunks;
  const planned = await planChunks({ projectDir, signal, ...requestOf(config), network }, count);
  if (chunks.auto && !measured) planned.warnings.push(notMeasured);
  stopwatch.end('plan');
  const planKey = keys.plan(renderId);
  const times = stopwatch.times();
  await bucket.putJson(planKey, { ...planned, siteId, codeVersion, network, times } satisfies StoredPlan);
  const task = { version, renderId, bucket: bucketName, siteId, outputKey };
  return { task, planKey, chunks: planned.plan.chunks.map(({ index }) => ({ index })) };
}

const notMeasured =
  'The chunks could not be chosen automatically, because the stack has measured nothing. Run framework serverless deploy.';

function requestOf({ fps, ...rest }: ServerlessConfig) {
  return { ...rest, ...(fps === undefined ? {} : { fps: String(fps) }) };
}

export async function chunkStep(
  { renderId }: TaskInput,
  planKey: string,
  index: number,
  openRenderer: (network: Network) => Promise<ChunkRenderer>,
  context: StepContext,
): Promise<ChunkResult> {
  const { bucket, stopwatch, now } = context;
  const started = now();
  const stored = await storedPlan(bucket, planKey);
  const { plan, network } = stored;
  const frames = (plan.chunks[index]?.end ?? 0) - (plan.chunks[index]?.start ?? 0);
  if (stored.codeVersion !== context.codeVersion) throw codeChanged();
  const key = segmentKey(renderId, stored, index);
  const progress = await openChunkProgress(keys.progress(renderId, index), { index, frames }, context);
  const known = await bucket.size(key);
  if (known !== undefined) {
    await progress.end(stopwatch.times());
    return { index, frames, bytes: known, elapsedMs: now() - started, isReused: true };
  }
  const folder = await mkdtemp(join(tmpdir(), 'chunk-'));
  try {
    const renderer = await openRenderer(network);
    stopwatch.end('browser');
    let isFirst = true;
    const chunk = await renderer.render(stored, index, folder, (event) => {
      if (event.type !== 'frames') return;
      if (isFirst) stopwatch.end('page');
      isFirst = false;
      progress.report(event.done);
    });
    stopwatch.end('frames');
    const { sounds, fonts, warnings } = chunk;
    await bucket.putJson(factsKey(key), { sounds, fonts, warnings } satisfies SegmentFacts);
    await bucket.upload(key, chunk.path, 'application/octet-stream');
    stopwatch.end('upload');
    await progress.end(stopwatch.times());
    return { index, frames, bytes: (await bucket.size(key)) ?? 0, elapsedMs: now() - started, isReused: false };
  } catch (error) {
    await progress.fail(error);
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export async function assembleStep(
  { renderId, outputKey }: TaskInput,
  planKey: string,
  { bucket, projectDir, signal, stopwatch }: StepContext,
): Promise<AssembleResult> {
  const stored = await storedPlan(bucket, planKey);
  const { plan, network } = stored;
  const folder = await mkdtemp(join(tmpdir(), 'assemble-'));
  try {
    const limit = pLimit(maxConcurrentDownloads);
    const segments = await Promise.all(
      plan.chunks.map(({ index }) => limit(() => downloadSegment(bucket, segmentKey(renderId, stored, index), folder))),
    );
    stopwatch.end('download');
    const paths = segments.map(({ path }) => path);
    const sounds = segments.at(-1)?.facts.sounds ?? [];
    const output = join(folder, `output${extname(plan.output)}`);
    const { bytes, warnings } = await assemble(plan, paths, sounds, output, { projectDir, signal, network });
    stopwatch.end('join');
    const facts = segments.map((segment) => segment.facts);
    const report = reportOf(facts, warnings);
    // Before the video, so that it exists for every video.
    await bucket.putJson(keys.report(renderId), report);
    await bucket.upload(outputKey, output, mime.getType(output) ?? 'application/octet-stream');
    stopwatch.end('upload');
    const durationSeconds = frameTime(plan.frames, plan.fps);
    return { outputKey, bytes, frames: plan.frames, durationSeconds, times: stopwatch.times() };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function downloadSegment(
  bucket: Bucket,
  key: string,
  folder: string,
): Promise<{ path: string; facts: SegmentFacts }> {
  const path = join(folder, key.replace(/^.*\//, ''));
  const [facts] = await Promise.all([bucket.getJson<SegmentFacts>(factsKey(key)), bucket.download(key, path)]);
  if (!facts) throw new Error(`the object ${factsKey(key)} does not exist`);
  return { path, facts };
}

/** `warnings`: those of assembling. */
function reportOf(chunks: readonly SegmentFacts[], warnings: readonly string[]): StoredReport {
  const all = [...chunks.flatMap((chunk) => chunk.warnings), ...warnings];
  return { fonts: mergedFonts(chunks.map(({ fonts }) => fonts)), warnings: [...new Set(all)] };
}

async function storedPlan(bucket: Bucket, planKey: string): Promise<StoredPlan> {
  const stored = await bucket.getJson<StoredPlan>(planKey);
  if (!stored) throw new Error(`the plan ${planKey} does not exist`);
  return stored;
}

/** Chunks that were rendered by different versions of the code may differ visibly. */
function codeChanged(): UserError {
  return new UserError('deploy_failed', 'Another version of the stack was deployed during this render', {
    hint: 'Start the render again.',
  });
}

/** The key contains a hash of everything that affects the chunk, so that an existing segment can be reused. */
function segmentKey(renderId: string, { plan, capture, siteId, codeVersion }: StoredPlan, index: number): string {
  const { output: _output, chunks, ...rest } = plan;
  const inputs = JSON.stringify([codeVersion, siteId, capture.path, rest, chunks[index]]);
  const hash = createHash('sha256').update(inputs).digest('hex').slice(0, 16);
  return keys.segment(renderId, index, hash, segmentExtension(plan));
}

const factsKey = (segment: string): string => `${segment}.json`;
