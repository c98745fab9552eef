// A worker process: renders one video of one stranger's project in a folder of its own, then ends.
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { findFfmpeg } from '../media/findFfmpeg.ts';
import { aspectRatioName, checkAspectRatio, type Resolution } from '../plan/resolution.ts';
import type { Network } from '../project/publicFetch.ts';
import { openProject } from '../render/prepare.ts';
import { projectFolder, unpackArchive } from './archive.ts';
import { renderHere } from './localEngine.ts';
import { downloadProject } from './projectDownload.ts';
import { type EngineOrder, PassingFault, type RenderEngine, type WorkerStop } from './renderEngine.ts';
import { renderFailure, withoutPaths } from './renderFailure.ts';
import { makeThumbnail } from './thumbnail.ts';
import type { FromWorker, ToWorker, WorkerJob, WorkerResult } from './workerMessages.ts';

const stop = new AbortController();
let goOn: () => void = () => undefined;
const go = new Promise<void>((resolve) => {
  goOn = resolve;
});

const tell = (message: FromWorker): void => void process.send?.(message);

/** How long an aborted render may take to put things away. */
const stopMs = 5_000;

// Without the service there is nobody to render for. The next one takes up what goes on elsewhere.
process.on('disconnect', () => end('goes on'));
process.on('message', (message: ToWorker) => {
  if (message.type === 'start') void work(message.job);
  else if (message.type === 'go') goOn();
  else end(message.reason);
});
// A terminal's Ctrl-C goes to the service, which tells.
process.on('SIGINT', () => undefined);

function end(reason: WorkerStop): void {
  stop.abort(reason);
  setTimeout(() => killGroup(), stopMs).unref();
}

/** This process leads a group of its own, with the programs that it has started. */
function killGroup(): void {
  try {
    process.kill(-process.pid, 'SIGKILL');
  } finally {
    process.exit(1);
  }
}

async function work(job: WorkerJob): Promise<void> {
  const last = await render(job).then(
    (result): FromWorker => ({ type: 'done', result }),
    (error): FromWorker => ({
      type: 'failed',
      failure: renderFailure(error, hiddenPaths(job)),
      detail: String((error as Error)?.stack ?? error),
      mayPass: error instanceof PassingFault,
    }),
  );
  if (!process.connected) return process.exit(1);
  process.send?.(last, undefined, undefined, () => process.exit(0));
}

/** Where the project has been unpacked: no message names it. */
let projectRoot = '';

async function render(job: WorkerJob): Promise<WorkerResult> {
  const { folder, format } = job;
  const { signal } = stop;
  const network: Network = job.allowPrivate ? 'any' : 'public';
  const archive = join(folder, 'project.zip');
  if (job.projectUrl !== null) await downloadProject(job.projectUrl, archive, { network, signal });
  const unpacked = join(folder, 'project');
  await mkdir(unpacked, { mode: 0o700 });
  await unpackArchive(archive, unpacked, signal);
  projectRoot = await projectFolder(unpacked, job.composition);
  const request = requestOf(job, projectRoot, network);
  if (job.aspectRatio !== null) {
    const { entry } = await openProject(request);
    const [width, height] = [entry.width?.value, entry.height?.value];
    if (width && height) checkAspectRatio({ width, height }, job.aspectRatio, job.composition);
  }
  const engine = await engineFor(job);
  const result = await engine({
    request,
    signal,
    async onPlan(seconds) {
      tell({ type: 'planned', seconds });
      await go;
      signal.throwIfAborted();
    },
    onProgress: (value) => tell({ type: 'progress', value }),
  });
  const { seconds, frames, bytes } = result;
  const thumbnail = await thumbnailOf(job, { file: request.output, format, seconds, frames }, signal);
  // In the decimals that people know rates by, such as 29.97.
  const facts = { fps: Math.round(result.fps * 1000) / 1000, aspectRatio: aspectRatioName(result) };
  return {
    video: `video.${format}`,
    thumbnail,
    seconds,
    bytes,
    ...facts,
    warnings: toldWarnings(result.warnings, job),
  };
}

const mostWarnings = 50;
const longestWarning = 1_000;

/** Each once, in one line that names no folder of this machine. */
function toldWarnings(warnings: readonly string[], job: WorkerJob): string[] {
  const told = warnings.map((text) => withoutPaths(text, hiddenPaths(job)).replaceAll(/\p{Cc}+/gu, ' '));
  return [...new Set(told)].slice(0, mostWarnings).map((text) => text.slice(0, longestWarning));
}

const hiddenPaths = ({ folder }: WorkerJob): string[] => [`${projectRoot}/`, projectRoot, `${folder}/`];

/** The libraries of AWS take long to load: only who needs them waits. */
async function engineFor({ stack }: WorkerJob): Promise<RenderEngine> {
  return stack === null ? renderHere : (await import('./stackEngine.ts')).renderOnStack(stack);
}

function requestOf(job: WorkerJob, projectDir: string, network: Network): EngineOrder['request'] {
  const { fps, browserPath, ffmpegPath, pages } = job;
  return {
    projectDir,
    composition: job.composition,
    variables: job.variables,
    strictVariables: job.strictVariables,
    output: join(job.folder, `video.${job.format}`),
    ...(fps === null ? {} : { fps: String(fps) }),
    quality: job.quality,
    format: job.format,
    resolution: job.resolution as Resolution,
    network,
    ...(pages === null ? {} : { workers: pages }),
    ...(browserPath === null ? {} : { browserPath }),
    ...(ffmpegPath === null ? {} : { ffmpegPath }),
  };
}

type Video = Parameters<typeof makeThumbnail>[1];

/** A video without a picture of it is still a video. */
async function thumbnailOf({ folder, ffmpegPath }: WorkerJob, video: Video, signal: AbortSignal) {
  try {
    const { path: ffmpeg } = await findFfmpeg({ signal, ...(ffmpegPath === null ? {} : { path: ffmpegPath }) });
    const unfinished = join(folder, 'thumbnail.part');
    await makeThumbnail(ffmpeg, video, unfinished, signal);
    await rename(unfinished, join(folder, 'thumbnail.jpg'));
    return 'thumbnail.jpg';
  } catch (error) {
    signal.throwIfAborted();
    process.stderr.write(`no thumbnail: ${String(error)}\n`);
    return null;
  }
}
