// Project folder in, one video file (or folder of frames) out.
import type { ValueIssue } from '../model/values.ts';
import { completePlan, type RenderPlan } from '../plan/plan.ts';
import type { Resolution } from '../plan/resolution.ts';
import type { Network } from '../project/publicFetch.ts';
import { openOutput } from './output.ts';
import { withPages } from './pages.ts';
import { prepareRender } from './prepare.ts';
import { renderPages } from './renderPages.ts';
import { checkWorkers } from './workers.ts';

/** What the caller asks for. Everything left out takes the default that `docs/render.md` lists. */
export type RenderRequest = {
  /** Project folder, absolute or relative to the working directory. */
  projectDir: string;
  /** Entry composition, relative to the project folder. Default `index.html`. */
  composition?: string;
  /** Values for the top-level composition's variables. */
  variables?: Record<string, unknown>;
  /** Turn variable issues into an error before a browser starts. */
  strictVariables?: boolean;
  /** Output file, or folder for png frames. Default `renders/<composition>.<ext>`. */
  output?: string;
  /** Frames per second: `30`, `29.97`, `30000/1001`. Default: the root's `data-fps`, else 30. */
  fps?: string;
  format?: string;
  codec?: string;
  quality?: string;
  /** 10-bit BT.2020 PQ in mp4 with h265. */
  hdr?: boolean;
  /** How large the video is. Default: as the composition. `1080p`: no larger than that; `4k`: enlarged to it, and sharp. */
  resolution?: Resolution;
  /** Pixels of the video, in the composition's own proportions: one side is enough. Not with `resolution`. */
  width?: number;
  height?: number;
  /** How many pages capture at once. Default: chosen from the machine. */
  workers?: number;
  /** Explicit browser and ffmpeg executables. */
  browserPath?: string;
  ffmpegPath?: string;
  /** Force a capture path; default: paint where it is proven equal, else screenshot. */
  capture?: 'auto' | 'paint' | 'screenshot';
  /**
   * Where the composition's page may reach. `any` (default): wherever this machine does. `public`, for projects of
   * strangers: files of public hosts, by GET, and nothing else; no WebSocket, WebRTC or other connection, no address of
   * this machine or its network, and no cache that other renders see.
   */
  network?: Network;
  signal?: AbortSignal;
  onEvent?: (event: RenderEvent) => void;
  /** Called once the length is known, before the first frame is captured. What it rejects with ends the render. */
  onPlan?: (plan: RenderPlan) => void | Promise<void>;
};

export type RenderStage = 'check' | 'launch' | 'probe' | 'capture' | 'assemble';

/** What a render tells while it runs; `--progress=ndjson` prints one of these a line. */
export type RenderEvent =
  | { type: 'stage'; stage: RenderStage; message: string }
  | { type: 'warning'; message: string; issue?: ValueIssue }
  | { type: 'frames'; done: number; total: number; framesPerSecond: number; remainingSeconds: number | null }
  | { type: 'done'; report: RenderReport };

export type RenderReport = {
  output: string;
  frames: number;
  /** `30` or `30000/1001`. */
  fps: string;
  width: number;
  height: number;
  durationSeconds: number;
  bytes: number;
  elapsedMs: number;
  /** From the call to the first captured frame. */
  firstFrameMs: number;
  /** `directFrames`: in so many frames, footage came straight from its decoder, with the page laid over it. */
  capture: { path: 'paint' | 'screenshot'; reason: string; directFrames: number };
  workers: { count: number; reason: string };
  warnings: string[];
};

/** What a render would do, without doing it. Starts a browser only when the root declares no duration. */
export async function planRender(request: RenderRequest): Promise<{ plan: RenderPlan; warnings: string[] }> {
  const prepared = await prepareRender(request);
  const warnings = [...prepared.issues.map(({ message }) => message), ...prepared.warnings];
  if (prepared.draft.duration !== null) return { plan: completePlan(prepared.draft), warnings };
  return withPages(request, prepared, async ({ plan }) => ({ plan, warnings }));
}

/** Renders. Throws UserError; on any failure or abort nothing is left behind and an earlier output stays as it was. */
export async function renderVideo(request: RenderRequest): Promise<RenderReport> {
  const started = performance.now();
  const warnings: string[] = [];
  const emit = (event: RenderEvent) => {
    if (event.type === 'warning') warnings.push(event.message);
    request.onEvent?.(event);
  };
  emit({ type: 'stage', stage: 'check', message: 'Checking the project' });
  if (request.workers !== undefined) checkWorkers(request.workers);
  const prepared = await prepareRender(request);
  for (const issue of prepared.issues) emit({ type: 'warning', message: issue.message, issue });
  for (const message of prepared.warnings) emit({ type: 'warning', message });
  const output = await openOutput(prepared.draft.output, prepared.draft.format === 'png');
  try {
    return await withPages({ ...request, onEvent: emit }, prepared, async (pages) => {
      await request.onPlan?.(pages.plan);
      return renderPages(request, pages, output, { started, warnings, emit });
    });
  } finally {
    await output.discard();
  }
}
