// The Lambda function: one invocation, one step of a render. A browser stays open for the next chunk of the same site.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UserError } from '../errors.ts';
import type { Network } from '../project/publicFetch.ts';
import { type ChunkRenderer, openChunkRenderer } from '../render/chunkRender.ts';
import { pathStyleFrom, s3Client } from './aws.ts';
import { openBucket } from './bucket.ts';
import type { Task } from './execution.ts';
import { siteFolder } from './siteFiles.ts';
import { refusedError } from './stateMachine.ts';
import { assembleStep, chunkStep, planStep, type StepPlace } from './steps.ts';

/** What AWS passes beside the event, as far as it is read here. */
export type InvocationContext = {
  awsRequestId: string;
  logGroupName: string;
  logStreamName: string;
  memoryLimitInMB: string;
  getRemainingTimeInMillis(): number;
};

/** The build puts a hash of the bundle there. */
const codeVersion = '@code-version@';

/** Only the temporary folder can be written; Chrome's own sandbox needs rights that a function has not. */
process.env.FRAMEWORK_CACHE ??= join(tmpdir(), 'framework-cache');
process.env.FRAMEWORK_NO_SANDBOX ??= '1';

/** A worker is ended without a word when its time is over: by then it has said why. */
const lastWordsMs = 10_000;

const s3 = s3Client({ pathStyle: pathStyleFrom(process.env) });
let warm: (Shown & { renderer: ChunkRenderer }) | undefined;

/** Throws an error named `Framework.Refused` for what the project or the order is at fault for: trying again is no use. */
export async function handler(task: Task, context: InvocationContext): Promise<unknown> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), Math.max(0, context.getRemainingTimeInMillis() - lastWordsMs));
  try {
    return await run(task, context, deadline.signal);
  } catch (error) {
    await coolDown();
    throw deadline.signal.aborted ? outOfTime(task) : presented(error);
  } finally {
    clearTimeout(timer);
  }
}

async function run(task: Task, context: InvocationContext, signal: AbortSignal): Promise<unknown> {
  const { input } = task;
  const bucket = openBucket(s3, input.bucket, signal);
  const projectDir = await siteFolder(bucket, input.siteId, join(tmpdir(), 'sites'));
  const { awsRequestId: requestId, logGroupName: group, logStreamName: stream } = context;
  const worker = { memoryMb: Number(context.memoryLimitInMB), log: { group, stream, requestId } };
  const place: StepPlace = { bucket, projectDir, codeVersion, signal, worker, now: Date.now };
  if (task.step === 'plan') return planStep(task.input, place);
  if (task.step === 'assemble') return assembleStep(task.input, task.planKey, place);
  const open = (network: Network) => warmRenderer({ siteId: input.siteId, network }, projectDir, signal);
  return chunkStep(task.input, task.planKey, task.index, open, place);
}

type Shown = { siteId: string; network: Network };

async function warmRenderer(shown: Shown, projectDir: string, signal: AbortSignal): Promise<ChunkRenderer> {
  const { siteId, network } = shown;
  if (warm?.siteId !== siteId || warm.network !== network) await coolDown();
  warm ??= { ...shown, renderer: await openChunkRenderer({ projectDir, network }) };
  // Past the deadline nothing is waited for; the browser goes, and with it the capture.
  signal.addEventListener('abort', () => void coolDown(), { once: true });
  return warm.renderer;
}

async function coolDown(): Promise<void> {
  const old = warm;
  warm = undefined;
  await old?.renderer.close();
}

function outOfTime(task: Task): Error {
  const what = task.step === 'renderChunk' ? `Chunk ${task.index}` : `The step ${task.step}`;
  const message = `${what} does not fit into the 15 minutes that a worker has. Make chunks smaller with --chunk-size or --target-chunk-frames.`;
  return Object.assign(new Error(message), { name: refusedError });
}

/** Faults of browser and machine may pass on another machine, or in another execution; the rest is the project's. */
const passing = new Set([
  'browser_failed',
  'browser_not_found',
  'page_crashed',
  'ffmpeg_failed',
  'cancelled',
  'disk_full',
  'deploy_failed',
]);

function presented(error: unknown): unknown {
  if (!(error instanceof UserError) || passing.has(error.code)) return error;
  const { file, line } = error.place ?? {};
  const where = file === undefined ? '' : `${file}${line === undefined ? '' : `:${line}`}: `;
  const hint = error.hint === undefined ? '' : ` ${error.hint}`;
  return Object.assign(new Error(`${where}${error.message}.${hint}`), { name: refusedError, cause: error });
}
