// The first step of a serverless render: plans it and writes the plan to the bucket.
import { planChunks } from '../renderer-core/render/chunkRender.ts';
import { autoChunkCount, readMeasured } from './autoChunks.ts';
import type { ExecutionInput, PlanResult, ServerlessConfig } from './execution.ts';
import { keys } from './keys.ts';
import type { StepContext } from './stepContext.ts';
import type { StoredPlan } from './storedRender.ts';

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
