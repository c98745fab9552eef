// The Lambda handler. Each invocation runs one step of a render. The browser stays open for the next chunk of the same site.

import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unpackBrowser } from '../renderer-core/capture/embeddedBrowser.ts';
import { UserError } from '../renderer-core/errors.ts';
import { embeddedLibrary } from '../renderer-core/media/embeddedLibrary.ts';
import { featuresOption } from '../renderer-core/page/features/features.ts';
import { cacheRoot } from '../renderer-core/project/cacheFolder.ts';
import { findPackage } from '../renderer-core/project/packageFolder.ts';
import type { Network } from '../renderer-core/project/remote/publicFetch.ts';
import { type ChunkRenderer, openChunkRenderer } from '../renderer-core/render/chunkRender.ts';
import { ffmpegPackage } from '../renderer-core/setup/ffmpegPackages.ts';
import { pathStyleFrom, s3Client } from './aws.ts';
import { openBucket } from './bucket.ts';
import { refusedError } from './deploy/stateMachine.ts';
import type { Task } from './renders/execution.ts';
import { siteFolder } from './sites/siteFiles.ts';
import { assembleStep } from './steps/assembleStep.ts';
import { chunkStep } from './steps/chunkStep.ts';
import { planStep } from './steps/planStep.ts';
import { startStopwatch } from './steps/stageTimes.ts';
import type { StepContext } from './steps/stepContext.ts';
import { workerMachine } from './steps/workerMachine.ts';

/** The fields of Lambda's context that are used here. */
export type InvocationContext = {
  awsRequestId: string;
  logGroupName: string;
  logStreamName: string;
  memoryLimitInMB: string;
  getRemainingTimeInMillis(): number;
};

/** The build replaces this by a hash of the bundle. */
const codeVersion = '@code-version@';

/** Only the temporary folder is writable. Chrome's sandbox needs permissions that functions do not have. */
process.env.FRAMEWORK_CACHE ??= join(tmpdir(), 'framework-cache');
process.env.FRAMEWORK_NO_SANDBOX ??= '1';

/** Lambda kills a worker at the end of its time. The step ends this much earlier, to report the reason. */
const reportMs = 10_000;

const surroundings = { env: process.env, now: () => performance.now() };
const s3 = s3Client({ pathStyle: pathStyleFrom(process.env) });
let isCold = true;
let warm: (RendererKey & { renderer: ChunkRenderer }) | undefined;

/** Throws an error named `Framework.Refused` for errors of the project or the request, which must not be retried. */
export async function handler(task: Task, context: InvocationContext): Promise<unknown> {
  const deadline = new AbortController();
  const deadlineMs = Math.max(0, context.getRemainingTimeInMillis() - reportMs);
  const timer = setTimeout(() => deadline.abort(), deadlineMs);
  try {
    return await run(task, context, deadline.signal);
  } catch (error) {
    await closeRenderer();
    throw deadline.signal.aborted ? timeoutError(task) : toTaskError(error);
  } finally {
    clearTimeout(timer);
  }
}

async function run(task: Task, invocation: InvocationContext, signal: AbortSignal): Promise<unknown> {
  const { input } = task;
  const stopwatch = startStopwatch(Date.now, isCold);
  isCold = false;
  const store = openBucket(s3, input.bucket, signal);
  // The download waits for the network, and unpacking for the processor.
  const unpacked = unpackPrograms(task.step);
  const projectDir = await siteFolder(store, input.siteId, join(tmpdir(), 'sites'));
  stopwatch.end('site');
  await unpacked;
  const { awsRequestId: requestId, logGroupName: group, logStreamName: stream } = invocation;
  const worker = { memoryMb: Number(invocation.memoryLimitInMB), log: { group, stream, requestId } };
  const context = { store, projectDir, codeVersion, signal, worker, stopwatch };
  const step: StepContext = { ...context, now: Date.now, surroundings };
  if (task.step === 'plan') return planStep(task.input, step);
  if (task.step === 'assemble') return assembleStep(task.input, task.planKey, step);
  const open = async (network: Network) => ({
    ...(await warmRenderer({ siteId: input.siteId, network }, projectDir, worker.memoryMb, signal)),
    close: closeRenderer,
  });
  return chunkStep(task.input, task.planKey, task.index, open, step);
}

/** Unpacks what the step needs, unless it is unpacked. An error is ignored: the step unpacks again, and reports it. */
async function unpackPrograms(step: Task['step']): Promise<void> {
  await Promise.allSettled([unpackFfmpeg(), step === 'assemble' ? undefined : unpackBrowser(surroundings)]);
}

async function unpackFfmpeg(): Promise<void> {
  const libraries = await findPackage(ffmpegPackage('linux', 'x64'));
  if (libraries) await embeddedLibrary(libraries, cacheRoot(process.env));
}

type RendererKey = { siteId: string; network: Network };

async function warmRenderer(
  key: RendererKey,
  projectDir: string,
  memoryMb: number,
  signal: AbortSignal,
): Promise<ChunkRenderer> {
  const { siteId, network } = key;
  if (warm?.siteId !== siteId || warm.network !== network) await closeRenderer();
  const machine = () => workerMachine(memoryMb);
  const options = { projectDir, network, machine, ...featuresOption(process.env), ...surroundings };
  warm ??= { ...key, renderer: await openChunkRenderer(options) };
  // At the deadline, closing the browser ends the capture.
  signal.addEventListener('abort', () => void closeRenderer(), { once: true });
  return warm.renderer;
}

async function closeRenderer(): Promise<void> {
  const old = warm;
  warm = undefined;
  await old?.renderer.close();
}

function timeoutError(task: Task): Error {
  const isChunk = task.step === 'renderChunk';
  const subject = isChunk ? `Chunk ${task.index}` : `The step ${task.step}`;
  const remedy = isChunk
    ? 'Use smaller chunks with --chunk-size or --target-chunk-frames. If passing the frames before the chunk takes the time, divide the video.'
    : 'Deploy a stack with more memory (--memory), which has more processor time, or divide the video.';
  const message = `${subject} exceeds the limit of 15 minutes per worker. ${remedy}`;
  return Object.assign(new Error(message), { name: refusedError });
}

/** Errors of the browser or the machine, which a retry may not meet. All other errors are those of the project. */
const retryable = new Set([
  'browser_failed',
  'browser_not_found',
  'page_crashed',
  'ffmpeg_failed',
  'cancelled',
  'disk_full',
  'deploy_failed',
]);

function toTaskError(error: unknown): unknown {
  if (!(error instanceof UserError)) return error;
  // The name is what the execution reports.
  if (retryable.has(error.code)) return Object.assign(new Error(error.message), { name: error.code, cause: error });
  const { file, line } = error.place ?? {};
  const where = file === undefined ? '' : `${file}${line === undefined ? '' : `:${line}`}: `;
  const hint = error.hint === undefined ? '' : ` ${error.hint}`;
  return Object.assign(new Error(`${where}${error.message}.${hint}`), { name: refusedError, cause: error });
}
