// A render in independent pieces: plan once, render chunks on any machines in any order, assemble once.

import { basename, join } from 'node:path';
import { graphicsCard } from '../capture/graphics.ts';
import type { LaunchedBrowser } from '../capture/launch.ts';
import { UserError } from '../errors.ts';
import { indexFirst, type VideoBytes } from '../media/indexFirst.ts';
import type { StreamedJoin } from '../media/join.ts';
import { given } from '../model/variables/given.ts';
import type { Sound } from '../page/runtime/page.ts';
import { type ChunkOptions, chunkCount, splitFrames } from '../plan/chunks.ts';
import type { ShownFont } from '../plan/fonts/shownFonts.ts';
import { assertDistributable } from '../plan/formats.ts';
import type { RenderPlan } from '../plan/renderPlan.ts';
import { moveFile } from '../project/output/moveFile.ts';
import type { Engine } from '../reports/engine.ts';
import { engineText, isSameEngine } from '../setup/pinnedEngine.ts';
import { oneWorker, workersOf } from './captureOptions.ts';
import { capture, decideCapture } from './captureStage.ts';
import type { Machine } from './chunks/workers.ts';
import { emitWarnings, encode, launch, mux } from './pipeline.ts';
import { openProject, prepare } from './prepare.ts';
import { probe } from './probe/probe.ts';
import { reportProgress } from './progress.ts';
import { deferred } from './promises.ts';
import type { RenderEvent } from './renderReport.ts';
import type { SessionOptions, Surroundings } from './session.ts';
import type { CaptureDecision, PreparedRender, RenderPlace, RenderRequest } from './types.ts';

/** What is decided once for all chunks of a video. Plain JSON. */
export type PlannedRender = { plan: RenderPlan; capture: CaptureDecision; engine: Engine };

/**
 * Plans a render whose chunks run on several machines, with the chunks that the contract defines, and compares its sample
 * frames. `options`: a function returns the number of chunks. Throws UserError.
 */
export async function planChunks(
  request: RenderRequest,
  surroundings: Surroundings,
  options: ChunkOptions | ((frames: number) => number) = {},
): Promise<PlannedRender & { warnings: string[] }> {
  assertDistributable(request);
  const prepared = await prepare(request);
  assertDistributable(prepared.draft);
  const progress = reportProgress(request.onEvent, surroundings.now);
  emitWarnings(prepared, progress.emit);
  return launch({ ...request, ...surroundings, root: prepared.root }, async (place) => {
    const probed = await probe({ ...request, onEvent: progress.emit }, prepared, place);
    try {
      const capture = await decideCapture(probed, request, progress);
      const { frames } = probed.plan;
      const count = typeof options === 'function' ? options(frames) : chunkCount(frames, options);
      const plan = { ...probed.plan, chunks: splitFrames(frames, count) };
      return { plan, capture, engine: probed.source.engine, warnings: progress.warnings };
    } finally {
      await probed.close();
    }
  });
}

/** Where a piece of a render runs. `projectDir` must hold the same files for every piece. */
export type PieceOptions = Pick<
  RenderRequest,
  'projectDir' | 'browserPath' | 'ffmpegPath' | 'features' | 'network' | 'allowHosts' | 'signal' | 'onEvent'
> &
  Surroundings;

/** A media element's sound. Its URL is relative to the project if the file is in it. */
export type ChunkSound = Sound;

export type RenderedChunk = {
  index: number;
  /** Path of the segment file. */
  path: string;
  frames: number;
  /** The number of pages that captured it. */
  pages: number;
  /** The sounds of the whole video; null except for the last chunk. */
  sounds: ChunkSound[] | null;
  /** The fonts of the text in its frames and those before; null with the fonts of the machine. */
  fonts: ShownFont[] | null;
  /** About its frames, such as characters that no font has. The plan has those about the page. */
  warnings: string[];
};

/** Stands for the project server's origin, which differs on every machine. */
const projectOrigin = 'project:';

export type ChunkRendererOptions = PieceOptions & {
  /** What several pages of a chunk may use. Without it, one page captures. The file is the same. */
  machine?: () => Machine;
};

/** Renders chunks of one project with a browser that stays open between them. */
export type ChunkRenderer = {
  /** Renders one chunk to a segment in `folder`. One at a time. Throws UserError. */
  render(
    planned: PlannedRender,
    index: number,
    folder: string,
    onEvent?: (event: RenderEvent) => void,
  ): Promise<RenderedChunk>;
  close(): Promise<void>;
};

/** Aborting `signal` closes the renderer. Throws UserError if browser or ffmpeg are missing. */
export async function openChunkRenderer(options: ChunkRendererOptions): Promise<ChunkRenderer> {
  const opened = deferred<RenderPlace>();
  const closed = deferred<void>();
  const session = launch(sessionOptions(options), async (place) => {
    opened.resolve(place);
    await closed.promise;
  }).catch(opened.reject);
  const place = await opened.promise;
  return {
    render: (planned, index, folder, onEvent) =>
      renderIn(place, planned, index, folder, { ...options, ...(onEvent ? { onEvent } : {}) }),
    async close() {
      closed.resolve();
      await session;
    },
  };
}

/** Renders one chunk to a segment in `folder`. Throws UserError. */
export async function renderChunk(
  planned: PlannedRender,
  index: number,
  folder: string,
  options: ChunkRendererOptions,
): Promise<RenderedChunk> {
  const renderer = await openChunkRenderer(options);
  try {
    return await renderer.render(planned, index, folder);
  } finally {
    await renderer.close();
  }
}

async function renderIn(
  place: RenderPlace,
  { plan, capture: decided, engine }: PlannedRender,
  index: number,
  folder: string,
  options: ChunkRendererOptions,
): Promise<RenderedChunk> {
  const chunk = plan.chunks[index];
  if (!chunk) throw new RangeError(`the plan has ${plan.chunks.length} chunks, no chunk ${index}`);
  const prepared = await preparePlanned(plan, options);
  const probed = await probe({ ...options, capture: decided.path }, prepared, place);
  try {
    const { launched, services } = probed.page;
    requireEngine(probed.source.engine, engine);
    await refuseGraphicsCard(launched);
    const progress = reportProgress(options.onEvent, options.now);
    const onlyChunk = { ...probed, plan: { ...plan, chunks: [chunk] } };
    const workers = options.machine ? workersOf(options.machine) : oneWorker;
    const captured = await capture(onlyChunk, { decided, workers }, progress);
    const [segment = ''] = await encode(captured);
    const path = join(folder, basename(segment));
    await moveFile(segment, path);
    const isLast = chunk.end === plan.frames;
    const sounds = captured.sounds.map((sound) => moveSound(sound, services.server.origin, projectOrigin));
    return {
      index,
      path,
      frames: chunk.end - chunk.start,
      pages: captured.workers.count,
      sounds: isLast ? sounds : null,
      fonts: captured.fonts,
      warnings: progress.warnings,
    };
  } finally {
    await probed.close();
  }
}

/** The plan is complete, so neither options nor values are read again. */
async function preparePlanned(plan: RenderPlan, { projectDir }: PieceOptions): Promise<PreparedRender> {
  const { entry: _entry, size: _size, ...project } = await openProject({ projectDir, composition: plan.composition });
  return { ...project, draft: plan, valueProblems: [], warnings: [] };
}

/** Chunks of one video have one engine. */
function requireEngine(own: Engine, planned: Engine): void {
  if (isSameEngine(own, planned)) return;
  throw new UserError(
    'render_failed',
    `This machine has ${engineText(own)}, but the video was planned with ${engineText(planned)}`,
    { hint: 'Use the same versions on all machines, or start the render again.' },
  );
}

/** Graphics cards differ in some pixels, and the chunks of one video are drawn on many machines. */
async function refuseGraphicsCard({ browser }: LaunchedBrowser): Promise<void> {
  const card = await graphicsCard(browser);
  if (card === null) return;
  throw new UserError('browser_failed', `The browser draws with a graphics card (${card})`, {
    hint: 'Chunks must be drawn in software, so that all machines draw the same. Remove browser flags that enable the graphics card.',
  });
}

/**
 * Joins segments, in order, and mixes sounds, to the file `output`, from which the video can be sent before it is complete:
 * what is behind `finalFrom(plan.frames)` does not change when more is added. Throws UserError.
 */
export async function assemble(
  plan: RenderPlan,
  segments: string[],
  sounds: readonly ChunkSound[],
  output: string,
  options: PieceOptions & { streamed: StreamedJoin },
): Promise<{ video: VideoBytes; warnings: string[] }> {
  const warnings: string[] = [];
  await launch({ ...sessionOptions(options), hasBrowser: false }, async ({ session, site: { server, remote } }) => {
    const { ffmpeg, signal, workspace } = session;
    const job = { plan, server, remote, ffmpeg, signal, folder: workspace.folder };
    const local = sounds.map((sound) => moveSound(sound, projectOrigin, server.origin));
    const target = { temporary: output, isStream: false, streamed: options.streamed };
    const emit = (event: RenderEvent) => {
      if (event.type === 'warning') warnings.push(event.message);
    };
    await mux(job, segments, local, target, { now: () => 0, emit });
  });
  return { video: await indexFirst(output, plan.format), warnings };
}

function moveSound(sound: Sound, from: string, to: string): Sound {
  return sound.url.startsWith(`${from}/`) ? { ...sound, url: `${to}${sound.url.slice(from.length)}` } : sound;
}

function sessionOptions({ projectDir: root, env, now, ...options }: PieceOptions): SessionOptions {
  const { browserPath, ffmpegPath, features, network, allowHosts, signal, onEvent } = options;
  return { root, env, now, ...given({ browserPath, ffmpegPath, features, network, allowHosts, signal, onEvent }) };
}
