// The test video that `deploy` renders on the new stack. It shows whether everything that a render needs works in the account,
// and measures how fast a worker is.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SFNClient } from '@aws-sdk/client-sfn';
import { UserError } from '../../renderer-core/errors.ts';
import { withAws } from '../awsErrors.ts';
import type { Bucket } from '../bucket.ts';
import { keys } from '../keys.ts';
import { readProgress } from '../renders/progress.ts';
import { cancelRender } from '../renders/renders.ts';
import type { Canary, CanaryCheck, Measured, RenderProgress } from '../renders/reports.ts';
import { startExecution } from '../renders/start.ts';
import { uploadSite } from '../sites/sites.ts';

export type CanaryOptions = {
  client: SFNClient;
  bucket: Bucket;
  stateMachineArn: string;
  memoryMb: number;
  /** Chunks of one render that run at the same time. */
  chunksAtOnce: number;
  /** Unix milliseconds. */
  now(): number;
  /** Time between two polls. Default 1 s. */
  pollMs?: number;
  signal: AbortSignal;
};

/** Two chunks, so that they have to be joined. A worker opens further pages only if a chunk has more than a few frames. */
const order = { config: { fps: 30, format: 'mp4' }, chunks: { targetChunkFrames: 90 } };

/** Cold starts take seconds. Waiting longer means that no worker is free, or that a step is repeated again and again. */
const maxWaitMs = 5 * 60_000;

const font = 'Inter';

/** The video has about 116,000 bytes; one whose frames show nothing has 4,000. */
const minBytes = 20_000;

const composition = `<!doctype html>
<html data-composition-variables="[]">
<body style="margin:0">
<style>
  #root { position: relative; width: 1920px; height: 1080px; background: linear-gradient(135deg, #0b1f3a, #1d6f8a) }
  h1 { position: absolute; left: 160px; top: 300px; margin: 0; color: #fff; font: 700 120px ${font} }
  #box { position: absolute; left: 160px; top: 620px; width: 240px; height: 240px; border-radius: 32px; background: #ffb84d;
    box-shadow: 0 24px 60px rgba(0, 0, 0, 0.5); animation: move 6s linear both }
  @keyframes move { to { translate: 1360px 0; rotate: 90deg } }
</style>
<div id="root" data-composition-id="canary" data-width="1920" data-height="1080" data-duration="6">
  <h1>This stack works</h1>
  <div id="box"></div>
</div>
</body>
</html>
`;

/** Stores what it measures in the bucket. Throws UserError only if it is cancelled. */
export async function runCanary(options: CanaryOptions): Promise<Canary> {
  const folder = await mkdtemp(join(tmpdir(), 'framework-canary-'));
  let renderId: string | null = null;
  let check: CanaryCheck = 'upload';
  try {
    await writeFile(join(folder, 'index.html'), composition);
    const { bucket, client, stateMachineArn, signal } = options;
    const { siteId } = await uploadSite(bucket, folder, { signal });
    check = 'workflow';
    const target = { bucket: bucket.name, siteId, stateMachineArn };
    const started = await startExecution(client, order, target);
    renderId = started.renderId;
    const progress = await ended(started.executionArn, options);
    const problem = problemOf(progress, options.memoryMb);
    if (problem) return { ok: false, ...problem, renderId };
    check = 'storage';
    const measured = measuredIn(progress, options);
    await withAws('Storing the measurements', () => bucket.putJson(keys.canary, measured));
    await withAws('Deleting the test video', () => bucket.remove(started.outputKey));
    return { ok: true, renderId, measured };
  } catch (error) {
    if (options.signal.aborted || !(error instanceof UserError)) throw error;
    return { ok: false, check, message: error.message, hint: error.hint ?? '', renderId };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function ended(executionArn: string, options: CanaryOptions): Promise<RenderProgress> {
  const { client, bucket, now, pollMs = 1000, signal } = options;
  for (const until = now() + maxWaitMs; ; ) {
    const progress = await readProgress(client, executionArn, () => bucket, now());
    if (progress.status !== 'RUNNING') return progress;
    if (now() > until) {
      await cancelRender(client, executionArn);
      const seconds = maxWaitMs / 1000;
      throw new UserError('aws_failed', `The test video was not ready after ${seconds} s, and was cancelled`, {
        hint: 'Other renders may use all workers of the account: framework serverless quotas shows their number.',
      });
    }
    await sleep(pollMs, undefined, { signal }).catch((cause) => {
      throw new UserError('cancelled', 'Stopped waiting for the test video. The stack is deployed.', { cause });
    });
  }
}

type Problem = { check: CanaryCheck; message: string; hint: string };

function problemOf(progress: RenderProgress, memoryMb: number): Problem | undefined {
  const { status, errors, fonts, warnings, outputFile } = progress;
  if (status !== 'SUCCEEDED') {
    const { state = 'execution', error = status, cause = `The render ended as ${status}`, log } = errors.at(-1) ?? {};
    const check = checkOf(error, cause);
    const place = log ? ` Its log: ${log.group} ${log.stream}` : '';
    return { check, message: `${state}: ${error}: ${cause}`, hint: `${hints(memoryMb)[check]}${place}` };
  }
  const { bytes = 0 } = outputFile ?? {};
  if (bytes < minBytes) {
    return {
      check: 'browser',
      message: `The frames show nothing: the video has ${bytes} bytes`,
      hint: hints(memoryMb).browser,
    };
  }
  if (fonts?.some(({ family, source }) => family === font && source === 'pinned')) return undefined;
  const message = warnings.find((text) => text.includes('font')) ?? `The text was not drawn with the font ${font}`;
  return { check: 'fonts', message, hint: hints(memoryMb).fonts };
}

/** `error`: a code of the renderer, or a name of AWS. */
function checkOf(error: string, cause: string): CanaryCheck {
  const text = `${error} ${cause}`;
  if (/^(?:States|Lambda|Runtime|Sandbox)\.|^TIMED_OUT|^ABORTED|throttl/i.test(error)) return 'workflow';
  if (/AccessDenied|NoSuch(?:Bucket|Key)|S3|bucket|the object /i.test(text)) return 'storage';
  if (/ffmpeg|node-av|libx264/i.test(text)) return 'ffmpeg';
  if (/font/i.test(text)) return 'fonts';
  return 'browser';
}

const hints = (memoryMb: number): Record<CanaryCheck, string> => {
  const more = Math.min(10_240, memoryMb * 2);
  const again = 'Install this version of framework again and repeat framework serverless deploy.';
  return {
    upload: 'framework serverless policies --check shows which permissions are missing.',
    workflow: 'framework serverless quotas shows how many workers the account allows.',
    browser: `Try workers with more memory: framework serverless deploy --memory ${more}.`,
    fonts: again,
    ffmpeg: again,
    storage: 'Check that no policy of your organization or of the bucket denies the role of the function access to it.',
  };
};

function measuredIn({ timings, capture }: RenderProgress, options: CanaryOptions): Measured {
  const longest = (step: string, ...stages: string[]): number =>
    (timings?.stages ?? [])
      .filter((row) => row.step === step && (stages.length === 0 || stages.includes(row.stage)))
      .reduce((sum, { longestSeconds }) => sum + longestSeconds, 0);
  return {
    measuredAt: new Date(options.now()).toISOString(),
    memoryMb: options.memoryMb,
    chunksAtOnce: options.chunksAtOnce,
    capturePath: capture?.path ?? 'paint',
    framesPerSecond: timings?.framesPerSecond ?? 0,
    coldStartSeconds: longest('chunks', 'wait', 'site', 'browser', 'page'),
    planSeconds: longest('plan'),
    assembleSeconds: longest('assemble'),
  };
}
