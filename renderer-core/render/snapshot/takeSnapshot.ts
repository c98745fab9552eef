// Single frames of a render as pictures: the same pages, checks and pixels, and nothing painted but what is asked for.
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chooseSamples } from '../capture/samples.ts';
import { formatFrameRate, frameTime } from '../plan/frameRate.ts';
import type { RenderPlan } from '../plan/plan.ts';
import { frameAt, readTime } from '../plan/snapshotTimes.ts';
import { type OutputTarget, openOutput } from './output.ts';
import { openPages, type PagePlace, type Pages } from './pages.ts';
import { drawPicture, framePicture, type PictureType, sheetPicture } from './pictureFiles.ts';
import { prepareRender } from './prepare.ts';
import { captureFrames } from './renderPages.ts';
import type { RenderEvent, RenderRequest } from './renderVideo.ts';
import { withSession } from './session.ts';
import { framesPath, pictureTypeOf } from './snapshotFiles.ts';

export type SnapshotRequest = Pick<
  RenderRequest,
  | 'projectDir'
  | 'composition'
  | 'variables'
  | 'strictVariables'
  | 'fps'
  | 'resolution'
  | 'width'
  | 'height'
  | 'browserPath'
  | 'ffmpegPath'
  | 'capture'
  | 'signal'
  | 'onEvent'
> & {
  /** Times: `2.5` seconds, frame `12f`, `50%`. Default: the middle. */
  at?: readonly string[];
  /**
   * File, .png, .jpg or .webp; default `snapshots/<composition>.png`. Of several pictures each has the number of its frame
   * before the extension. PNG keeps what the page leaves open, as frames do that are rendered; elsewhere white is behind it.
   */
  output?: string;
  /** All frames in one picture, with their times below. */
  sheet?: boolean;
  /** Pictures are made smaller where one side is longer, in pixels. */
  maxSide?: number;
};

/** A picture that was written: `frames` has one frame, or all of them for a sheet. `output` is absolute. */
export type SnapshotPicture = {
  output: string;
  bytes: number;
  width: number;
  height: number;
  frames: { frame: number; seconds: number }[];
};

export type SnapshotReport = {
  pictures: SnapshotPicture[];
  /** Of the whole video. */
  frames: number;
  fps: string;
  durationSeconds: number;
  capture: { path: 'paint' | 'screenshot'; reason: string };
  elapsedMs: number;
  warnings: string[];
};

/** Takes snapshots. Throws UserError; on any failure or abort no picture appears, and earlier ones stay as they were. */
export async function takeSnapshot(request: SnapshotRequest): Promise<SnapshotReport> {
  request.onEvent?.({ type: 'stage', stage: 'check', message: 'Checking the project' });
  checkRequest(request);
  const { root } = await prepareRender({ ...request, output: 'frames', format: 'png' });
  request.onEvent?.({ type: 'stage', stage: 'launch', message: 'Starting the browser' });
  return withSession({ ...request, root }, async (session) => {
    const place = { session, site: await session.openSite(), browsers: session.openBrowsers(false) };
    return snapshotIn(place, request);
  });
}

/** What can be said of a request without looking at the project. Throws UserError `usage`. */
export function checkRequest({ at = [], output }: SnapshotRequest): void {
  for (const time of at) readTime(time);
  pictureTypeOf(output);
}

/** Takes snapshots with a browser that may have taken others before. One at a time at a site. */
export async function snapshotIn(place: PagePlace, request: SnapshotRequest): Promise<SnapshotReport> {
  const started = performance.now();
  const warnings: string[] = [];
  const emit = (event: RenderEvent) => {
    if (event.type === 'warning') warnings.push(event.message);
    request.onEvent?.(event);
  };
  const prepared = await prepareRender({ ...request, output: 'frames', format: 'png' });
  for (const issue of prepared.issues) emit({ type: 'warning', message: issue.message, issue });
  for (const message of prepared.warnings) emit({ type: 'warning', message });
  const pages = await openPages({ ...request, onEvent: emit }, prepared, place);
  try {
    const { plan } = pages;
    const times = (request.at ?? []).length > 0 ? request.at : ['50%'];
    const frames = [...new Set(times?.map((time) => frameAt(time, plan)))].sort((a, b) => a - b);
    const capture = await captureSingle(pages, frames, request, emit);
    const pictures = await writePictures(pages, frames, request);
    return {
      pictures,
      frames: plan.frames,
      fps: formatFrameRate(plan.fps),
      durationSeconds: frameTime(plan.frames, plan.fps),
      capture,
      elapsedMs: Math.round(performance.now() - started),
      warnings,
    };
  } finally {
    await pages.close();
  }
}

/** More are not compared with the browser's own screenshots: each costs as much as taking it. */
const mostSamples = 3;

/** Leaves `frame-<number>.png` in the folder of the pages for each frame. A page replays what lies between them. */
async function captureSingle(
  pages: Pages,
  frames: readonly number[],
  { capture }: SnapshotRequest,
  emit: (event: RenderEvent) => void,
): Promise<SnapshotReport['capture']> {
  const chunks = frames.map((frame, index) => ({ index, start: frame, end: frame + 1 }));
  const what = frames.length === 1 ? `frame ${frames[0]}` : `${frames.length} frames`;
  emit({ type: 'stage', stage: 'capture', message: `Taking ${what}` });
  const sample = () => chooseSamples(frames.length, mostSamples).map((index) => frames[index] ?? 0);
  const job = { ...pages, plan: { ...pages.plan, chunks } };
  const captured = await captureFrames(job, { ...(capture ? { capture } : {}), workers: 1, sample }, emit);
  await captured.encoded;
  return captured.capture;
}

/** A picture to be made, and of which frames it is. */
type Drawing = { output: string; frames: readonly number[] };

async function writePictures(
  pages: Pages,
  frames: readonly number[],
  request: SnapshotRequest,
): Promise<SnapshotPicture[]> {
  const output = request.output ?? defaultOutput(pages.plan.composition);
  const type = pictureTypeOf(output);
  const drawings: Drawing[] = request.sheet
    ? [{ output, frames }]
    : frames.map((frame) => ({ output: frames.length === 1 ? output : framesPath(output, frame), frames: [frame] }));
  const targets: OutputTarget[] = [];
  try {
    const sizes: { width: number; height: number }[] = [];
    for (const drawing of drawings) {
      const target = await openOutput(drawing.output, false);
      targets.push(target);
      sizes.push(await write(pages, drawing.frames, type, target.temporary, request));
    }
    const pictures: SnapshotPicture[] = [];
    for (const [index, target] of targets.entries()) {
      const bytes = await target.commit();
      const shown = drawings[index]?.frames ?? [];
      const size = sizes[index] ?? { width: 0, height: 0 };
      const times = shown.map((frame) => ({ frame, seconds: frameTime(frame, pages.plan.fps) }));
      pictures.push({ output: target.path, bytes, ...size, frames: times });
    }
    return pictures;
  } finally {
    for (const target of targets) await target.discard();
  }
}

const framePath = (folder: string, frame: number): string =>
  join(folder, `frame-${String(frame).padStart(6, '0')}.png`);

/** The frame's own file where nothing is to be changed about it; else a picture that the browser draws. */
async function write(
  pages: Pages,
  frames: readonly number[],
  type: PictureType,
  to: string,
  { sheet = false, maxSide }: SnapshotRequest,
): Promise<{ width: number; height: number }> {
  const { plan, folder, launched, server } = pages;
  const [only = 0] = frames;
  const fits = maxSide === undefined || Math.max(plan.width, plan.height) <= maxSide;
  if (!sheet && type === 'png' && fits) {
    await copyFile(framePath(folder, only), to);
    return { width: plan.width, height: plan.height };
  }
  const shown = frames.map((frame) => ({ file: framePath(folder, frame), caption: captionOf(frame, plan) }));
  const picture = sheet ? sheetPicture(shown, plan, maxSide) : framePicture(shown[0], plan, maxSide);
  await drawPicture(launched.browser, server, picture, type, to);
  return { width: picture.width, height: picture.height };
}

/** `1.20 s · frame 36` */
function captionOf(frame: number, { fps }: Pick<RenderPlan, 'fps'>): string {
  return `${frameTime(frame, fps).toFixed(2)} s · frame ${frame}`;
}

function defaultOutput(composition: string): string {
  const name = composition.replace(/^.*\//, '').replace(/\.html?$/i, '') || 'composition';
  return `snapshots/${name}.png`;
}
