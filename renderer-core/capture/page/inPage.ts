// The capture page: its interface for Node. Captures frames, and passes them to Node through the ring file.

import { given } from '../../model/variables/given.ts';
import type { Underlay } from '../../page/features/capturePart.ts';
import { mergeTraits } from '../../page/features/pageTraits.ts';
import type { Comparisons } from '../../page/features/writerPart.ts';
import { stayOnPage } from '../../page/runtime/stayOnPage.ts';
import type { LightLevels } from '../../plan/brightness.ts';
import type {
  CaptureReply,
  CaptureRequest,
  CaptureResults,
  CompareReply,
  DistinctFrame,
  LeaveReply,
  PrepareReply,
  PrepareRequest,
  ReadyReply,
} from '../protocol.ts';
import { isTranslucent } from '../protocol.ts';
import { isBlankPage } from './blankPage.ts';
import {
  beginDrawing,
  draw,
  drawForScreenshot,
  drawnFrame,
  drawnHalves,
  onPaint,
  painted,
  rendered,
  settle,
} from './drawPage.ts';
import { advance, begin, hasMedia, position, show, styles } from './frameClock.ts';
import { atFullSpeed, dot, nextRendering } from './fullSpeed.ts';
import { withContent } from './openMedia.ts';
import {
  currentUnderlay,
  features,
  hooksOf,
  pageObstacle,
  replacements,
  resultsOfFeatures,
  useUnderlay,
} from './pageFeatures.ts';
import { paintProblem } from './paintProblem.ts';
import {
  canvas,
  clearStorage,
  createStage,
  frame,
  type LayoutCanvas,
  loadComposition,
  moveFrame,
  options,
  placement,
  player,
  setUnderlay,
  showBars,
} from './stage.ts';
import { call, endWriter, keep, send } from './writerCalls.ts';

/** Whether the last frame changed nothing: then the next one usually changes nothing either. */
let still = false;

/** Slot of the frame drawn last, as long as later frames may repeat it. */
let lastSlot: number | undefined;

/** Whether the page looks as it did when the frame in `lastSlot` was drawn. */
function repeatsLast(changed: boolean): boolean {
  return options.traits.repeats && !changed && lastSlot !== undefined && player().rendersOnPaint();
}

/** One call captures for at most this time, so that progress can be reported. */
const callBudgetMs = 200;

/** Draws the page and writes it to a slot. If `isSame`, one of the results is whether it differs from the last frame. */
function writeFrame(index: number, slot: number, isSame: boolean, sample: boolean): Promise<unknown>[] {
  draw(canvas as LayoutCanvas);
  const same = isSame && lastSlot !== undefined ? { sameAs: lastSlot } : {};
  return [
    ...(sample ? [keepSample(index, drawnFrame())] : []),
    send({ type: 'frame', frame: options.deep ? drawnHalves() : drawnFrame(), slot, ...same }),
  ];
}

const keepSample = (index: number, frame: VideoFrame): Promise<unknown> =>
  keep({ frame, index, underlay: null, crop: null, comparisons: comparisons() });

/** Writes an underlay to a slot, with the page over it. The page is drawn only if it has changed. */
function writeLayers(
  { image, crop }: Underlay,
  index: number,
  slot: number,
  isSame: boolean,
  sample: boolean,
): Promise<unknown>[] {
  const isDrawn = !isSame || sample;
  if (isDrawn) draw(canvas as LayoutCanvas);
  return [
    ...(sample
      ? [keep({ frame: drawnFrame(), index, underlay: image.clone(), crop, comparisons: comparisons() })]
      : []),
    send({ type: 'layers', underlay: image.clone(), crop, over: isDrawn ? drawnFrame() : null, slot }),
  ];
}

/** What the features need to compare the frame that was painted last, by name. */
const comparisons = (): Comparisons =>
  Object.fromEntries(
    Object.entries(features).flatMap(([name, { comparison }]) => (comparison ? [[name, comparison()]] : [])),
  );

/** Draws faster, with the same pixels, until `endStyledDrawing`. */
async function beginStyledDrawing(): Promise<boolean> {
  const isStyled = styles?.setForDrawing() === true;
  if (isStyled) await rendered(painted, false);
  return isStyled;
}

/** Waits for the rendering, because it is not a change of the next frame. */
async function endStyledDrawing(): Promise<void> {
  styles?.removeForDrawing();
  await rendered(painted, false);
}

function describe(): string {
  return `${Object.getOwnPropertyNames(window).join()} ${document.documentElement.outerHTML}`;
}

/** Why this browser cannot paint; undefined in pages that are not painted. */
let tried: Promise<string | null> | undefined;

const api = {
  /** Loads the composition at `path`. The composition before it must have been left. */
  async load(path: string): Promise<void> {
    createStage(onPaint);
    // While the composition loads, which takes longer.
    if (options.canvas) tried ??= paintProblem();
    await loadComposition(path);
  },

  async ready(): Promise<ReadyReply> {
    await begin(Number.POSITIVE_INFINITY);
    return {
      naturalDuration: player().naturalDuration(),
      endless: player().endless(),
      clips: player()
        .clips()
        .filter(({ element }) => element.localName !== 'audio')
        .map(({ start, end }) => ({ start, end })),
      paintObstacle: (await tried) ?? pageObstacle(),
      captions: player().captions(),
      traits: mergeTraits(...hooksOf().map(({ traits }) => traits)),
      missing: player().missing(),
      warnings: [...player().warnings(), ...hooksOf().flatMap(({ warnings }) => warnings ?? [])],
      refusals: hooksOf().flatMap(({ refusal }) => refusal ?? []),
      valueProblems: player().valueProblems(),
    };
  },

  async prepare(request: PrepareRequest): Promise<PrepareReply> {
    if (!canvas) throw new Error('this page has no canvas');
    // The page is transparent where an underlay shows; padding would draw it over itself.
    const isPadded = canvas.width !== options.width || canvas.height !== options.height;
    const isOpaque = !isTranslucent(request.pixels);
    const hasUnderlay = useUnderlay(isOpaque && !options.deep && !isPadded && !placement);
    beginDrawing(canvas, !isOpaque || hasUnderlay);
    return call<PrepareReply>({ type: 'prepare', request, wasmUrl: '/__framework/convert.wasm' });
  },

  /**
   * Fills the given slots with the next distinct frames. Returns when they are full, `to` is reached or time is up.
   * A first frame without a slot repeats the last one of the previous call.
   */
  async capture(request: CaptureRequest): Promise<CaptureReply> {
    if (!canvas) throw new Error('this page has no canvas');
    const until = performance.now() + callBudgetMs;
    const frames: DistinctFrame[] = [];
    const writes: Promise<unknown>[] = [];
    const slots = [...request.slots];
    let obstacle: string | null = null;
    // Changes of skipped frames may have been painted before the first frame of this call.
    if (position < request.from - 1) lastSlot = undefined;
    await advance(request.from - 1);
    let next = request.from;
    for (; next < request.to && slots.length > 0 && performance.now() < until; next++) {
      const before = painted;
      if (await show(next)) lastSlot = undefined;
      const underlay = currentUnderlay();
      const hasMoved = setUnderlay(underlay !== null);
      const isStyled = styles?.set() === true;
      obstacle ??= pageObstacle();
      const sample = request.samples.includes(next);
      const replaced = await replacements(sample);
      const isReplaced = replaced.length > 0;
      // Half floats, and what is replaced, look different in screenshots.
      const isApart = sample && options.deep;
      if (!isApart) styles?.replace(replaced);
      // The browser may have rendered the page without these styles in between, which looks like a change.
      const changed = (await rendered(before, still)) || hasMoved || isStyled || isReplaced;
      still = !changed;
      if (isApart) {
        writes.push(keepSample(next, await drawForScreenshot(canvas)));
        styles?.replace(replaced);
        if (isReplaced) await rendered(painted, false);
      }
      const last = frames.at(-1);
      const isSame = repeatsLast(changed);
      const isRepeat = isSame && !underlay?.changed;
      if (!isRepeat || sample) {
        const isStyledForDrawing = await beginStyledDrawing();
        const slot = slots.shift() as number;
        writes.push(
          ...(underlay
            ? writeLayers(underlay, next, slot, isSame, sample)
            : writeFrame(next, slot, isSame, sample && !isApart)),
        );
        if (isStyledForDrawing) await endStyledDrawing();
        if (!isRepeat) {
          frames.push({ frame: next, repeat: 1, slot, passthrough: underlay !== null });
          lastSlot = slot;
          continue;
        }
      }
      // Also a sample, so that the file does not depend on which frames are compared.
      if (last) last.repeat++;
      else frames.push({ frame: next, repeat: 1, slot: null, passthrough: underlay !== null });
    }
    if ((await Promise.all(writes)).includes(true)) obstacle ??= 'a frame changed without a paint event';
    return { frames, next, obstacle };
  },

  /** Whether the frame shows no content. Pages only move forward. */
  async isBlank(index: number): Promise<boolean> {
    await show(index);
    return isBlankPage(frame.contentWindow as Window & typeof globalThis);
  },

  /** The first reason why a frame before `end` cannot be painted, or null. Passes the frames without painting them. */
  async findObstacle(end: number): Promise<string | null> {
    let obstacle: string | null = null;
    for (let index = 0; index < end && obstacle === null; index++) {
      await advance(index);
      styles?.set();
      obstacle = pageObstacle();
    }
    return obstacle;
  },

  /** Shows one frame and waits until the browser has rendered it, for a screenshot. */
  async show(index: number): Promise<void> {
    await show(index);
    await atFullSpeed(player().arrived());
    showBars();
    await nextRendering();
    await nextRendering();
  },

  /** Shows the frame that was painted last as on a screen, for a screenshot. */
  async reveal(): Promise<void> {
    styles?.remove();
    dot.remove();
    moveFrame(document.body, canvas);
    showBars();
    await nextRendering();
    await nextRendering();
  },

  /** Ends `reveal`. Later frames are painted, and found to be repeated, as if it had not been called. */
  async conceal(): Promise<void> {
    document.body.removeAttribute('style');
    if (canvas) moveFrame(canvas, null);
    await settle();
  },

  async results(): Promise<CaptureResults> {
    const { sounds, postsWithoutEnd } = player();
    return {
      sounds: await Promise.all(sounds().map(withContent)),
      ...(await resultsOfFeatures()),
      postsWithoutEnd: postsWithoutEnd(),
      ...(canvas && options.hdr ? given({ light: await call<LightLevels | undefined>({ type: 'light' }) }) : {}),
    };
  },

  /** Ends the composition and removes everything that it has stored in this origin. */
  async leave(): Promise<LeaveReply> {
    (canvas ?? frame).remove();
    dot.remove();
    document.body.removeAttribute('style');
    [still, lastSlot] = [false, undefined];
    const isAsBefore = !hasMedia && describe() === untouched;
    if (!isAsBefore) endWriter();
    await clearStorage();
    return { isAsBefore };
  },

  compare(index: number, url: string): Promise<CompareReply> {
    return call<CompareReply>({ type: 'compare', index, url });
  },
};

export type CaptureApi = typeof api;

Object.assign(window, { __capture: api });
stayOnPage(window);

/** The page before the first composition was loaded. */
const untouched = describe();
