// A render in pieces that know nothing of each other: plan once, render chunks anywhere in any order, assemble once.
import { copyFile, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { LaunchedBrowser } from '../capture/launch.ts';
import { chooseSamples } from '../capture/samples.ts';
import { UserError } from '../errors.ts';
import { holdsSound } from '../media/encodeSound.ts';
import { joinSegments } from '../media/join.ts';
import { type Chunk, type ChunkOptions, chunkCount, splitFrames } from '../plan/chunks.ts';
import { formatFrameRate } from '../plan/frameRate.ts';
import { refuseLocalOnly } from '../plan/localOnly.ts';
import type { RenderPlan } from '../plan/plan.ts';
import type { Sound } from '../runtime/page.ts';
import { deferred } from './deferred.ts';
import { openOutput } from './output.ts';
import { openPages, type PagePlace } from './pages.ts';
import { type PreparedRender, prepareRender } from './prepare.ts';
import { captureFrames } from './renderPages.ts';
import { planRender, type RenderEvent, type RenderRequest } from './renderVideo.ts';
import { type SessionOptions, withSession } from './session.ts';
import { makeSoundtrack } from './soundtrack.ts';

/** The plan of a render that others share, cut by contract ("Behaviour rules" 11). Throws UserError. */
export async function planChunks(
  request: RenderRequest,
  options: ChunkOptions = {},
): Promise<{ plan: RenderPlan; warnings: string[] }> {
  refuseLocalOnly(request);
  const { plan, warnings } = await planRender(request);
  refuseLocalOnly(plan);
  return { plan: { ...plan, chunks: splitFrames(plan.frames, chunkCount(plan.frames, options)) }, warnings };
}

/** Where a piece of a render is done. `projectDir` holds the same files for every piece. */
export type PieceOptions = Pick<
  RenderRequest,
  'projectDir' | 'browserPath' | 'ffmpegPath' | 'capture' | 'network' | 'signal' | 'onEvent'
>;

/** A media element's sound; its URL is relative to the project when the file is in it. */
export type ChunkSound = Sound;

export type RenderedChunk = {
  index: number;
  /** The file `into` a folder that was asked for. */
  path: string;
  frames: number;
  /** Of the whole video; only the chunk that ends it knows them. */
  sounds: ChunkSound[] | null;
  capture: { path: 'paint' | 'screenshot'; reason: string };
};

/** In place of the origin that the project was served from: the next machine serves it from another. */
const projectOrigin = 'project:';

/** Renders chunks of one project with a browser that stays open from one to the next. */
export type ChunkRenderer = {
  /** Renders one chunk of a plan to a segment in the folder `into`. Throws UserError. One at a time. */
  render(plan: RenderPlan, index: number, into: string, onEvent?: (event: RenderEvent) => void): Promise<RenderedChunk>;
  close(): Promise<void>;
};

/** `signal` ends it all. Throws UserError where browser or ffmpeg are missing. */
export async function openChunkRenderer(options: PieceOptions): Promise<ChunkRenderer> {
  const opened = deferred<PagePlace>();
  const closed = deferred<void>();
  const session = withSession({ ...sessionOptions(options), root: options.projectDir }, async (shared) => {
    opened.resolve({ session: shared, site: await shared.openSite(), browsers: shared.openBrowsers(false) });
    await closed.promise;
  });
  session.catch(opened.reject);
  const place = await opened.promise;
  return {
    render: (plan, index, into, onEvent) =>
      renderIn(place, plan, index, into, { ...options, ...(onEvent ? { onEvent } : {}) }),
    async close() {
      closed.resolve();
      await session.catch(() => undefined);
    },
  };
}

/** Renders one chunk of a plan to a segment in the folder `into`. Throws UserError. */
export async function renderChunk(
  plan: RenderPlan,
  index: number,
  into: string,
  options: PieceOptions,
): Promise<RenderedChunk> {
  const renderer = await openChunkRenderer(options);
  try {
    return await renderer.render(plan, index, into);
  } finally {
    await renderer.close();
  }
}

async function renderIn(
  place: PagePlace,
  plan: RenderPlan,
  index: number,
  into: string,
  options: PieceOptions,
): Promise<RenderedChunk> {
  const chunk = plan.chunks[index];
  if (!chunk) throw new RangeError(`the plan has ${plan.chunks.length} chunks, no chunk ${index}`);
  const prepared = sizedAs(plan, await prepareRender(requestOf(plan, options)));
  const pages = await openPages(options, prepared, place);
  try {
    await refuseGraphicsCard(pages.launched);
    const job = { ...pages, plan: { ...plan, chunks: [chunk] } };
    const tell = (event: RenderEvent) => options.onEvent?.(event);
    const captured = await captureFrames(job, { ...options, workers: 1, sample: () => samplesOf(chunk) }, tell);
    await captured.encoded;
    const [segment = ''] = captured.segments;
    const path = join(into, basename(segment));
    await moveFile(segment, path);
    const isLast = chunk.end === plan.frames;
    const sounds = captured.sounds.map((sound) => moveSound(sound, pages.server.origin, projectOrigin));
    return { index, path, frames: chunk.end - chunk.start, sounds: isLast ? sounds : null, capture: captured.capture };
  } finally {
    await pages.close();
  }
}

/** However large the plan makes the video. */
function sizedAs({ width, height, page }: RenderPlan, prepared: PreparedRender): PreparedRender {
  return { ...prepared, draft: { ...prepared.draft, width, height, page } };
}

/** A graphics card draws some pixels otherwise than another one, and chunks of one video are drawn on many machines. */
async function refuseGraphicsCard({ browser }: LaunchedBrowser): Promise<void> {
  const session = await browser.target().createCDPSession();
  try {
    const { gpu } = await session.send('SystemInfo.getInfo');
    const composited = String(
      (gpu.featureStatus as Record<string, unknown> | undefined)?.gpu_compositing ?? 'disabled',
    );
    if (composited.startsWith('disabled') || composited.startsWith('unavailable')) return;
    throw new UserError('browser_failed', `The browser draws with a graphics card (gpu_compositing: ${composited})`, {
      hint: 'Chunks are drawn in software, so that all machines draw the same. Take switches for a graphics card away.',
    });
  } finally {
    await session.detach().catch(() => undefined);
  }
}

/** Also to another disk. */
async function moveFile(from: string, to: string): Promise<void> {
  await rename(from, to).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EXDEV') throw error;
    await copyFile(from, to);
    await rm(from);
  });
}

/** Every chunk is looked at, because each was captured by a page of its own. */
const samplesOf = ({ start, end }: Chunk): number[] => chooseSamples(end - start, 2).map((frame) => start + frame);

/** Segments in order, and what sounds, to the file `output`. Throws UserError; a failure leaves nothing there. */
export async function assemble(
  plan: RenderPlan,
  segments: string[],
  sounds: readonly ChunkSound[],
  output: string,
  options: PieceOptions,
): Promise<{ bytes: number; warnings: string[] }> {
  const target = await openOutput(output, false);
  try {
    return await withSession({ ...sessionOptions(options), root: options.projectDir }, async (session) => {
      const { server, remote } = await session.openSite();
      const { ffmpeg, signal, workspace } = session;
      const job = { plan, server, remote, ffmpeg, signal, folder: workspace.folder };
      const heard = sounds.map((sound) => moveSound(sound, projectOrigin, server.origin));
      const { file, warnings } = await makeSoundtrack(heard, job);
      const { format } = plan;
      const sound = file === null || !holdsSound(format) ? undefined : { file, format };
      await joinSegments(ffmpeg, segments, plan, workspace.folder, target.temporary, signal, sound);
      return { bytes: await target.commit(), warnings };
    });
  } finally {
    await target.discard();
  }
}

function moveSound(sound: Sound, from: string, to: string): Sound {
  return sound.url.startsWith(`${from}/`) ? { ...sound, url: `${to}${sound.url.slice(from.length)}` } : sound;
}

/** What the plan was made from, to prepare the same pages again. */
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

function sessionOptions({ browserPath, ffmpegPath, network, signal }: PieceOptions): Omit<SessionOptions, 'root'> {
  return {
    ...(browserPath === undefined ? {} : { browserPath }),
    ...(ffmpegPath === undefined ? {} : { ffmpegPath }),
    ...(network === undefined ? {} : { network }),
    ...(signal === undefined ? {} : { signal }),
  };
}
