// Starts renders: one execution each, named so that the same start twice is one render.
import { randomUUID } from 'node:crypto';
import {
  DescribeExecutionCommand,
  ExecutionAlreadyExists,
  type SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn';
import type { ChunkOptions } from '../plan/chunks.ts';
import { prepareRender } from '../render/prepare.ts';
import { type AwsOptions, pathStyleFrom, s3Client, stepFunctionsClient } from './aws.ts';
import { withAws } from './awsErrors.ts';
import { openBucket } from './bucket.ts';
import { executionArnOf, type ServerlessConfig } from './execution.ts';
import { checkConfig, checkInputSize, checkOutputKey, executionInput, type OrderedRender } from './order.ts';
import { type SiteHandle, type SiteUpload, uploadSite } from './sites.ts';

/** A render that was started; `progress` takes either of the two names. */
export type RenderHandle = { renderId: string; executionArn: string; bucketName: string; outputKey: string };

/**
 * Uploads a project, unless the bucket holds it already. Credentials and region come from the AWS SDK's own chain.
 * Throws UserError.
 */
export async function deploySite(
  options: { projectDir: string; bucketName: string; signal?: AbortSignal } & AwsOptions,
): Promise<SiteUpload> {
  const s3 = s3Client({ pathStyle: pathStyleFrom(process.env), ...options });
  try {
    const bucket = openBucket(s3, options.bucketName, options.signal);
    return await uploadSite(bucket, options.projectDir, options.signal ? { signal: options.signal } : {});
  } finally {
    s3.destroy();
  }
}

export type RenderToServerlessOptions = {
  siteHandle: Pick<SiteHandle, 'siteId'>;
  bucketName: string;
  stateMachineArn: string;
  config: ServerlessConfig;
  /** Place of the result in the bucket. Default `renders/<render id>.<ext>`. */
  outputKey?: string;
  chunks?: ChunkOptions;
} & AwsOptions;

/** Starts one render and returns at once. Throws UserError; a too large config before any call of AWS. */
export async function renderToServerless(options: RenderToServerlessOptions): Promise<RenderHandle> {
  const { siteHandle, bucketName, stateMachineArn, config, outputKey, chunks = {} } = options;
  const order = { config, chunks, outputKey };
  checkOrder(order);
  const client = stepFunctionsClient(options);
  try {
    return await startExecution(client, order, { bucket: bucketName, siteId: siteHandle.siteId, stateMachineArn });
  } finally {
    client.destroy();
  }
}

/** What can be known to be wrong without asking anybody. Throws UserError. */
export function checkOrder(order: OrderedRender): void {
  checkConfig(order.config);
  if (order.outputKey !== undefined) checkOutputKey(order.outputKey);
  checkInputSize(order);
}

/** The project's own faults, and its values against its declarations. Throws UserError; returns warnings. */
export async function checkProject(
  projectDir: string,
  { fps, ...config }: ServerlessConfig,
): Promise<{ warnings: string[]; duration: number | null; rate: { num: number; den: number } }> {
  const request = { projectDir, ...config, ...(fps === undefined ? {} : { fps: String(fps) }) };
  const { issues, warnings, draft } = await prepareRender(request);
  return {
    warnings: [...issues.map(({ message }) => message), ...warnings],
    duration: draft.duration,
    rate: draft.fps,
  };
}

/** A repeated start, the SDK's own or the caller's, starts nothing twice: the name is chosen before the first try. */
export async function startExecution(
  client: SFNClient,
  order: OrderedRender,
  place: { bucket: string; siteId: string; stateMachineArn: string },
  renderId = `r-${randomUUID()}`,
): Promise<RenderHandle> {
  const { bucket, siteId, stateMachineArn } = place;
  const input = executionInput(order, { renderId, bucket, siteId });
  const executionArn = await withAws('Starting the render', () =>
    startOnce(client, { stateMachineArn, name: renderId, input: JSON.stringify(input) }),
  );
  return { renderId, executionArn, bucketName: bucket, outputKey: input.outputKey };
}

/** While an execution runs, AWS answers its start again as the first time; once it has ended, only with a refusal. */
async function startOnce(
  client: SFNClient,
  start: { stateMachineArn: string; name: string; input: string },
): Promise<string> {
  try {
    return (await client.send(new StartExecutionCommand(start))).executionArn ?? '';
  } catch (error) {
    if (!(error instanceof ExecutionAlreadyExists)) throw error;
    const executionArn = executionArnOf(start.stateMachineArn, start.name);
    const { input } = await client.send(new DescribeExecutionCommand({ executionArn }));
    if (input !== start.input) throw error;
    return executionArn;
  }
}
