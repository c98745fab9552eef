// The first step of a serverless render: plans it and writes the plan to the bucket.
import { planChunks } from '../../renderer-core/render/chunkRender.ts';
import { isDistributed } from '../deploy/stateMachine.ts';
import { keys } from '../keys.ts';
import { autoChunkCount, readMeasured } from '../renders/autoChunks.ts';
import type { ExecutionInput, PlanResult, ServerlessConfig, TaskInput } from '../renders/execution.ts';
import type { StoredPlan } from '../renders/storedRender.ts';
import type { Store } from '../store.ts';
import type { StepContext } from './stepContext.ts';

export async function planStep(
  input: ExecutionInput,
  { store, projectDir, codeVersion, signal, stopwatch, surroundings }: StepContext,
): Promise<PlanResult> {
  const { config, chunks, version, renderId, bucket, siteId, outputKey } = input;
  const { network = 'public' } = config;
  const measured = chunks.auto ? await readMeasured(store) : undefined;
  const count = measured ? (frames: number) => autoChunkCount(frames, measured) : chunks;
  const request = { projectDir, signal, ...requestOf(config), network };
  const planned = await planChunks(request, surroundings, count);
  if (chunks.auto && !measured) planned.warnings.push(notMeasured);
  stopwatch.end('plan');
  const times = stopwatch.times();
  const task = { version, renderId, bucket, siteId, outputKey };
  return storePlan(store, task, { ...planned, siteId, codeVersion, network, times });
}

/** Writes the plan, and the list of its chunks if there are too many for the states of the execution. */
export async function storePlan(store: Store, task: TaskInput, stored: StoredPlan): Promise<PlanResult> {
  const { renderId } = task;
  const [planKey, chunksKey] = [keys.plan(renderId), keys.chunks(renderId)];
  const chunks = stored.plan.chunks.map(({ index }) => ({ index }));
  const chunkCount = chunks.length;
  await store.putJson(planKey, stored);
  if (!isDistributed(chunkCount)) return { task, planKey, chunkCount, chunks, chunksKey };
  await store.putJson(chunksKey, chunks);
  return { task, planKey, chunkCount, chunks: [], chunksKey };
}

const notMeasured =
  'The chunks could not be chosen automatically, because the stack has measured nothing. Run framework serverless deploy.';

function requestOf({ fps, ...rest }: ServerlessConfig) {
  return { ...rest, ...(fps === undefined ? {} : { fps: String(fps) }) };
}
