// The three steps of a render, over local folders, with the bucket at the edges: plan, renderChunk, assemble.
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import mime from 'mime';
import pLimit from 'p-limit';
import { UserError } from '../errors.ts';
import { segmentExtension } from '../media/segment.ts';
import { frameTime } from '../plan/frameRate.ts';
import type { Network } from '../project/publicFetch.ts';
import { assemble, type ChunkRenderer, type ChunkSound, planChunks } from '../render/chunkRender.ts';
import type { Bucket } from './bucket.ts';
import { type ChunkProgress, openProgress } from './chunkProgress.ts';
import type {
  AssembleResult,
  ChunkResult,
  ExecutionInput,
  PlanResult,
  ServerlessConfig,
  TaskInput,
} from './execution.ts';
import { keys } from './keys.ts';
import type { StoredPlan } from './storedPlan.ts';

/** What a step is given beside its task. */
export type StepPlace = {
  bucket: Bucket;
  /** The site's files. */
  projectDir: string;
  /** Changes with the code that renders: one video is drawn by one code. */
  codeVersion: string;
  signal: AbortSignal;
  worker: Pick<ChunkProgress, 'memoryMb' | 'log'>;
  now(): number;
};

/** What is kept beside a segment. It is written first: where there is a segment, there is this. */
type SegmentFacts = { sounds: ChunkSound[] | null; capture: { path: string; reason: string } };

const segmentsAtOnce = 16;

export async function planStep(
  input: ExecutionInput,
  { bucket, projectDir, codeVersion, signal }: StepPlace,
): Promise<PlanResult> {
  const { config, chunks, renderId, siteId } = input;
  const { plan, warnings } = await planChunks({ projectDir, signal, ...requestOf(config) }, chunks);
  const planKey = keys.plan(renderId);
  const { network } = config;
  const stored = { plan, siteId, codeVersion, warnings, ...(network === undefined ? {} : { network }) };
  await bucket.putJson(planKey, stored satisfies StoredPlan);
  return { planKey, totalFrames: plan.frames, chunks: plan.chunks.map(({ index }) => ({ index })) };
}

function requestOf({ fps, ...rest }: ServerlessConfig) {
  return { ...rest, ...(fps === undefined ? {} : { fps: String(fps) }) };
}

export async function chunkStep(
  { renderId }: TaskInput,
  planKey: string,
  index: number,
  openRenderer: (network: Network) => Promise<ChunkRenderer>,
  place: StepPlace,
): Promise<ChunkResult> {
  const { bucket, now } = place;
  const started = now();
  const stored = await storedPlan(bucket, planKey);
  const { plan, network = 'public' } = stored;
  const frames = (plan.chunks[index]?.end ?? 0) - (plan.chunks[index]?.start ?? 0);
  if (stored.codeVersion !== place.codeVersion) throw deployedSince();
  const key = segmentKey(renderId, stored, index);
  const progress = await openProgress(keys.progress(renderId, index), { index, frames }, place);
  const known = await bucket.size(key);
  if (known !== undefined) {
    await progress.end();
    return { index, frames, bytes: known, elapsedMs: now() - started, isReused: true };
  }
  const folder = await mkdtemp(join(tmpdir(), 'chunk-'));
  try {
    const renderer = await openRenderer(network);
    const chunk = await renderer.render(plan, index, folder, (event) => {
      if (event.type === 'frames') progress.tell(event.done);
    });
    await bucket.putJson(factsKey(key), { sounds: chunk.sounds, capture: chunk.capture } satisfies SegmentFacts);
    await bucket.upload(key, chunk.path, 'application/octet-stream');
    await progress.end();
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
  { bucket, projectDir, signal }: StepPlace,
): Promise<AssembleResult> {
  const stored = await storedPlan(bucket, planKey);
  const { plan, network = 'public' } = stored;
  const folder = await mkdtemp(join(tmpdir(), 'assemble-'));
  try {
    const limit = pLimit(segmentsAtOnce);
    const segments = await Promise.all(
      plan.chunks.map(({ index }) =>
        limit(async () => {
          const key = segmentKey(renderId, stored, index);
          const path = join(folder, key.replace(/^.*\//, ''));
          await bucket.download(key, path);
          return path;
        }),
      ),
    );
    const last = segmentKey(renderId, stored, plan.chunks.length - 1);
    const facts = await bucket.getJson<SegmentFacts>(factsKey(last));
    const output = join(folder, `output${extname(plan.output)}`);
    const { bytes } = await assemble(plan, segments, facts?.sounds ?? [], output, { projectDir, signal, network });
    await bucket.upload(outputKey, output, mime.getType(output) ?? 'application/octet-stream');
    return { outputKey, bytes, frames: plan.frames, durationSeconds: frameTime(plan.frames, plan.fps) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function storedPlan(bucket: Bucket, planKey: string): Promise<StoredPlan> {
  const stored = await bucket.getJson<StoredPlan>(planKey);
  if (!stored) throw new Error(`the plan ${planKey} is gone`);
  return stored;
}

/** Chunks of one video that other code has drawn may differ at their seams. */
function deployedSince(): UserError {
  return new UserError('deploy_failed', 'The stack was deployed anew while this render was under way', {
    hint: 'Start it again.',
  });
}

/** Everything that decides what is in a chunk is in the key: whoever finds it there need not render it again. */
function segmentKey(renderId: string, { plan, siteId, codeVersion }: StoredPlan, index: number): string {
  const { output: _output, chunks, ...rest } = plan;
  const decides = JSON.stringify([codeVersion, siteId, rest, chunks[index]]);
  const hash = createHash('sha256').update(decides).digest('hex').slice(0, 16);
  return keys.segment(renderId, index, hash, segmentExtension(plan));
}

const factsKey = (segment: string): string => `${segment}.json`;
