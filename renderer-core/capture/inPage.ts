// The capture page: holds the composition in an iframe, so that the composition's own document stays as the author wrote
// it, moves its clock, and hands pictures of it out through the ring file.
import type { Crop, OpenMedia, Player } from '../runtime/control.ts';
import type { WriterRequest } from './frameWriter.ts';
import { mediaOpener } from './openMedia.ts';
import {
  type CaptureReply,
  type CaptureRequest,
  type CompareReply,
  type LeaveReply,
  leftItsPage,
  type Picture,
  type PrepareReply,
  type PrepareRequest,
  type ReadyReply,
  readableMediaPath,
  type StageOptions,
  videoFileScript,
} from './protocol.ts';

/** Chrome's HTML-in-canvas API, not in TypeScript's DOM types yet. */
type LayoutCanvas = HTMLCanvasElement & { requestPaint(): void };
type ElementContext = CanvasRenderingContext2D & { drawElementImage(element: Element, x: number, y: number): void };

const options = JSON.parse(document.documentElement.dataset.options ?? '{}') as StageOptions;

/** What shows the composition; each one gets its own. */
let frame: HTMLIFrameElement;
/** The parent of `frame`, where the composition is painted. */
let canvas: LayoutCanvas | null = null;

const player = (): Player => {
  const found = (frame.contentWindow as unknown as Record<symbol, Player | undefined>)[Symbol.for('framework.player')];
  if (!found) throw new Error(leftItsPage);
  return found;
};

/** Files and decoders are open in this page, and stay so as long as it does. */
let hasMedia = false;

/** The renderer converts what the browser cannot read, and knows what is wrong with it. */
const open = mediaOpener({
  script: videoFileScript,
  ask: async (url) => (await fetch(`${readableMediaPath}?${new URLSearchParams({ url })}`)).json(),
});

const openMedia: OpenMedia = (url, pictures) => {
  hasMedia = true;
  return open(url, pictures);
};

let position = -1;

/** Moves the clock to frame `index`, passing through every frame between: a frame may depend on the ones before it. */
async function advance(index: number): Promise<void> {
  if (index < position) throw new Error('the clock does not run backwards');
  while (position < index) {
    position++;
    player().seek((position * options.rate.den) / options.rate.num, position < index);
    await atFullPace(player().settle());
  }
}

const dot = document.createElement('div');
dot.style.cssText = 'position:fixed;left:0;top:0;width:1px;height:1px';
const nextTask = new MessageChannel();
let beats = 0;

/** What changes comes sooner than this by itself, and drawing the dot for it would cost time. */
const patienceMs = 4;

/**
 * The browser holds frames back to the display's pace, 16 ms, while nothing visible changes, and the hidden canvas is
 * not visible. So a dot changes its colour until `work` is done, once a frame and after that frame's rendering.
 */
async function atFullPace<T>(work: Promise<T>, atOnce = false): Promise<T> {
  let done = false;
  const beat = () => {
    if (done) return;
    if (!dot.isConnected) document.body.append(dot);
    dot.style.background = `rgb(${beats++ % 256} 0 0)`;
    requestAnimationFrame(() => nextTask.port2.postMessage(null));
  };
  nextTask.port1.onmessage = beat;
  let timer: ReturnType<typeof setTimeout> | undefined;
  if (atOnce) beat();
  else timer = setTimeout(beat, patienceMs);
  try {
    return await work;
  } finally {
    done = true;
    clearTimeout(timer);
    // Without the canvas around the composition everything is in the picture.
    if (!canvas) dot.remove();
  }
}

const nextRendering = () => new Promise<void>((resolve) => requestAnimationFrame(() => resolve()));

// --- the worker -----------------------------------------------------------------------------------------------------

let worker: Worker | undefined;
let calls = 0;
const waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>();

function call<T>(message: WriterRequest, transfer: Transferable[] = []): Promise<T> {
  worker ??= startWorker();
  const id = calls++;
  const reply = new Promise<T>((resolve, reject) => waiting.set(id, { resolve, reject }));
  worker.postMessage({ ...message, call: id }, transfer);
  return reply;
}

function startWorker(): Worker {
  const started = new Worker('/__framework/frameWriter.js');
  started.onmessage = ({ data }: MessageEvent<{ call: number; result?: never; error?: string }>) => {
    const entry = waiting.get(data.call);
    waiting.delete(data.call);
    if (data.error === undefined) entry?.resolve(data.result as never);
    else entry?.reject(new Error(data.error));
  };
  return started;
}

// --- pictures -------------------------------------------------------------------------------------------------------

let context: ElementContext;
/** Paint events of the canvas. */
let painted = 0;
/** The last frame changed nothing: nor will the next one, more often than not. */
let still = false;

/**
 * Waits for the browser to bring its picture up to date, and tells whether that changed anything since there had been
 * `before` paint events. The browser sends one exactly when the rendering of the canvas's content has changed; the second
 * of two animation frames comes after the rendering that the first belongs to.
 */
function rendered(before: number): Promise<boolean> {
  const shown = new Promise<boolean>((resolve) => {
    canvas?.addEventListener('paint', () => resolve(true), { once: true });
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(painted !== before)));
  });
  return atFullPace(shown, still);
}

/**
 * The browser draws an element into a layer of its own first. One of this size is memory that it has had before; a larger
 * one is fresh memory from the system for each frame, which takes as long as drawing most pages.
 */
const bandBytes = 900_000;
let inBands = false;

/** Draws the composition as it was last rendered. Odd sizes are padded to even ones by repeating the last row and column. */
function draw(target: LayoutCanvas): VideoFrame {
  const padX = target.width - options.width;
  const padY = target.height - options.height;
  if (context.getContextAttributes?.().alpha) context.clearRect(0, 0, target.width, target.height);
  if (padX + padY > 0) context.drawElementImage(frame, padX, padY);
  const rows = inBands ? Math.max(1, Math.floor(bandBytes / (4 * target.width))) : target.height;
  for (let top = 0; top < target.height; top += rows) {
    context.save();
    context.beginPath();
    context.rect(0, top, target.width, rows);
    context.clip();
    context.drawElementImage(frame, 0, 0);
    context.restore();
  }
  return new VideoFrame(target, { timestamp: 0 });
}

let hasGround = false;

/** With footage under it the page is laid over that, without its white. Tells whether that has changed. */
function setGround(isThere: boolean): boolean {
  if (isThere === hasGround) return false;
  hasGround = isThere;
  frame.style.background = isThere ? 'transparent' : '#fff';
  return true;
}

/** Frames go to the worker with the message. */
function send(message: Extract<WriterRequest, { type: 'picture' | 'footage' | 'keep' }>): Promise<void> {
  const frames = Object.values(message).filter((value) => value instanceof VideoFrame);
  return call(message, frames);
}

function keep(index: number, drawn: VideoFrame, picture: VideoFrame | null = null, crop: Crop | null = null) {
  return send({ type: 'keep', frame: drawn, index, picture, crop });
}

/** The slot of the picture drawn last, as long as it may stand for later frames. */
let lastSlot: number | undefined;

/** How long one call may take before it hands over what it has: progress is shown from there. */
const callBudgetMs = 200;

function describe(): string {
  return `${Object.getOwnPropertyNames(window).join()} ${document.documentElement.outerHTML}`;
}

function createStage(): void {
  const { page, transparent } = options;
  frame = document.createElement('iframe');
  // A zoomed frame is laid out in its own pixels, with as many of the device's for each.
  const size = `width:${page.width}px;height:${page.height}px${page.zoom === 1 ? '' : `;zoom:${page.zoom}`}`;
  // As in a browser window, white shows where the page leaves its background open.
  const background = transparent ? 'transparent' : '#fff';
  frame.style.cssText = `${size};border:0;display:block;visibility:visible;background:${background}`;
  if (options.canvas) {
    canvas = Object.assign(document.createElement('canvas'), options.canvas) as LayoutCanvas;
    canvas.setAttribute('layoutsubtree', '');
    canvas.style.cssText = 'display:block;visibility:hidden';
    canvas.addEventListener('paint', () => painted++);
    canvas.append(frame);
  }
  document.body.prepend(canvas ?? frame);
}

const api = {
  /** Shows the composition at `path`; once at a time: the one before it has been left. */
  async load(path: string): Promise<void> {
    createStage();
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
    frame.src = path;
    await loaded;
  },

  async ready(): Promise<ReadyReply> {
    await player().ready(openMedia);
    inBands = player().mayBeDrawnInParts();
    return {
      naturalDuration: player().naturalDuration(),
      paintObstacle:
        'drawElementImage' in CanvasRenderingContext2D.prototype
          ? player().paintObstacle()
          : 'this browser has no HTML-in-canvas',
      lacksWebGl: player().lacksWebGl(),
      warnings: player().warnings(),
    };
  },

  async prepare(request: PrepareRequest): Promise<PrepareReply> {
    if (!canvas) throw new Error('this page has no canvas');
    // What is laid over footage leaves open where that shows; padded, it would show through itself.
    const isPadded = canvas.width !== options.width || canvas.height !== options.height;
    const alpha = request.pixels === 'rgb' || (!isPadded && player().useGround());
    context = canvas.getContext('2d', { willReadFrequently: true, alpha }) as ElementContext;
    return call<PrepareReply>({ type: 'prepare', request, wasmUrl: '/__framework/convert.wasm' });
  },

  /**
   * Fills the given slots with the next distinct pictures. Returns when they are full, `to` is reached or time is up.
   * A first picture without a slot repeats the last one of the call before.
   */
  async capture(request: CaptureRequest): Promise<CaptureReply> {
    if (!canvas) throw new Error('this page has no canvas');
    const until = performance.now() + callBudgetMs;
    const pictures: Picture[] = [];
    const writes: Promise<void>[] = [];
    const slots = [...request.slots];
    // What the frames that are skipped have changed may have been painted before anybody looks.
    if (position < request.from - 1) lastSlot = undefined;
    await advance(request.from - 1);
    let next = request.from;
    for (; next < request.to && slots.length > 0 && performance.now() < until; next++) {
      const before = painted;
      await advance(next);
      const ground = player().ground();
      const movedGround = setGround(ground !== null);
      const changed = (await rendered(before)) || movedGround;
      still = !changed;
      const sample = request.samples.includes(next);
      const last = pictures.at(-1);
      const isSame = !changed && lastSlot !== undefined && player().rendersOnPaint();
      if (isSame && !ground?.changed && !sample) {
        if (last) last.repeat++;
        else pictures.push({ frame: next, repeat: 1, slot: null, direct: ground !== null });
        continue;
      }
      const slot = slots.shift() as number;
      if (ground) {
        // What lies over the footage is drawn when it has changed.
        const over = isSame && !sample ? null : draw(canvas);
        const { picture, crop } = ground;
        if (sample && over) writes.push(keep(next, over.clone(), picture.clone(), crop));
        writes.push(send({ type: 'footage', picture: picture.clone(), crop, over, slot }));
      } else {
        const picture = draw(canvas);
        if (sample) writes.push(keep(next, picture.clone()));
        // A sample that was taken to be unchanged shows whether it really was.
        writes.push(
          send({
            type: 'picture',
            frame: picture,
            slot,
            ...(isSame && lastSlot !== undefined ? { sameAs: lastSlot } : {}),
          }),
        );
      }
      pictures.push({ frame: next, repeat: 1, slot, direct: ground !== null });
      lastSlot = slot;
    }
    await Promise.all(writes);
    return { pictures, next };
  },

  /** Shows one frame and waits until the browser has put it on its surface: for the screenshot path. */
  async show(index: number): Promise<void> {
    await advance(index);
    await atFullPace(player().arrived());
    await nextRendering();
    await nextRendering();
  },

  sounds: () => player().sounds(),

  /** Ends the composition, and takes away everything that it has stored in this origin. */
  async leave(): Promise<LeaveReply> {
    (canvas ?? frame).remove();
    dot.remove();
    [position, painted, still, lastSlot, hasGround] = [-1, 0, false, undefined, false];
    const isAsBefore = !hasMedia && describe() === untouched;
    if (!isAsBefore) worker?.terminate();
    localStorage.clear();
    sessionStorage.clear();
    for (const { name } of await indexedDB.databases()) if (name) indexedDB.deleteDatabase(name);
    for (const name of await caches.keys()) await caches.delete(name);
    // biome-ignore lint/suspicious/noDocumentCookie: the other way of removing one waits for an answer each
    for (const cookie of document.cookie.split('; ')) document.cookie = `${cookie.split('=')[0]}=; max-age=0; path=/`;
    const folder = (await navigator.storage.getDirectory()) as FileSystemDirectoryHandle & {
      keys(): AsyncIterable<string>;
    };
    // A ring that is in use is locked, and stays.
    for await (const name of folder.keys()) await folder.removeEntry(name, { recursive: true }).catch(() => undefined);
    return { isAsBefore };
  },

  compare(index: number, url: string): Promise<CompareReply> {
    return call<CompareReply>({ type: 'compare', index, url });
  },
};

export type CaptureApi = typeof api;

Object.assign(window, { __capture: api });

/** What the page was before the first composition came. */
const untouched = describe();
