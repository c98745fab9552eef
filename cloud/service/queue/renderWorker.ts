// The entry of a worker process: renders one video of one untrusted project in a folder of its own, then exits.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, rename } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UserError } from '../../../renderer-core/errors.ts';
import { findFfmpeg } from '../../../renderer-core/media/findFfmpeg.ts';
import type { Size } from '../../../renderer-core/model/declaredSizes.ts';
import { featuresOption } from '../../../renderer-core/page/features/features.ts';
import { parseFrameRate } from '../../../renderer-core/plan/frameRate.ts';
import { aspectRatioName, type Resolution } from '../../../renderer-core/plan/resolution.ts';
import { renderResumable } from '../../../renderer-core/render/pipeline.ts';
import type { RenderEvent } from '../../../renderer-core/render/renderReport.ts';
import type { RenderRequest, Resumable } from '../../../renderer-core/render/types.ts';
import { isEngineWarning } from '../../../renderer-core/setup/pinnedEngine.ts';
import { projectFolder, unpackArchive } from '../storage/archive.ts';
import { killOwnTree } from './processTree.ts';
import { downloadProject } from './projectDownload.ts';
import type { EngineJob, RenderEngine, WorkerStop } from './renderEngine.ts';
import { renderFailure, withoutPaths } from './renderFailure.ts';
import { segmentsFolder } from './renderSegments.ts';
import { createThumbnail } from './thumbnail.ts';
import { channelFd, receiveMessages, sendMessage } from './workerChannel.ts';
import { type FromWorker, type ToWorker, textLimits, type WorkerJob, type WorkerResult } from './workerMessages.ts';

const stop = new AbortController();
let allowRender: () => void = () => undefined;
const renderAllowed = new Promise<void>((resolve) => {
  allowRender = resolve;
});

const service = new Socket({ fd: channelFd, readable: true, writable: true });

const send = (message: FromWorker): void => sendMessage(service, message);

/** Time for an aborted render to close its browser and ffmpeg. */
const stopTimeoutMs = 5_000;

// The service was killed. Another instance, or the next start, continues what runs on the serverless stack.
service.on('close', () => end('detach'));
service.on('error', () => undefined);
receiveMessages(service, (message) => receive(message as ToWorker), { onError: () => end('detach') });
// Ctrl-C in a terminal also reaches the service, which stops its workers itself.
process.on('SIGINT', () => undefined);

function receive(message: ToWorker): void {
  if (message.type === 'start') void work(message.job);
  else if (message.type === 'continue') allowRender();
  else end(message.reason);
}

function end(reason: WorkerStop): void {
  stop.abort(reason);
  setTimeout(() => void killAll(), stopTimeoutMs).unref();
}

/** Also ends a browser that hangs, which cannot notice that this process has ended. */
async function killAll(): Promise<void> {
  try {
    await killOwnTree(tmpdir());
  } finally {
    process.exit(1);
  }
}

async function work(job: WorkerJob): Promise<void> {
  const last = await render(job).then(
    (result): FromWorker => ({ type: 'done', result }),
    (error): FromWorker => failedMessage(error, job),
  );
  if (service.destroyed) return process.exit(1);
  sendMessage(service, last, () => process.exit(0));
}

function failedMessage(error: unknown, job: WorkerJob): FromWorker {
  const { code, message } = renderFailure(error, hiddenPaths(job));
  const detail = String((error as Error)?.stack ?? error).slice(0, textLimits.detail);
  return {
    type: 'failed',
    failure: { code, message: message.replaceAll('\0', '').slice(0, textLimits.message) },
    detail,
  };
}

/** The folder of the unpacked project. Messages to the user must not contain it. */
let projectRoot = '';

async function render(job: WorkerJob): Promise<WorkerResult> {
  const { folder, format, network, secureOnly } = job;
  const { signal } = stop;
  const archive = join(folder, 'project.zip');
  if (job.projectUrl !== null) await downloadProject(job.projectUrl, archive, { network, secureOnly, signal });
  const unpacked = join(folder, 'project');
  await mkdir(unpacked, { mode: 0o700 });
  await unpackArchive(archive, unpacked, signal);
  projectRoot = await projectFolder(unpacked, job.composition);
  const request = requestOf(job, projectRoot);
  const engine = await engineFor(job, archive);
  const result = await engine({
    request,
    signal,
    async onPlan({ seconds, frames, ...size }) {
      send({ type: 'planned', seconds, frames, resolution: resolutionOf(size, job.format) });
      await renderAllowed;
      signal.throwIfAborted();
    },
    onProgress: (value, frames) => send({ type: 'progress', value, frames: frames ?? null }),
  });
  const { seconds, frames, bytes } = result;
  const thumbnail = await thumbnailOf(job, { file: request.output, format, seconds, frames }, signal);
  // Three decimals, as in 29.97 and 23.976.
  const facts = {
    fps: Math.round(result.fps * 1000) / 1000,
    aspectRatio: aspectRatioName(result),
    resolution: resolutionOf(result, format),
  };
  return {
    video: `video.${format}`,
    thumbnail,
    seconds,
    bytes,
    ...facts,
    engine: result.engine,
    warnings: publicWarnings(result.warnings, job),
  };
}

/** The resolution that a video is charged as. Throws UserError `usage` if there is none. */
function resolutionOf({ width, height }: Size, format: string): Resolution {
  const short = Math.min(width, height);
  if (short <= 1080) return '1080p';
  if (short <= 2160 && format === 'mp4') return '4k';
  const limit = format === 'mp4' ? 2160 : 1080;
  throw new UserError(
    'usage',
    `${width}x${height} is too large: the shorter side of ${format} may have ${limit} pixels`,
  );
}

/** Each warning once, on one line, without paths of this machine. */
function publicWarnings(warnings: readonly string[], job: WorkerJob): string[] {
  const cleaned = warnings.map((text) => withoutPaths(text, hiddenPaths(job)).replaceAll(/\p{Cc}+/gu, ' '));
  return [...new Set(cleaned)].slice(0, textLimits.warnings).map((text) => text.slice(0, textLimits.warning));
}

const hiddenPaths = ({ folder }: WorkerJob): string[] => [`${projectRoot}/`, projectRoot, `${folder}/`];

/** The AWS libraries take long to load, so they are only imported when a stack renders. */
async function engineFor({ folder, stack }: WorkerJob, archive: string): Promise<RenderEngine> {
  if (stack === null) return renderLocally({ folder: segmentsFolder(folder), key: await segmentsKey(archive) });
  const { renderOnStack } = await import('./stackEngine.ts');
  return renderOnStack(stack, { env: process.env, now: Date.now });
}

/** Identifies the project and this program: both must be the same for segments to be used again. */
async function segmentsKey(archive: string): Promise<string> {
  const hash = createHash('sha256');
  const program = dirname(fileURLToPath(import.meta.url));
  const scripts = (await readdir(program, { recursive: true })).filter((name) => /\.m?js$/.test(name)).sort();
  for (const file of [archive, ...scripts.map((name) => join(program, name))])
    for await (const part of createReadStream(file)) hash.update(part as Buffer);
  return hash.digest('hex');
}

const renderLocally =
  (segments: Resumable['segments']): RenderEngine =>
  async ({ request, signal, onPlan, onProgress }) => {
    const resumable: RenderRequest & Resumable = {
      ...request,
      segments,
      ...featuresOption(process.env),
      signal,
      onEvent: (event) => reportProgress(event, onProgress),
      onPlan: ({ frames, fps, width, height }) =>
        onPlan({ seconds: (frames * fps.den) / fps.num, frames, width, height }),
    };
    const report = await renderResumable(resumable, { env: process.env, now: () => performance.now() });
    const { frames, bytes, width, height, engine, durationSeconds: seconds } = report;
    // It is for the operator: `framework doctor --service` reports the engine.
    const warnings = report.warnings.filter((text) => !isEngineWarning(text));
    const { num, den } = parseFrameRate(report.fps);
    return { seconds, frames, bytes, fps: num / den, width, height, engine, warnings };
  };

function reportProgress(event: RenderEvent, onProgress: EngineJob['onProgress']): void {
  if (event.type === 'frames') onProgress(event.fraction, event.done);
  else if (event.type === 'assemble') onProgress(event.fraction);
  else if (event.type === 'stage' && event.stage === 'capture') onProgress(0, 0);
  else if (event.type === 'stage' && event.stage !== 'assemble') onProgress(0);
}

function requestOf(job: WorkerJob, projectDir: string): EngineJob['request'] {
  const { fps, network, allowHosts, browserPath, ffmpegPath, pages } = job;
  return {
    projectDir,
    composition: job.composition,
    variables: job.variables,
    strictVariables: job.strictVariables,
    output: join(job.folder, `video.${job.format}`),
    ...(fps === null ? {} : { fps: String(fps) }),
    quality: job.quality,
    format: job.format,
    ...(job.size.width === undefined && job.size.height === undefined
      ? { resolution: job.resolution as Resolution }
      : {}),
    ...job.size,
    ...(job.aspectRatio === null ? {} : { aspectRatio: job.aspectRatio }),
    network,
    allowHosts,
    // The same pixels on every worker.
    gpu: 'off',
    ...(pages === null ? {} : { workers: pages }),
    ...(browserPath === null ? {} : { browserPath }),
    ...(ffmpegPath === null ? {} : { ffmpegPath }),
  };
}

type Video = Parameters<typeof createThumbnail>[1];

/** Returns null if it cannot be created: a video without a thumbnail is still a valid result. */
async function thumbnailOf(job: WorkerJob, video: Video, signal: AbortSignal): Promise<string | null> {
  // An ffmpeg that was killed does not start the whole render again.
  for (let attempt = 1; attempt <= 2; attempt++) {
    try {
      return await storeThumbnail(job, video, signal);
    } catch (error) {
      signal.throwIfAborted();
      process.stderr.write(`no thumbnail in attempt ${attempt}: ${String(error)}\n`);
    }
  }
  return null;
}

async function storeThumbnail({ folder, ffmpegPath }: WorkerJob, video: Video, signal: AbortSignal): Promise<string> {
  const given = ffmpegPath === null ? {} : { path: ffmpegPath };
  const ffmpeg = await findFfmpeg({ env: process.env, signal, ...given });
  const unfinished = join(folder, 'thumbnail.part');
  await createThumbnail(ffmpeg, video, unfinished, signal);
  await rename(unfinished, join(folder, 'thumbnail.jpg'));
  return 'thumbnail.jpg';
}
