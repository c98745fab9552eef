// Renders on the serverless stack: uploads the project, starts one execution, polls it and downloads the video.

import { setTimeout as sleep } from 'node:timers/promises';
import {
  DescribeExecutionCommand,
  type DescribeExecutionOutput,
  type SFNClient,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import { UserError } from '../../../renderer-core/errors.ts';
import { given } from '../../../renderer-core/model/variables/given.ts';
import { frameCount } from '../../../renderer-core/plan/frameRate.ts';
import type { RenderPlan } from '../../../renderer-core/plan/renderPlan.ts';
import { sizeOptionNames } from '../../../renderer-core/plan/resolution.ts';
import type { RenderRequest } from '../../../renderer-core/render/types.ts';
import { cloudFormationClient, pathStyleFrom, s3Client, stepFunctionsClient } from '../../../serverless/aws.ts';
import { type Bucket, openBucket } from '../../../serverless/bucket.ts';
import { defaultStackName, renderStack, type StackOutputs } from '../../../serverless/deploy/stack.ts';
import { refusedError } from '../../../serverless/deploy/stateMachine.ts';
import { intermediatePrefix } from '../../../serverless/keys.ts';
import type { ServerlessConfig } from '../../../serverless/renders/execution.ts';
import { readProgress } from '../../../serverless/renders/progress.ts';
import type { OrderedRender } from '../../../serverless/renders/renderRequest.ts';
import { checkOrder } from '../../../serverless/renders/renderRequest.ts';
import { checkProject, startExecution } from '../../../serverless/renders/start.ts';
import { readStoredPlan, readStoredReport, type StoredPlan } from '../../../serverless/renders/storedRender.ts';
import { uploadSite } from '../../../serverless/sites/sites.ts';
import { ApiError } from '../api/apiErrors.ts';
import {
  type EngineJob,
  type EngineResult,
  type RenderEngine,
  TransientError,
  type WorkerStop,
} from './renderEngine.ts';

/** The stack that renders, and the render's ID, which names its execution. */
export type StackTarget = Pick<StackOutputs, 'bucketName' | 'stateMachineArn'> & { renderId: string };

/** Called once, when the service starts. Throws UserError `stack_not_found`. */
export async function findRenderStack(stackName = defaultStackName): Promise<Omit<StackTarget, 'renderId'>> {
  const client = cloudFormationClient();
  try {
    const { bucketName, stateMachineArn } = await renderStack(client, stackName);
    return { bucketName, stateMachineArn };
  } finally {
    client.destroy();
  }
}

const pollMs = 2_000;

/**
 * The execution is named after the render, so a restarted service or another instance finds it instead of starting a second
 * one.
 */
export function renderOnStack(
  stack: StackTarget,
  { env, now }: { env: NodeJS.ProcessEnv; now: () => number },
): RenderEngine {
  return async (job) => {
    const s3 = s3Client({ pathStyle: pathStyleFrom(env) });
    const steps = stepFunctionsClient();
    const connection = { stack, steps, bucket: openBucket(s3, stack.bucketName, job.signal), now };
    try {
      return await renderWith(connection, job);
    } catch (error) {
      if (job.signal.aborted && job.signal.reason === ('cancel' satisfies WorkerStop)) await stopExecutions(connection);
      throw isAwsError(error) ? new TransientError(String(error), { cause: error }) : error;
    } finally {
      s3.destroy();
      steps.destroy();
    }
  };
}

const isAwsError = (error: unknown): boolean => error instanceof UserError && error.code.startsWith('aws_');

type Connection = { stack: StackTarget; steps: SFNClient; bucket: Bucket; now: () => number };

async function renderWith(connection: Connection, job: EngineJob): Promise<EngineResult> {
  const { request, signal } = job;
  const { bucket } = connection;
  const config = configOf(request);
  const ordered = { config, chunks: {} };
  checkOrder(ordered);
  const { draft, warnings } = await checkProject(request.projectDir, config);
  const { duration } = draft;
  const isDeclared = duration !== null;
  // If the composition declares its duration, the credits are checked before anything is uploaded.
  if (isDeclared) await job.onPlan(lengthAndSize({ ...draft, frames: frameCount(duration, draft.fps) }));
  signal.throwIfAborted();
  const site = await uploadSite(bucket, request.projectDir, { signal });
  const name = await findOrStart(connection, ordered, site.siteId, signal);
  const { plan, engine, warnings: planned } = await waitForExecution(connection, name, job, !isDeclared);
  await bucket.download(outputKey(name, config), request.output);
  const { frames, fps, width, height } = plan;
  const report = await readStoredReport(bucket, name);
  const all = [...new Set([...warnings, ...planned, ...(report?.warnings ?? []), ...site.warnings])];
  const bytes = (await bucket.size(outputKey(name, config))) ?? 0;
  const seconds = (frames * fps.den) / fps.num;
  return { seconds, frames, bytes, fps: fps.num / fps.den, width, height, engine, warnings: all };
}

type Planned = Pick<RenderPlan, 'frames' | 'fps' | 'width' | 'height'>;
const lengthAndSize = ({ frames, fps, width, height }: Planned) => ({
  seconds: (frames * fps.den) / fps.num,
  frames,
  width,
  height,
});

/** The options that a request to the service can set. */
function configOf({ projectDir: _, output: _o, ...request }: RenderRequest): ServerlessConfig {
  const { composition, fps, format, quality, variables, strictVariables, network } = request;
  const sizes = Object.fromEntries(sizeOptionNames.map((name) => [name, request[name]]));
  return given({ composition, fps, format, quality, ...sizes, variables, strictVariables, network });
}

/** Below the intermediate prefix, which expires: the service downloads the video at once and keeps it elsewhere. */
const outputKey = (name: string, { format = 'mp4' }: ServerlessConfig): string =>
  `${intermediatePrefix}${name}/output.${format}`;

const executionName = ({ renderId }: StackTarget, number: number): string => `${renderId}-${number}`;

/** Returns the name of the execution that runs or has succeeded. If all have failed, starts another one. */
async function findOrStart(
  connection: Connection,
  { config, chunks }: OrderedRender,
  siteId: string,
  signal: AbortSignal,
): Promise<string> {
  const { stack, steps } = connection;
  const { bucketName: bucket, stateMachineArn } = stack;
  for (let number = 1; ; ) {
    signal.throwIfAborted();
    const name = executionName(stack, number);
    const found = await describe(connection, name);
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
      // Another instance started it in the meantime: the next round finds it.
      if ((error as { cause?: Error }).cause?.name !== 'ExecutionAlreadyExists') throw error;
    }
  }
}

const arnOf = ({ stateMachineArn }: StackTarget, name: string): string =>
  `${stateMachineArn.replace(':stateMachine:', ':execution:')}:${name}`;

/** Returns undefined if there is no execution with this name. */
async function describe({ stack, steps }: Connection, name: string): Promise<DescribeExecutionOutput | undefined> {
  try {
    return await steps.send(new DescribeExecutionCommand({ executionArn: arnOf(stack, name) }));
  } catch (error) {
    if ((error as Error).name === 'ExecutionDoesNotExist') return undefined;
    throw new TransientError(String(error), { cause: error });
  }
}

/** Resolves when the execution has succeeded. `reportsPlan`: whether `onPlan` still has to be called. */
async function waitForExecution(
  connection: Connection,
  name: string,
  job: EngineJob,
  reportsPlan: boolean,
): Promise<StoredPlan> {
  const { steps, bucket, stack, now } = connection;
  let plan: StoredPlan | undefined;
  for (;;) {
    job.signal.throwIfAborted();
    const progress = await readProgress(steps, arnOf(stack, name), () => bucket, now());
    if (!plan && progress.totalFrames !== null) {
      plan = await readStoredPlan(bucket, name);
      if (plan && reportsPlan) await job.onPlan(lengthAndSize(plan.plan));
    }
    job.onProgress(progress.overallProgress);
    if (progress.status === 'SUCCEEDED' && plan) return plan;
    if (progress.status !== 'RUNNING') throw failureOf(await describe(connection, name));
    await sleep(pollMs, undefined, { signal: job.signal });
  }
}

/** An error of type `refusedError` is caused by the project. Every other error is worth another attempt. */
function failureOf(execution: DescribeExecutionOutput | undefined): Error {
  const { status, error, cause = '' } = execution ?? {};
  if (error !== refusedError) return new TransientError(`the execution is ${status}: ${error}: ${cause}`);
  return new ApiError('framework_project_invalid', messageOf(cause));
}

/** AWS Lambda writes its error as JSON into the cause. */
function messageOf(cause: string): string {
  try {
    return (JSON.parse(cause) as { errorMessage?: string }).errorMessage ?? cause;
  } catch {
    return cause;
  }
}

async function stopExecutions(connection: Connection): Promise<void> {
  const { stack, steps } = connection;
  for (let number = 1; ; number++) {
    const name = executionName(stack, number);
    const found = await describe(connection, name);
    if (!found) return;
    if (found.status !== 'RUNNING') continue;
    const executionArn = arnOf(stack, name);
    await steps.send(new StopExecutionCommand({ executionArn, error: 'Stopped', cause: 'The render was cancelled.' }));
  }
}
