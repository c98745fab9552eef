// A render in independent pieces: plan once, render chunks on any machines in any order, assemble once.
import { copyFile, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { LaunchedBrowser } from '../capture/launch.ts';
import { chooseSamples } from '../capture/samples.ts';
import { UserError } from '../errors.ts';
import { type Chunk, type ChunkOptions, chunkCount, splitFrames } from '../plan/chunks.ts';
import { assertDistributable } from '../plan/formats.ts';
import { formatFrameRate } from '../plan/frameRate.ts';
import type { RenderPlan } from '../plan/renderPlan.ts';
import type { Sound } from '../runtime/page.ts';
import { openOutput } from './output.ts';
import { capture, encode, launch, mux, oneWorker, planRender, reportProgress } from './pipeline.ts';
import { pickDefined, prepare } from './prepare.ts';
import { probe } from './probe.ts';
import { deferred } from './promises.ts';
import type { RenderEvent } from './renderReport.ts';
import type { SessionOptions } from './session.ts';
import type { CaptureResult, PreparedRender, RenderPlace, RenderRequest } from './types.ts';

/** Plans a render whose chunks run on several machines, with the chunks that the contract defines. Throws UserError. */
export async function planChunks(
  request: RenderRequest,
  options: ChunkOptions = {},
): Promise<{ plan: RenderPlan; warnings: string[] }> {
  assertDistributable(request);
  // Chunks do not know whether checking is strict, and scripts may set values.
  const { plan, warnings } = await planRender(request, request.strictVariables);
  assertDistributable(plan);
  return { plan: { ...plan, chunks: splitFrames(plan.frames, chunkCount(plan.frames, options)) }, warnings };
}

/** Where a piece of a render runs. `projectDir` must hold the same files for every piece. */
export type PieceOptions = Pick<
  RenderRequest,
  'projectDir' | 'browserPath' | 'ffmpegPath' | 'capture' | 'fastPaths' | 'network' | 'signal' | 'onEvent'
>;

/** A media element's sound. Its URL is relative to the project if the file is in it. */
export type ChunkSound = Sound;

export type RenderedChunk = {
  index: number;
  /** Path of the segment file. */
  path: string;
  frames: number;
  /** The sounds of the whole video; null except for the last chunk. */
  sounds: ChunkSound[] | null;
  capture: CaptureResult['capture'];
};

/** Stands for the project server's origin, which differs on every machine. */
const projectOrigin = 'project:';

/** Renders chunks of one project with a browser that stays open between them. */
export type ChunkRenderer = {
  /** Renders one chunk of a plan to a segment in `folder`. One at a time. Throws UserError. */
  render(
    plan: RenderPlan,
    index: number,
    folder: string,
    onEvent?: (event: RenderEvent) => void,
  ): Promise<RenderedChunk>;
  close(): Promise<void>;
};

/** Aborting `signal` closes the renderer. Throws UserError if browser or ffmpeg are missing. */
export async function openChunkRenderer(options: PieceOptions): Promise<ChunkRenderer> {
  const opened = deferred<RenderPlace>();
  const closed = deferred<void>();
  const session = launch(sessionOptions(options), async (place) => {
    opened.resolve(place);
    await closed.promise;
  });
  session.catch(opened.reject);
  const place = await opened.promise;
  return {
    render: (plan, index, folder, onEvent) =>
      renderIn(place, plan, index, folder, { ...options, ...(onEvent ? { onEvent } : {}) }),
    async close() {
      closed.resolve();
      await session.catch(() => undefined);
    },
  };
}

/** Renders one chunk of a plan to a segment in `folder`. Throws UserError. */
export async function renderChunk(
  plan: RenderPlan,
  index: number,
  folder: string,
  options: PieceOptions,
): Promise<RenderedChunk> {
  const renderer = await openChunkRenderer(options);
  try {
    return await renderer.render(plan, index, folder);
  } finally {
    await renderer.close();
  }
}

async function renderIn(
  place: RenderPlace,
  plan: RenderPlan,
  index: number,
  folder: string,
  options: PieceOptions,
  now: () => number = () => performance.now(),
): Promise<RenderedChunk> {
  const chunk = plan.chunks[index];
  if (!chunk) throw new RangeError(`the plan has ${plan.chunks.length} chunks, no chunk ${index}`);
  const prepared = withSizeOf(plan, await prepare(requestOf(plan, options)));
  const probed = await probe(options, prepared, place);
  try {
    await refuseGraphicsCard(probed.launched);
    const captured = await capture(
      { ...probed, plan: { ...plan, chunks: [chunk] } },
      { ...pickDefined(options, ['capture']), workers: oneWorker, sample: () => chunkSamples(chunk) },
      reportProgress(options.onEvent, now),
    );
    const [segment = ''] = await encode(captured);
    const path = join(folder, basename(segment));
    await moveFile(segment, path);
    const isLast = chunk.end === plan.frames;
    const sounds = captured.sounds.map((sound) => moveSound(sound, probed.server.origin, projectOrigin));
    return { index, path, frames: chunk.end - chunk.start, sounds: isLast ? sounds : null, capture: captured.capture };
  } finally {
    await probed.close();
  }
}

/** Applies the plan's size, which may differ from the one that the composition declares. */
function withSizeOf({ width, height, page }: RenderPlan, prepared: PreparedRender): PreparedRender {
  return { ...prepared, draft: { ...prepared.draft, width, height, page } };
}

/** Graphics cards differ in some pixels, and the chunks of one video are drawn on many machines. */
async function refuseGraphicsCard({ browser }: LaunchedBrowser): Promise<void> {
  const session = await browser.target().createCDPSession();
  try {
    const { gpu } = await session.send('SystemInfo.getInfo');
    const composited = String(
      (gpu.featureStatus as Record<string, unknown> | undefined)?.gpu_compositing ?? 'disabled',
    );
    if (composited.startsWith('disabled') || composited.startsWith('unavailable')) return;
    throw new UserError('browser_failed', `The browser draws with a graphics card (gpu_compositing: ${composited})`, {
      hint: 'Chunks must be drawn in software, so that all machines draw the same. Remove browser flags that enable the graphics card.',
    });
  } finally {
    await session.detach().catch(() => undefined);
  }
}

/** Renames a file, or copies it to another disk. */
async function moveFile(from: string, to: string): Promise<void> {
  await rename(from, to).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EXDEV') throw error;
    await copyFile(from, to);
    await rm(from);
  });
}

/** Every chunk has samples, because each is captured by a page of its own. */
const chunkSamples = ({ start, end }: Chunk): number[] => chooseSamples(end - start, 2).map((frame) => start + frame);

/** Joins segments, in order, and mixes sounds to the file `output`. Throws UserError; on failure there is no output. */
export async function assemble(
  plan: RenderPlan,
  segments: string[],
  sounds: readonly ChunkSound[],
  output: string,
  options: PieceOptions,
): Promise<{ bytes: number; warnings: string[] }> {
  const target = await openOutput(output, plan.format, options);
  const warnings: string[] = [];
  try {
    return await launch(sessionOptions(options), async ({ session, site: { server, remote } }) => {
      const { ffmpeg, signal, workspace } = session;
      const job = { plan, server, remote, ffmpeg, signal, folder: workspace.folder };
      const local = sounds.map((sound) => moveSound(sound, projectOrigin, server.origin));
      await mux(job, segments, local, target, (event) => {
        if (event.type === 'warning') warnings.push(event.message);
      });
      return { bytes: await target.commit(), warnings };
    });
  } finally {
    await target.discard();
  }
}

function moveSound(sound: Sound, from: string, to: string): Sound {
  return sound.url.startsWith(`${from}/`) ? { ...sound, url: `${to}${sound.url.slice(from.length)}` } : sound;
}

/** The request that the plan was made from, to prepare the same page again. */
function requestOf(plan: RenderPlan, options: PieceOptions): RenderRequest {
  const { composition, variables, fps, format, codec, quality } = plan;
  return {
    ...options,
    composition,
    variables,
    fps: formatFrameRate(fps),
    format,
    ...(codec === null ? {} : { codec }),
    quality,
  };
}

function sessionOptions({ projectDir, ...options }: PieceOptions): SessionOptions {
  return { root: projectDir, ...pickDefined(options, ['browserPath', 'ffmpegPath', 'fastPaths', 'network', 'signal']) };
}
