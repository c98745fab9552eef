// Renders on the serverless stack: uploads the project, starts one execution, follows it, and fetches the video.
import { setTimeout as sleep } from 'node:timers/promises';
import {
  DescribeExecutionCommand,
  type DescribeExecutionOutput,
  type SFNClient,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import { UserError } from '../errors.ts';
import { frameCount } from '../plan/frameRate.ts';
import type { RenderRequest } from '../render/renderVideo.ts';
import { cloudFormationClient, pathStyleFrom, s3Client, stepFunctionsClient } from '../serverless/aws.ts';
import { type Bucket, openBucket } from '../serverless/bucket.ts';
import type { ServerlessConfig } from '../serverless/execution.ts';
import { intermediatePrefix } from '../serverless/keys.ts';
import type { OrderedRender } from '../serverless/order.ts';
import { readProgress } from '../serverless/progress.ts';
import { uploadSite } from '../serverless/sites.ts';
import { defaultStackName, type StackOutputs, stackOutputs } from '../serverless/stack.ts';
import { checkOrder, checkProject, startExecution } from '../serverless/start.ts';
import { refusedError } from '../serverless/stateMachine.ts';
import { readStoredPlan, type StoredPlan } from '../serverless/storedPlan.ts';
import { ApiError } from './apiErrors.ts';
import { type EngineOrder, type EngineResult, PassingFault, type RenderEngine } from './renderEngine.ts';

/** The stack that renders, and what the order is called there. */
export type StackOrder = Pick<StackOutputs, 'bucketName' | 'stateMachineArn'> & { renderId: string };

/** Asked once, when the service starts. Throws UserError `stack_not_found`. */
export async function findRenderStack(stackName = defaultStackName): Promise<Omit<StackOrder, 'renderId'>> {
  const client = cloudFormationClient();
  try {
    const { bucketName, stateMachineArn } = await stackOutputs(client, stackName);
    return { bucketName, stateMachineArn };
  } finally {
    client.destroy();
  }
}

const pollMs = 2_000;

/** A render that goes on elsewhere is found again by its name: neither a restart nor another instance starts it twice. */
export function renderOnStack(stack: StackOrder): RenderEngine {
  return async (order) => {
    const s3 = s3Client({ pathStyle: pathStyleFrom(process.env) });
    const steps = stepFunctionsClient();
    const place = { stack, steps, bucket: openBucket(s3, stack.bucketName, order.signal) };
    try {
      return await renderWith(place, order);
    } catch (error) {
      if (order.signal.aborted && order.signal.reason === 'ended') await stopExecutions(place);
      throw isFaultOfAws(error) ? new PassingFault(String(error), { cause: error }) : error;
    } finally {
      s3.destroy();
      steps.destroy();
    }
  };
}

const isFaultOfAws = (error: unknown): boolean => error instanceof UserError && error.code.startsWith('aws_');

type Place = { stack: StackOrder; steps: SFNClient; bucket: Bucket };

async function renderWith(place: Place, order: EngineOrder): Promise<EngineResult> {
  const { request, signal } = order;
  const config = configOf(request);
  const ordered = { config, chunks: {} };
  checkOrder(ordered);
  const { duration, rate, warnings } = await checkProject(request.projectDir, config);
  const isDeclared = duration !== null;
  // Before anything is spent, where the author has said how long it is.
  if (isDeclared) await order.onPlan((frameCount(duration, rate) * rate.den) / rate.num);
  signal.throwIfAborted();
  const site = await uploadSite(place.bucket, request.projectDir, { signal });
  const name = await findOrStart(place, ordered, site.siteId, signal);
  const { plan, warnings: planned } = await follow(place, name, order, !isDeclared);
  await place.bucket.download(outputKey(name, config), request.output);
  const { frames, fps, width, height } = plan;
  const all = [...new Set([...warnings, ...planned, ...site.warnings])];
  const bytes = (await place.bucket.size(outputKey(name, config))) ?? 0;
  return { seconds: (frames * fps.den) / fps.num, frames, bytes, fps: fps.num / fps.den, width, height, warnings: all };
}

/** Only what a request of the service can have. */
function configOf({ projectDir: _, output: _o, ...request }: RenderRequest): ServerlessConfig {
  const { composition, fps, format, quality, resolution, variables, strictVariables, network } = request;
  const config = { composition, fps, format, quality, resolution, variables, strictVariables, network };
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined));
}

/** It is fetched at once, so it expires with the rest of what the render leaves in the bucket. */
const outputKey = (name: string, { format = 'mp4' }: ServerlessConfig): string =>
  `${intermediatePrefix}${name}/output.${format}`;

const executionName = ({ renderId }: StackOrder, number: number): string => `${renderId}-${number}`;

/** The name of the execution that runs or has succeeded. Those that failed are left; another is started. */
async function findOrStart(
  place: Place,
  { config, chunks }: OrderedRender,
  siteId: string,
  signal: AbortSignal,
): Promise<string> {
  const { stack, steps } = place;
  const { bucketName: bucket, stateMachineArn } = stack;
  for (let number = 1; ; ) {
    signal.throwIfAborted();
    const name = executionName(stack, number);
    const found = await describe(place, name);
    if (found?.status === 'RUNNING' || found?.status === 'SUCCEEDED') return name;
    if (found) {
      number++;
      continue;
    }
    try {
      const order = { config, chunks, outputKey: outputKey(name, config) };
      await startExecution(steps, order, { bucket, siteId, stateMachineArn }, name);
      return name;
    } catch (error) {
      // Somebody else was faster: it is looked at again.
      if ((error as { cause?: Error }).cause?.name !== 'ExecutionAlreadyExists') throw error;
    }
  }
}

const arnOf = ({ stateMachineArn }: StackOrder, name: string): string =>
  `${stateMachineArn.replace(':stateMachine:', ':execution:')}:${name}`;

/** Undefined when there is none of this name. */
async function describe({ stack, steps }: Place, name: string): Promise<DescribeExecutionOutput | undefined> {
  try {
    return await steps.send(new DescribeExecutionCommand({ executionArn: arnOf(stack, name) }));
  } catch (error) {
    if ((error as Error).name === 'ExecutionDoesNotExist') return undefined;
    throw new PassingFault(String(error), { cause: error });
  }
}

/** Until it has succeeded. `tellsPlan`: the length was not known before. */
async function follow(place: Place, name: string, order: EngineOrder, tellsPlan: boolean): Promise<StoredPlan> {
  const { steps, bucket, stack } = place;
  let plan: StoredPlan | undefined;
  for (;;) {
    order.signal.throwIfAborted();
    const progress = await readProgress(steps, arnOf(stack, name), () => bucket, Date.now());
    if (!plan && progress.totalFrames !== null) {
      plan = await readStoredPlan(bucket, name);
      if (plan && tellsPlan) await order.onPlan((plan.plan.frames * plan.plan.fps.den) / plan.plan.fps.num);
    }
    order.onProgress(progress.overallProgress);
    if (progress.status === 'SUCCEEDED' && plan) return plan;
    if (progress.status !== 'RUNNING') throw failureOf(await describe(place, name));
    await sleep(pollMs, undefined, { signal: order.signal });
  }
}

/** What the handler has refused is the project's own fault; everything else may go better another time. */
function failureOf(execution: DescribeExecutionOutput | undefined): Error {
  const { status, error, cause = '' } = execution ?? {};
  if (error !== refusedError) return new PassingFault(`the execution is ${status}: ${error}: ${cause}`);
  return new ApiError('framework_project_invalid', messageOf(cause));
}

/** AWS Lambda's own error is JSON in the cause. */
function messageOf(cause: string): string {
  try {
    return (JSON.parse(cause) as { errorMessage?: string }).errorMessage ?? cause;
  } catch {
    return cause;
  }
}

/** Nobody wants the render any more. */
async function stopExecutions(place: Place): Promise<void> {
  const { stack, steps } = place;
  for (let number = 1; ; number++) {
    const name = executionName(stack, number);
    const found = await describe(place, name);
    if (!found) return;
    if (found.status !== 'RUNNING') continue;
    const executionArn = arnOf(stack, name);
    await steps.send(new StopExecutionCommand({ executionArn, error: 'Stopped', cause: 'The render was cancelled.' }));
  }
}
