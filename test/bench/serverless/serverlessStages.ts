// Runs the real function of the serverless stack in the double of AWS Lambda, with a real S3 server, and measures its steps.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CopyObjectCommand, CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import pLimit from 'p-limit';
import { type Bucket, openBucket } from '../../../serverless/bucket.ts';
import { packFunction } from '../../../serverless/deploy/functionPackage.ts';
import { keys } from '../../../serverless/keys.ts';
import type { AssembleResult, PlanResult, Task } from '../../../serverless/renders/execution.ts';
import type { StoredPlan } from '../../../serverless/renders/storedRender.ts';
import { uploadSite } from '../../../serverless/sites/sites.ts';
import type { ChunkProgress } from '../../../serverless/steps/chunkProgress.ts';
import type { StageTimes } from '../../../serverless/steps/stageTimes.ts';
import { factsKey, segmentKey } from '../../../serverless/steps/stepContext.ts';
import { type LambdaDouble, startLambda } from '../../aws/lambda.ts';
import { createCephAccount, startCeph } from '../../support/servers/ceph.ts';

export const memoryMb = 4096;
const bucketName = 'bench';
const functionName = 'render';

/** Seconds by stage, in order. `wait`: from the invocation until the function runs. */
export type Stages = Record<string, number>;

export type Bench = { bucket: Bucket; s3: S3Client; lambda: LambdaDouble; close(): Promise<void> };

/** Deploys the function of this build. */
export async function startBench(): Promise<Bench> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-serverless-'));
  const code = join(folder, 'code');
  await packFunction(join(folder, 'function.zip'), { env: process.env });
  await promisify(execFile)('unzip', ['-q', join(folder, 'function.zip'), '-d', code]);
  await rm(join(folder, 'function.zip'));
  const ceph = await startCeph();
  const lambda = await startLambda();
  const { accessKeyId, secretAccessKey } = await createCephAccount(ceph);
  const s3 = new S3Client({
    region: 'us-east-1',
    endpoint: ceph.endpoint,
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });
  await s3.send(new CreateBucketCommand({ Bucket: bucketName }));
  const env = {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_ENDPOINT_URL_S3: ceph.endpoint,
    AWS_REQUEST_CHECKSUM_CALCULATION: 'WHEN_REQUIRED',
    AWS_RESPONSE_CHECKSUM_VALIDATION: 'WHEN_REQUIRED',
    FRAMEWORK_S3_PATH_STYLE: '1',
  };
  const limits = { memoryMb, diskMb: 10_240, timeoutSeconds: 900, concurrency: undefined };
  await lambda.put(functionName, { code, handler: 'handler.handler', ...limits, env });
  return {
    bucket: openBucket(s3, bucketName),
    s3,
    lambda,
    async close() {
      await lambda.close();
      s3.destroy();
      await ceph.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export type MeasuredStep = { step: string; frames: number; stages: Stages };

export type MeasuredRender = {
  frames: number;
  /** The first frame of the last chunk. */
  lastStart: number;
  bytes: number;
  plan: MeasuredStep;
  /** Undefined if only the last chunk was measured. */
  first: MeasuredStep | undefined;
  last: MeasuredStep;
  assemble: MeasuredStep;
};

export type Order = { projectDir: string; chunks: number; withFirst: boolean };

/** Renders the last chunk, and stores its segment for all others. */
export async function measureRender(bench: Bench, { projectDir, chunks, withFirst }: Order): Promise<MeasuredRender> {
  const { bucket } = bench;
  const { siteId } = await uploadSite(bucket, projectDir);
  const renderId = `r-${siteId}`;
  const input = { version: 1, renderId, bucket: bucketName, siteId, outputKey: `renders/${renderId}.mp4` } as const;
  const planned = await invoke<PlanResult>(bench, true, {
    step: 'plan',
    input: { ...input, config: {}, chunks: { chunkSize: 1, maxParallelChunks: chunks } },
  });
  const stored = await bucket.getJson<StoredPlan>(planned.result.planKey);
  if (!stored) throw new Error('the plan was not stored');
  const { frames } = stored.plan;
  const { planKey } = planned.result;
  const chunk = async (index: number): Promise<MeasuredStep> => {
    const { calledAt } = await invoke(bench, true, { step: 'renderChunk', input, planKey, index });
    const progress = await bucket.getJson<ChunkProgress>(keys.progress(renderId, index));
    if (!progress?.times) throw new Error(`chunk ${index} has no times`);
    return {
      step: index === 0 ? 'first chunk' : 'last chunk',
      ...measuredStep(progress.frames, calledAt, progress.times),
    };
  };
  const first = withFirst ? await chunk(0) : undefined;
  const last = await chunk(chunks - 1);
  await copySegments(bench, renderId, stored);
  const assembled = await invoke<AssembleResult>(bench, false, { step: 'assemble', input, planKey });
  await removeAll(bucket, renderId, input.outputKey);
  return {
    frames,
    lastStart: stored.plan.chunks.at(-1)?.start ?? 0,
    bytes: assembled.result.bytes,
    plan: { step: 'plan', ...measuredStep(frames, planned.calledAt, stored.times) },
    first,
    last,
    assemble: { step: 'assemble', ...measuredStep(frames, assembled.calledAt, assembled.result.times) },
  };
}

function measuredStep(frames: number, calledAt: number, { startedAt, stages }: StageTimes): Omit<MeasuredStep, 'step'> {
  const seconds = Object.entries(stages).map(([stage, ms]) => [stage, ms / 1000]);
  return { frames, stages: { wait: (startedAt - calledAt) / 1000, ...Object.fromEntries(seconds) } };
}

/** `isCold`: on a new worker. */
async function invoke<Result>(
  { lambda }: Bench,
  isCold: boolean,
  task: Task,
): Promise<{ result: Result; calledAt: number }> {
  if (isCold) await lambda.change(functionName, {});
  const calledAt = Date.now();
  const outcome = await lambda.invoke(functionName, JSON.stringify(task));
  if (typeof outcome === 'string' || outcome.failure)
    throw new Error(`${task.step}: ${typeof outcome === 'string' ? outcome : outcome.payload}`);
  return { result: JSON.parse(outcome.payload) as Result, calledAt };
}

/** Rendering every chunk of an hour would take an hour here. All chunks have as many frames as the last one. */
async function copySegments({ s3, bucket }: Bench, renderId: string, stored: StoredPlan): Promise<void> {
  const { chunks } = stored.plan;
  const keyOf = (index: number) => segmentKey(renderId, stored, index);
  const from = keyOf(chunks.length - 1);
  const limit = pLimit(8);
  const copies = chunks.slice(0, -1).flatMap(({ index }) => [
    [from, keyOf(index)],
    [factsKey(from), factsKey(keyOf(index))],
  ]);
  await Promise.all(
    copies.map(([source, Key]) =>
      limit(() => s3.send(new CopyObjectCommand({ Bucket: bucket.name, CopySource: `${bucket.name}/${source}`, Key }))),
    ),
  );
}

/** The store is in memory. */
async function removeAll(bucket: Bucket, renderId: string, outputKey: string): Promise<void> {
  const limit = pLimit(8);
  const stored = await bucket.list(keys.render(renderId));
  await Promise.all([...stored.map(({ key }) => key), outputKey].map((key) => limit(() => bucket.remove(key))));
}

/** A composition of the benchmark that repeats its timeline for this time. */
export async function makeLonger(page: string, seconds: number): Promise<void> {
  const html = await readFile(page, 'utf8');
  const longer = html
    .replace(/data-duration="[\d.]+"/g, `data-duration="${seconds}"`)
    .replace('gsap.timeline({ paused: true', 'gsap.timeline({ paused: true, repeat: -1');
  await writeFile(page, longer);
}
