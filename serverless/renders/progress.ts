// Progress of a render: the status of its execution, and the progress that its workers write to the bucket.
import {
  DescribeExecutionCommand,
  type DescribeExecutionOutput,
  GetExecutionHistoryCommand,
  type HistoryEvent,
  ListExecutionsCommand,
  ListMapRunsCommand,
  type SFNClient,
} from '@aws-sdk/client-sfn';
import type { AwsOptions } from '../aws.ts';
import { pathStyleFrom, s3Client, stepFunctionsClient } from '../aws.ts';
import { withAws } from '../awsErrors.ts';
import { type Bucket, openBucket } from '../bucket.ts';
import { taskSeconds } from '../deploy/stateMachine.ts';
import { regionOf } from '../deploy/validateConfig.ts';
import type { ChunkProgress } from '../steps/chunkProgress.ts';
import { readChunkProgress } from './chunkStates.ts';
import type { AssembleResult, ExecutionInput } from './execution.ts';
import { computeRenderCost, transitionsOf } from './prices.ts';
import { describeRender } from './renders.ts';
import type { RenderError, RenderProgress } from './reports.ts';
import { readStoredPlan, readStoredReport } from './storedRender.ts';
import { timingsOf } from './timings.ts';

/** A warning is reported from this share of the time limit on. */
export const slowShare = 0.8;

/** Shares of the overall progress. */
const stepShare = { plan: 0.02, assemble: 0.03 };

/** Throws UserError `execution_not_found`. */
export async function getRenderProgress(
  options: { executionArn: string; withUrl?: boolean } & AwsOptions,
  env: NodeJS.ProcessEnv,
  now: () => number,
): Promise<RenderProgress> {
  const region = regionOf('execution', options.executionArn);
  const client = stepFunctionsClient({ region, ...options });
  const s3 = s3Client({ pathStyle: pathStyleFrom(env), region, ...options });
  try {
    return await readProgress(client, options.executionArn, (name) => openBucket(s3, name), now(), options);
  } finally {
    client.destroy();
    s3.destroy();
  }
}

/** `now` in unix milliseconds. `withUrl`: adds a URL that downloads the video without credentials. */
export async function readProgress(
  client: SFNClient,
  executionArn: string,
  open: (bucket: string) => Bucket,
  now: number,
  { withUrl = false }: { withUrl?: boolean } = {},
): Promise<RenderProgress> {
  const execution = await describeRender(client, executionArn);
  const input = JSON.parse(execution.input ?? '{}') as ExecutionInput;
  const bucket = open(input.bucket);
  const status = execution.status as RenderProgress['status'];
  const [chunks, plan, report] = await withAws('Reading the progress', () =>
    Promise.all([
      readChunkProgress(bucket, input.renderId),
      readStoredPlan(bucket, input.renderId),
      status === 'SUCCEEDED' ? readStoredReport(bucket, input.renderId) : undefined,
    ]),
  );
  const totalFrames = plan?.plan.frames ?? null;
  const total = plan?.plan.chunks.length ?? null;
  const done = chunks.filter(({ endedAt }) => endedAt !== null).length;
  const framesRendered = chunks.reduce((sum, { framesDone }) => sum + framesDone, 0);
  const slowest = slowestOf(chunks, now);
  const result = status === 'SUCCEEDED' ? (JSON.parse(execution.output ?? '{}') as Partial<AssembleResult>) : undefined;
  return {
    renderId: input.renderId,
    executionArn,
    status,
    overallProgress: overall(status, totalFrames, framesRendered),
    framesRendered,
    totalFrames,
    chunks: { done, total },
    capture: plan?.capture ?? null,
    engine: plan?.engine ?? null,
    fonts: report?.fonts ?? null,
    workersInvoked: invocationsOf(chunks, status, plan !== undefined),
    costs: { usd: costOf(chunks, status, plan !== undefined), estimated: true },
    timings: timingsOf({ startedAt: execution.startDate, plan, chunks, result }),
    slowestChunk: slowest,
    outputFile: result ? await fileOf(input, result, withUrl ? bucket : undefined) : null,
    errors: await errorsOf(client, execution, chunks),
    // The plan step has already met some of the warnings of the chunks.
    warnings: [
      ...new Set([...(plan?.warnings ?? []), ...(report?.warnings ?? []), ...slowWarnings(slowest, chunks, now)]),
    ],
    startedAt: (execution.startDate ?? new Date(now)).toISOString(),
    endedAt: execution.stopDate?.toISOString() ?? null,
  };
}

const urlSeconds = 3600;

/** `bucket`: signs a URL. */
async function fileOf(
  { bucket: name, outputKey }: ExecutionInput,
  { bytes = 0 }: Partial<AssembleResult>,
  bucket: Bucket | undefined,
): Promise<NonNullable<RenderProgress['outputFile']>> {
  const file = { s3Uri: `s3://${name}/${outputKey}`, bytes };
  if (bucket === undefined) return file;
  return { ...file, url: await withAws('Signing the URL', () => bucket.signedUrl(outputKey, urlSeconds)) };
}

function overall(status: RenderProgress['status'], totalFrames: number | null, rendered: number): number {
  if (status === 'SUCCEEDED') return 1;
  if (totalFrames === null) return 0;
  const { plan, assemble } = stepShare;
  return Math.min(1 - assemble, plan + (1 - plan - assemble) * (rendered / totalFrames));
}

function slowestOf(chunks: ChunkProgress[], now: number): RenderProgress['slowestChunk'] {
  const rows = chunks.map((chunk) => {
    const end = chunk.endedAt ?? (chunk.error ? chunk.updatedAt : now);
    return { index: chunk.index, seconds: (end - chunk.startedAt) / 1000 };
  });
  const [slowest] = rows.sort((a, b) => b.seconds - a.seconds);
  return slowest ? { ...slowest, shareOfLimit: slowest.seconds / taskSeconds } : null;
}

function slowWarnings(slowest: RenderProgress['slowestChunk'], chunks: ChunkProgress[], now: number): string[] {
  const chunk = chunks.find(({ index }) => index === slowest?.index);
  if (!slowest || !chunk || slowest.shareOfLimit < slowShare) return [];
  const { index, seconds, shareOfLimit } = slowest;
  const share = Math.round(shareOfLimit * 100);
  return [
    `Chunk ${index} takes ${Math.round(seconds)} s, ${share} % of the limit of ${taskSeconds} s. ${remedyForSlow(chunk, now)}`,
  ];
}

/** A smaller chunk is faster, unless its page takes the time to pass the frames before it. */
function remedyForSlow({ startedAt, firstFrameAt, endedAt }: ChunkProgress, now: number): string {
  const end = endedAt ?? now;
  const isPassing = (firstFrameAt ?? end) - startedAt > (end - startedAt) / 2;
  return isPassing
    ? 'Most of it is for passing the frames before the chunk, which smaller chunks do not change. Deploy workers with more memory, which have more processor time (--memory), or divide the video.'
    : 'Use smaller chunks with --chunk-size or --target-chunk-frames.';
}

/** Plan and assemble are one invocation each, if the execution has reached them. */
function invocationsOf(chunks: ChunkProgress[], status: string, isPlanned: boolean): number {
  const others = (isPlanned ? 1 : 0) + (status === 'SUCCEEDED' ? 1 : 0);
  return others + chunks.reduce((sum, { attempts }) => sum + attempts, 0);
}

/** Estimated run time of plan and assemble, which are not measured. */
const otherStepMs = 10_000;

function costOf(chunks: ChunkProgress[], status: string, isPlanned: boolean): number {
  const invocations = invocationsOf(chunks, status, isPlanned);
  const others = invocations - chunks.reduce((sum, { attempts }) => sum + attempts, 0);
  const billedMs = chunks.reduce((sum, chunk) => sum + chunk.billedMs, 0) + others * otherStepMs;
  const memoryMb = chunks[0]?.memoryMb ?? 10_240;
  return computeRenderCost({
    billedMs,
    memoryMb,
    invocations,
    chunks: chunks.length,
    transitions: transitionsOf(chunks.length),
  }).usd;
}

/** The errors of failed chunks, and the error that ended the execution unless it is one of them. */
async function errorsOf(
  client: SFNClient,
  execution: DescribeExecutionOutput,
  chunks: ChunkProgress[],
): Promise<RenderError[]> {
  // A resumed render has not repeated all failed chunks yet.
  const since = execution.redriveDate?.getTime() ?? 0;
  const own = chunks.flatMap(({ index, error, log, endedAt, updatedAt }) =>
    error && endedAt === null && updatedAt >= since
      ? [{ state: `RenderChunk ${index}`, error: error.code, cause: error.message, log }]
      : [],
  );
  if (execution.status === 'RUNNING' || execution.status === 'SUCCEEDED') return own;
  const failedChunk = execution.error === failedMapError ? await failedChunkOf(client, execution) : undefined;
  const failed = failedChunk ?? execution;
  const cause = readableCause(failed.cause ?? '');
  const isReported = own.some((one) => cause.includes(one.cause));
  if (isReported) return own;
  const error = failed.error ?? String(failed.status);
  // Workers that were killed could not write their error. AWS names the invocation.
  const killed = chunks.find(({ log }) => log.requestId !== '' && cause.includes(log.requestId));
  if (killed) {
    const { index, log } = killed;
    return [...own, { state: `RenderChunk ${index}`, error, cause: `${cause}${remedyOf(cause, killed)}`, log }];
  }
  const state = failedChunk
    ? `RenderChunk ${indexOf(failedChunk)}`
    : await failedState(client, execution.executionArn ?? '');
  return [...own, { state, error, cause }];
}

/** The error of a render whose distributed Map has failed. It does not name the chunk. */
const failedMapError = 'States.ExceedToleratedFailureThreshold';

/** The execution of a chunk that has failed; undefined if AWS does not know it any more. */
async function failedChunkOf(
  client: SFNClient,
  { executionArn }: DescribeExecutionOutput,
): Promise<DescribeExecutionOutput | undefined> {
  return withAws('Reading the error of the chunk', async () => {
    const { mapRuns = [] } = await client.send(new ListMapRunsCommand({ executionArn }));
    for (const { mapRunArn } of mapRuns) {
      const failed = { mapRunArn, statusFilter: 'FAILED', maxResults: 1 } as const;
      const [chunk] = (await client.send(new ListExecutionsCommand(failed))).executions ?? [];
      if (chunk) return client.send(new DescribeExecutionCommand({ executionArn: chunk.executionArn }));
    }
    return undefined;
  });
}

const indexOf = ({ input = '{}' }: DescribeExecutionOutput): number => (JSON.parse(input) as { index: number }).index;

/** What usually helps when a worker was killed. */
function remedyOf(cause: string, chunk: ChunkProgress): string {
  const { index, memoryMb, startedAt } = chunk;
  if (/timed out/i.test(cause))
    return `. The worker of chunk ${index} reached the limit of ${taskSeconds} s. ${remedyForSlow(chunk, startedAt + 1000 * taskSeconds)}`;
  if (!/signal: killed|out of memory|OutOfMemory/i.test(cause)) return '';
  const more = Math.min(10_240, memoryMb * 2);
  const remedy =
    more > memoryMb
      ? `Deploy workers with more memory: framework serverless deploy --memory ${more}`
      : 'Use a smaller video size.';
  return `. The worker of chunk ${index} was killed, probably because its ${memoryMb} MB of memory were not enough. ${remedy}`;
}

/** For errors of Lambda, the cause is JSON. */
function readableCause(cause: string): string {
  try {
    return (JSON.parse(cause) as { errorMessage?: string }).errorMessage ?? cause;
  } catch {
    return cause;
  }
}

async function failedState(client: SFNClient, executionArn: string): Promise<string> {
  const { events = [] } = await withAws('Reading the history', () =>
    client.send(new GetExecutionHistoryCommand({ executionArn, reverseOrder: true, maxResults: 100 })),
  );
  const entered = events.find(({ type }: HistoryEvent) => type === 'TaskStateEntered' || type === 'MapStateEntered');
  return entered?.stateEnteredEventDetails?.name ?? 'execution';
}
