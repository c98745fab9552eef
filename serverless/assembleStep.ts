// The last step of a serverless render: joins the segments and writes the video to the bucket.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import mime from 'mime';
import pLimit from 'p-limit';
import { mergedFonts } from '../renderer-core/plan/fonts/shownFonts.ts';
import { frameTime } from '../renderer-core/plan/frameRate.ts';
import { assemble } from '../renderer-core/render/chunkRender.ts';
import type { Bucket } from './bucket.ts';
import type { AssembleResult, TaskInput } from './execution.ts';
import { keys } from './keys.ts';
import { factsKey, type SegmentFacts, type StepContext, segmentKey, storedPlan } from './stepContext.ts';
import type { StoredReport } from './storedRender.ts';

const maxConcurrentDownloads = 16;

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
