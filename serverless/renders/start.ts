// Starts renders. Each render is one execution, whose name prevents a repeated start from rendering twice.
import { randomUUID } from 'node:crypto';
import {
  DescribeExecutionCommand,
  ExecutionAlreadyExists,
  type SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn';
import { UserError } from '../../renderer-core/errors.ts';
import type { PlanDraft } from '../../renderer-core/plan/plan.ts';
import { locatedMessage, type ValuesSource } from '../../renderer-core/plan/valueProblems.ts';
import { prepare } from '../../renderer-core/render/prepare.ts';
import type { RenderRequest } from '../../renderer-core/render/types.ts';
import { type AwsOptions, pathStyleFrom, s3Client, stepFunctionsClient } from '../aws.ts';
import { withAws } from '../awsErrors.ts';
import { openBucket } from '../bucket.ts';
import { checkTarget } from '../deploy/validateConfig.ts';
import { uploadSite } from '../sites/sites.ts';
import { type ChunkSettings, executionArnOf, type ServerlessConfig } from './execution.ts';
import { callbackOf, checkOrder, executionInput, type OrderedRender } from './renderRequest.ts';
import type { RenderHandle, SiteHandle, SiteUpload } from './reports.ts';

export async function deploySite(
  options: { projectDir: string; bucketName: string; signal?: AbortSignal } & AwsOptions,
  env: NodeJS.ProcessEnv,
): Promise<SiteUpload> {
  const s3 = s3Client({ pathStyle: pathStyleFrom(env), ...options });
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
  /** Key of the result in the bucket. Default `renders/<render id>.<ext>`. */
  outputKey?: string;
  chunks?: ChunkSettings;
  /** An https URL that is notified when the render ends, with the body and the signature of the hosted service. */
  callbackUrl?: string;
  /** Text that the notification contains. */
  callbackId?: string;
} & AwsOptions;

/** The region is that of the state machine, unless `region` is given. */
export async function renderToServerless(options: RenderToServerlessOptions): Promise<RenderHandle> {
  const { siteHandle, bucketName, stateMachineArn, config, outputKey, chunks = {} } = options;
  const order = { config, chunks, outputKey, callback: callbackOf(options.callbackUrl, options.callbackId) };
  checkOrder(order);
  const region = checkTarget({ siteId: siteHandle?.siteId, bucketName, stateMachineArn });
  const client = stepFunctionsClient({ region, ...options });
  try {
    return await startExecution(client, order, { bucket: bucketName, siteId: siteHandle.siteId, stateMachineArn });
  } finally {
    client.destroy();
  }
}

/** Checks the project, and the values against its declarations. Throws UserError. */
export async function checkProject(
  projectDir: string,
  config: ServerlessConfig,
  variablesSource?: ValuesSource,
): Promise<{ warnings: string[]; draft: PlanDraft }> {
  const request = { ...renderRequest(projectDir, config), ...(variablesSource ? { variablesSource } : {}) };
  const { valueProblems, warnings, draft } = await prepare(request);
  return { warnings: [...valueProblems.map(locatedMessage), ...warnings], draft };
}

/** The same render on this machine. */
export const renderRequest = (projectDir: string, { fps, ...config }: ServerlessConfig): RenderRequest => ({
  projectDir,
  ...config,
  ...(fps === undefined ? {} : { fps: String(fps) }),
});

/** The deployed stack, and the site to render. */
export type RenderTarget = { bucket: string; siteId: string; stateMachineArn: string };

/** Starts the execution once, even if the SDK or the caller repeats the request with the same `renderId`. */
export async function startExecution(
  client: SFNClient,
  order: OrderedRender,
  { bucket, siteId, stateMachineArn }: RenderTarget,
  renderId = order.executionName ?? `r-${randomUUID()}`,
): Promise<RenderHandle> {
  const input = executionInput(order, { renderId, bucket, siteId });
  const executionArn = await withAws('Starting the render', () =>
    startOnce(
      client,
      { stateMachineArn, name: renderId, input: JSON.stringify(input) },
      order.executionName !== undefined,
    ),
  );
  return { renderId, executionArn, bucketName: bucket, outputKey: input.outputKey };
}

/** AWS accepts a repeated start while the execution runs, and rejects it afterwards. */
async function startOnce(
  client: SFNClient,
  start: { stateMachineArn: string; name: string; input: string },
  isNameChosen: boolean,
): Promise<string> {
  try {
    return (await client.send(new StartExecutionCommand(start))).executionArn ?? '';
  } catch (error) {
    if (!(error instanceof ExecutionAlreadyExists)) throw error;
    const executionArn = executionArnOf(start.stateMachineArn, start.name);
    const { input, status = '' } = await client.send(new DescribeExecutionCommand({ executionArn }));
    // Other names are random, so this is the same start, whatever has become of it.
    if (input === start.input && (!isNameChosen || ['RUNNING', 'SUCCEEDED'].includes(status))) return executionArn;
    throw nameInUse(start.name, input === start.input ? status : undefined, error);
  }
}

/** `status`: how the same render has ended; undefined if the name belongs to another one. */
function nameInUse(name: string, status: string | undefined, cause: Error): UserError {
  const same = `The render ${name} has already ended with the status ${status}`;
  const other = `The name ${name} belongs to another render`;
  return new UserError('render_ended', status === undefined ? other : same, {
    hint: `${status === undefined ? 'Use' : `Continue it with framework serverless resume ${name}, or use`} another executionName. AWS keeps names for 90 days.`,
    cause,
  });
}
