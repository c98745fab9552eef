// Snapshots: single frames of a render as image files, from the same pages and with the same checks and pixels.

import { copyFile, readFile, writeFile } from 'node:fs/promises';
import type { CapturePage } from '../../capture/capturePage.ts';
import { snapshotSamples } from '../../capture/samples.ts';
import { UserError } from '../../errors.ts';
import { framePath } from '../../media/encode.ts';
import { frameTime } from '../../model/frameGrid.ts';
import { given } from '../../model/variables/given.ts';
import type { LightLevels } from '../../plan/brightness.ts';
import { formatFrameRate } from '../../plan/frameRate.ts';
import { defaultOutput } from '../../plan/plan.ts';
import { choosePosterTime } from '../../plan/posterTime.ts';
import type { RenderPlan } from '../../plan/renderPlan.ts';
import type { SizeOptions } from '../../plan/resolution.ts';
import { checkSnapshotTime, frameAt, frameAtSeconds, posterName } from '../../plan/snapshotTimes.ts';
import { findOutput } from '../../project/output/outputPath.ts';
import { checkFileOutput, type OutputTarget, openFileOutput } from '../../project/output/outputTarget.ts';
import { oneWorker } from '../captureOptions.ts';
import { capture } from '../captureStage.ts';
import { emitWarnings, encode, launch } from '../pipeline.ts';
import { prepare } from '../prepare.ts';
import { openPage, withPageErrors } from '../probe/openPage.ts';
import { probe } from '../probe/probe.ts';
import { reportProgress } from '../progress.ts';
import type { Surroundings } from '../session.ts';
import type {
  CaptureResult,
  PreparedRender,
  ProbedRender,
  ProgressReporter,
  RenderPlace,
  RenderRequest,
} from '../types.ts';
import { contactSheet, drawImage, type ImageType, scaledFrame } from './frameImages.ts';
import { asHdr } from './hdrPng.ts';
import type { SnapshotPicture, SnapshotReport } from './snapshotReport.ts';

export type SnapshotRequest = Pick<
  RenderRequest,
  | 'projectDir'
  | 'composition'
  | 'variables'
  | 'variablesSource'
  | 'strictVariables'
  | 'fps'
  | keyof SizeOptions
  | 'browserPath'
  | 'ffmpegPath'
  | 'capture'
  | 'gpu'
  | 'network'
  | 'allowHosts'
  | 'systemFonts'
  | 'timezone'
  | 'locale'
  | 'features'
  | 'stdout'
  | 'signal'
  | 'onEvent'
> & {
  /** Times: `2.5` seconds, frame `12f`, `50%`, or `poster`: the poster frame. Default: the middle. */
  at?: readonly string[];
  /**
   * File, .png, .jpg or .webp; default `snapshots/<composition>.png`. With several frames, each file has its frame number
   * before the extension. PNG keeps transparent areas, as rendered frames do; in other formats they are white.
   * A device, a pipe or `-` receives one image, as PNG if the path has no extension.
   */
  output?: string;
  /** Combine all frames into one contact sheet, with their times. */
  sheet?: boolean;
  /** Maximum width or height of an image, in pixels. */
  maxSide?: number;
  /** PNG files in HDR, with 16 bits: BT.2020 with the curve PQ. White is 203 nits. */
  hdr?: boolean;
};

/** Takes snapshots. Throws UserError. On any failure or abort no image appears, and earlier ones stay as they were. */
export const takeSnapshot = (request: SnapshotRequest, surroundings: Surroundings): Promise<SnapshotReport> =>
  takeSnapshotWith(launch, request, surroundings);

/** `takeSnapshot` with another stage 2: `launchStage` may use a browser that is already open. */
export async function takeSnapshotWith(
  launchStage: typeof launch,
  request: SnapshotRequest,
  surroundings: Surroundings,
): Promise<SnapshotReport> {
  request.onEvent?.({ type: 'stage', stage: 'check', message: 'Checking the project' });
  await checkRequest(request);
  const { root, draft } = await prepareFrames(request);
  await checkFileOutput(request.output ?? defaultOutput('snapshots', draft.composition, '.png'), request);
  request.onEvent?.({ type: 'stage', stage: 'launch', message: 'Starting the browser' });
  return launchStage({ gpu: 'auto', ...request, ...surroundings, root }, (place) => snapshotIn(place, request));
}

/** Checks what can be checked without the project. Throws UserError `usage` or `output_unwritable`. */
export async function checkRequest(request: SnapshotRequest): Promise<void> {
  const { at = [], output, sheet, stdout } = request;
  for (const time of at) checkSnapshotTime(time);
  const type = await imageTypeOf(output, stdout);
  if (request.hdr) checkHdr(request, type);
  if (output === undefined || at.length < 2 || sheet || !(await isStream(output, stdout))) return;
  throw new UserError('usage', `${output} can receive only one image (got ${at.length} times)`, {
    hint: 'Use --contact-sheet, or set --output to an image file.',
  });
}

/** Other images than the frame itself, and screenshots, have 8 bits. */
function checkHdr({ sheet, maxSide, capture }: SnapshotRequest, type: ImageType): void {
  const conflicts = [
    [sheet, '--contact-sheet'],
    [maxSide !== undefined, '--max-side'],
    [capture === 'screenshot', '--capture screenshot'],
  ];
  const conflict = conflicts.find(([isSet]) => isSet)?.[1];
  if (conflict)
    throw new UserError('usage', `--hdr and ${conflict} cannot be used together`, { hint: 'Leave out one of them.' });
  if (type !== 'png')
    throw new UserError('usage', `An HDR image must be a PNG file (got ${type})`, {
      hint: 'Use an output that ends in .png, or leave out --hdr.',
    });
}

const isStream = async (output: string, stdout: SnapshotRequest['stdout']): Promise<boolean> =>
  (await findOutput(output, stdout !== undefined)).kind !== 'file';

/** The frames are rendered as PNG; the snapshot's own output is made of them. Renders have no PNG frames in HDR. */
async function prepareFrames({ hdr = false, ...request }: SnapshotRequest): Promise<PreparedRender> {
  const prepared = await prepare({ ...request, output: 'frames', format: 'png' });
  return hdr ? { ...prepared, draft: { ...prepared.draft, hdr: 'pq', bitDepth: 10 } } : prepared;
}

/** Takes snapshots in a session that may have taken others before. One at a time per site. */
export async function snapshotIn(place: RenderPlace, request: SnapshotRequest): Promise<SnapshotReport> {
  const { now } = place.session;
  const progress = reportProgress(request.onEvent, now);
  const prepared = await prepareFrames(request);
  emitWarnings(prepared, progress.emit);
  const probed = await probe({ ...request, allowsStill: true, onEvent: progress.emit }, prepared, place);
  try {
    const { plan } = probed;
    const times = (request.at ?? []).length > 0 ? request.at : ['50%'];
    const found: number[] = [];
    for (const time of times ?? [])
      found.push(time.trim() === posterName ? await posterFrame(probed) : frameAt(time, plan));
    const frames = [...new Set(found)].sort((a, b) => a - b);
    const captured = await captureFrames(probed, frames, request, progress);
    const pictures = await writeImages(probed, captured.light, frames, request);
    return {
      pictures,
      frames: plan.frames,
      fps: formatFrameRate(plan.fps),
      durationSeconds: frameTime(plan.frames, plan.fps),
      capture: { ...captured.capture, card: probed.page.launched.card },
      engine: probed.source.engine,
      fonts: captured.fonts,
      elapsedMs: Math.round(progress.now() - progress.startedAt),
      warnings: progress.warnings,
    };
  } finally {
    await probed.close();
  }
}

/**
 * Writes `frame-<number>.png` to the render's folder for each frame. The page replays the frames between them. Sample
 * frames of the render are compared, so that a snapshot has the pixels that the render would have.
 */
async function captureFrames(
  probed: ProbedRender,
  frames: readonly number[],
  request: SnapshotRequest,
  progress: ProgressReporter,
): Promise<Pick<CaptureResult, 'capture' | 'fonts' | 'light'>> {
  const chunks = frames.map((frame, index) => ({ index, start: frame, end: frame + 1 }));
  const [first = 0] = frames;
  const taken = frames.length === 1 ? `frame ${first}` : `${frames.length} frames`;
  progress.emit({ type: 'stage', stage: 'capture', message: `Taking ${taken}` });
  const captured = await capture(
    { ...probed, plan: { ...probed.plan, chunks } },
    {
      ...given({ capture: request.capture }),
      sample: (samples) => snapshotSamples(samples, frames),
      workers: oneWorker,
    },
    progress,
  );
  await encode(captured);
  return captured;
}

/** An image to write, and the frames that it shows. */
type ImageFile = { output: string; frames: readonly number[] };

/** `light`: of HDR frames. */
async function writeImages(
  probed: ProbedRender,
  light: LightLevels | undefined,
  frames: readonly number[],
  request: SnapshotRequest,
): Promise<SnapshotPicture[]> {
  const output = request.output ?? defaultOutput('snapshots', probed.plan.composition, '.png');
  const type = await imageTypeOf(output, request.stdout);
  const files: ImageFile[] = request.sheet
    ? [{ output, frames }]
    : frames.map((frame) => ({ output: frames.length === 1 ? output : numberedPath(output, frame), frames: [frame] }));
  const targets: OutputTarget[] = [];
  try {
    const sizes: { width: number; height: number }[] = [];
    for (const file of files) {
      const target = await openFileOutput(file.output, request);
      targets.push(target);
      sizes.push(await writeImage({ ...probed, light }, file.frames, type, target.temporary, request));
    }
    const pictures: SnapshotPicture[] = [];
    for (const [index, target] of targets.entries()) {
      const bytes = await target.commit();
      const shown = files[index]?.frames ?? [];
      const size = sizes[index] ?? { width: 0, height: 0 };
      const times = shown.map((frame) => ({ frame, seconds: frameTime(frame, probed.plan.fps) }));
      pictures.push({ output: target.path, bytes, ...size, frames: times });
    }
    return pictures;
  } finally {
    for (const target of targets) await target.discard();
  }
}

/** Takes the frame's own file if nothing about its pixels changes; otherwise the browser draws the image. */
async function writeImage(
  {
    plan,
    encoding: { folder },
    page: { launched, services },
    light,
  }: ProbedRender & { light: LightLevels | undefined },
  frames: readonly number[],
  type: ImageType,
  path: string,
  { sheet = false, maxSide }: SnapshotRequest,
): Promise<{ width: number; height: number }> {
  const [only = 0] = frames;
  const fits = maxSide === undefined || Math.max(plan.width, plan.height) <= maxSide;
  if (!sheet && type === 'png' && fits) {
    const frame = framePath(folder, only);
    if (light) await writeFile(path, asHdr(await readFile(frame), light));
    else await copyFile(frame, path);
    return { width: plan.width, height: plan.height };
  }
  const shown = frames.map((frame) => ({
    file: framePath(folder, frame),
    caption: captionOf(frame, plan),
    size: plan,
  }));
  const image = sheet ? contactSheet(shown, maxSide) : scaledFrame(shown[0], plan, maxSide);
  await drawImage(launched.browser, services.server, image, type, path);
  return { width: image.width, height: image.height };
}

/** `1.20 s · frame 36` */
function captionOf(frame: number, { fps }: Pick<RenderPlan, 'fps'>): string {
  return `${frameTime(frame, fps).toFixed(2)} s · frame ${frame}`;
}

const imageTypes: Readonly<Record<string, ImageType>> = { png: 'png', jpg: 'jpeg', jpeg: 'jpeg', webp: 'webp' };

/** The image type of an output's extension; PNG for a device or a pipe without one. Throws UserError `usage`. */
async function imageTypeOf(output: string | undefined, stdout: SnapshotRequest['stdout']): Promise<ImageType> {
  if (output === undefined) return 'png';
  const extension = /\.([^./\\]+)$/.exec(output)?.[1]?.toLowerCase();
  const type = extension === undefined ? undefined : imageTypes[extension];
  if (type !== undefined) return type;
  if (extension === undefined && (await isStream(output, stdout))) return 'png';
  throw new UserError('usage', `The output of a snapshot must be an image file (got ${output})`, {
    hint: 'Use a file name that ends in .png, .jpg or .webp.',
  });
}

/** `shots/intro.png` for frame 12: `shots/intro-000012.png`. */
function numberedPath(output: string, frame: number): string {
  return output.replace(/\.[^./\\]+$/, (extension) => `-${String(frame).padStart(6, '0')}${extension}`);
}

/** The number of the poster frame. Uses a page of its own, because pages only move forward. */
async function posterFrame(probed: ProbedRender): Promise<number> {
  const { plan, page: job } = probed;
  const { graph } = probed.source;
  const posterTime = graph.files.get(graph.entry)?.posterTime?.value ?? null;
  let page: CapturePage | undefined;
  const isBlank = async (seconds: number) => {
    const shown = page ?? (await openPage(job, 'plain')).page;
    page = shown;
    return withPageErrors(shown.call('isBlank', frameAtSeconds(seconds, plan)), () => job.check(shown));
  };
  try {
    return frameAtSeconds(await choosePosterTime({ posterTime, duration: plan.duration }, isBlank), plan);
  } finally {
    await page?.close();
  }
}
