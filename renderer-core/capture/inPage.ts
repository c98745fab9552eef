// The capture page: shows the composition in an iframe, so that the composition's document stays as the author wrote it,
// moves its clock, and passes frames to Node through the ring file.
import type { PageSize } from '../plan/resolution.ts';
import type { BackgroundVideo, OpenMedia, Player } from '../runtime/control.ts';
import { canDrawInBands } from './fastPaths/banding.ts';
import type { FastPathName } from './fastPaths/fastPaths.ts';
import type { WriterRequest } from './frameWriter.ts';
import { mediaOpener } from './openMedia.ts';
import { pageBackground } from './pageBackground.ts';
import {
  type CaptureReply,
  type CaptureRequest,
  type CompareReply,
  type DistinctFrame,
  type LeaveReply,
  leftItsPage,
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

/** The iframe with the composition; a new one for each composition. */
let frame: HTMLIFrameElement;
/** The parent of `frame` if the composition is painted. */
let canvas: LayoutCanvas | null = null;

const player = (): Player => {
  const found = (frame.contentWindow as unknown as Record<symbol, Player | undefined>)[Symbol.for('framework.player')];
  if (!found) throw new Error(leftItsPage);
  return found;
};

/** Whether media files have been opened: they and their decoders stay open until this page is closed. */
let hasMedia = false;

const isOn = (fastPath: FastPathName): boolean => options.fastPaths.includes(fastPath);

const open = mediaOpener({
  script: videoFileScript,
  convert: async (url) => (await fetch(`${readableMediaPath}?${new URLSearchParams({ url })}`)).json(),
});

const openMedia: OpenMedia = (url, wantsVideo) => {
  hasMedia = true;
  return open(url, wantsVideo);
};

/** Where the page is in a video with another aspect ratio. */
const { placement } = options.page ?? {};

let position = -1;

/** Moves the clock to frame `index` through every frame before it, because a frame may depend on earlier ones. */
async function advance(index: number): Promise<void> {
  if (index < position) throw new Error('the clock does not run backwards');
  while (position < index) {
    position++;
    player().seek((position * options.rate.den) / options.rate.num, position < index);
    await atFullSpeed(player().settle());
  }
}

const dot = document.createElement('div');
dot.style.cssText = 'position:fixed;left:0;top:0;width:1px;height:1px';
const nextTask = new MessageChannel();
let colors = 0;

/** A changed frame renders sooner than this without the dot, and drawing the dot would cost time. */
const dotDelayMs = 4;

/**
 * While nothing visible changes, the browser renders at the display's rate, one frame in 16 ms, and changes in the hidden
 * canvas are not visible. So a dot changes its color until `work` is done: once a frame, after that frame's rendering.
 */
async function atFullSpeed<T>(work: Promise<T>, atOnce = false): Promise<T> {
  let done = false;
  const changeDot = () => {
    if (done) return;
    if (!dot.isConnected) document.body.append(dot);
    dot.style.background = `rgb(${colors++ % 256} 0 0)`;
    requestAnimationFrame(() => nextTask.port2.postMessage(null));
  };
  nextTask.port1.onmessage = changeDot;
  let timer: ReturnType<typeof setTimeout> | undefined;
  if (atOnce) changeDot();
  else timer = setTimeout(changeDot, dotDelayMs);
  try {
    return await work;
  } finally {
    done = true;
    clearTimeout(timer);
    // Without the canvas, the dot would be visible in screenshots.
    if (!canvas) dot.remove();
  }
}

const nextRendering = () => new Promise<void>((resolve) => requestAnimationFrame(() => resolve()));

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

let context: ElementContext;
/** Number of paint events of the canvas. */
let painted = 0;
/** Whether the last frame changed nothing: then the next one usually changes nothing either. */
let still = false;

/**
 * Waits until the browser has rendered, and returns whether anything has changed since there were `before` paint events.
 * The browser sends a paint event exactly when the rendering of the canvas's content has changed. The second of two
 * animation frames comes after the rendering that the first one belongs to.
 */
function rendered(before: number): Promise<boolean> {
  const shown = new Promise<boolean>((resolve) => {
    canvas?.addEventListener('paint', () => resolve(true), { once: true });
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(painted !== before)));
  });
  return atFullSpeed(shown, still);
}

/** Size of a band: the browser already has memory for a layer of this size (fastPaths/banding.ts). */
const bandBytes = 900_000;
let inBands = false;

/** Draws the composition as last rendered. Pads odd sizes to even ones by repeating the last row and column. */
function draw(target: LayoutCanvas): VideoFrame {
  const { width, height } = options;
  const [padX, padY] = [target.width - width, target.height - height];
  if (context.getContextAttributes?.().alpha || placement) context.clearRect(0, 0, target.width, target.height);
  for (const color of placement ? barColors(placement) : []) {
    context.fillStyle = color;
    context.fillRect(0, 0, target.width, target.height);
  }
  if (padX > 0) drawClipped([width, 0, padX, target.height], padX, padY);
  if (padY > 0) drawClipped([0, height, target.width, padY], padX, padY);
  const rows = inBands ? Math.max(1, Math.floor(bandBytes / (4 * target.width))) : target.height;
  for (let top = 0; top < target.height; top += rows) drawClipped([0, top, target.width, rows], 0, 0);
  return new VideoFrame(target, { timestamp: 0 });
}

/** Draws the part of the page that is in `clip`, moved by `x` and `y`. */
function drawClipped(clip: [x: number, y: number, width: number, height: number], x: number, y: number): void {
  context.save();
  context.beginPath();
  context.rect(...clip);
  context.clip();
  context.translate(x + (placement?.x ?? 0), y + (placement?.y ?? 0));
  context.scale(1, placement?.stretch ?? 1);
  context.drawElementImage(frame, 0, 0);
  context.restore();
}

/** What is painted where the page is not, the lowest color first. A translucent page is over white in an opaque video. */
function barColors({ background }: Placement): string[] {
  if (background !== null) return [background];
  const color = pageBackground(frame.contentDocument);
  if (color === undefined) return ['#000'];
  return options.transparent ? [color] : ['#fff', color];
}

/** For screenshots, where the browser paints the bars. */
function showBars(): void {
  if (!placement) return;
  const layers = barColors(placement).map((color) => `linear-gradient(${color},${color})`);
  // The height is the size of the gradients.
  document.body.style.cssText = `height:100vh;background:${layers.reverse().join()}`;
}

let hasBackgroundVideo = false;

/** Over a background video the page is drawn without its white background. Returns whether that has changed. */
function setBackgroundVideo(isThere: boolean): boolean {
  if (isThere === hasBackgroundVideo) return false;
  hasBackgroundVideo = isThere;
  frame.style.background = isThere ? 'transparent' : '#fff';
  return true;
}

type Placement = NonNullable<PageSize['placement']>;

type FrameMessage = Extract<WriterRequest, { type: 'frame' | 'footage' | 'keep' }>;

/** Sends frames to the worker and transfers them with the message. */
function send(message: FrameMessage): Promise<void> {
  const transferred = Object.values(message).filter((value) => value instanceof VideoFrame);
  return call(message, transferred);
}

/** Slot of the frame drawn last, as long as later frames may repeat it. */
let lastSlot: number | undefined;

/** Whether the page looks as it did when the frame in `lastSlot` was drawn. Part of the fast path `repeated-frames`. */
function repeatsLast(changed: boolean): boolean {
  return isOn('repeated-frames') && !changed && lastSlot !== undefined && player().rendersOnPaint();
}

/** One call captures for at most this time, so that progress can be reported. */
const callBudgetMs = 200;

/** Draws the page and writes it to a slot. If `isSame`, the worker checks that it equals the last frame. */
function writeFrame(index: number, slot: number, isSame: boolean, sample: boolean): Promise<void>[] {
  const drawn = draw(canvas as LayoutCanvas);
  const same = isSame && lastSlot !== undefined ? { sameAs: lastSlot } : {};
  return [
    ...(sample ? [send({ type: 'keep', frame: drawn.clone(), index, footage: null, crop: null })] : []),
    send({ type: 'frame', frame: drawn, slot, ...same }),
  ];
}

/** Writes footage to a slot, with the page over it. The page is drawn only if it has changed. */
function writeFootage(
  { videoFrame, crop }: BackgroundVideo,
  index: number,
  slot: number,
  isSame: boolean,
  sample: boolean,
): Promise<void>[] {
  const over = isSame && !sample ? null : draw(canvas as LayoutCanvas);
  return [
    ...(sample && over ? [send({ type: 'keep', frame: over.clone(), index, footage: videoFrame.clone(), crop })] : []),
    send({ type: 'footage', footage: videoFrame.clone(), crop, over, slot }),
  ];
}

function describe(): string {
  return `${Object.getOwnPropertyNames(window).join()} ${document.documentElement.outerHTML}`;
}

function createStage(): void {
  const { page, transparent } = options;
  frame = document.createElement('iframe');
  // Zoom changes the number of device pixels per CSS pixel and keeps the layout.
  const size = `width:${page.width}px;height:${page.height}px${page.zoom === 1 ? '' : `;zoom:${page.zoom}`}`;
  // Transparent areas of the page are white, as in a browser window.
  const background = transparent ? 'transparent' : '#fff';
  frame.style.cssText = `${size}${positionCss(page)};border:0;display:block;visibility:visible;background:${background}`;
  if (options.canvas) {
    canvas = Object.assign(document.createElement('canvas'), options.canvas) as LayoutCanvas;
    canvas.setAttribute('layoutsubtree', '');
    canvas.style.cssText = 'display:block;visibility:hidden';
    canvas.addEventListener('paint', () => painted++);
    canvas.append(frame);
  }
  document.body.prepend(canvas ?? frame);
}

/** `zoom` also multiplies the lengths of the position. */
function positionCss({ zoom, placement }: PageSize): string {
  if (!placement) return '';
  const { x, y, stretch } = placement;
  const stretched = stretch === 1 ? '' : `;transform-origin:0 0;transform:scaleY(${stretch})`;
  return `;position:absolute;left:${x / zoom}px;top:${y / zoom}px${stretched}`;
}

const api = {
  /** Loads the composition at `path`. The composition before it must have been left. */
  async load(path: string): Promise<void> {
    createStage();
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
    frame.src = path;
    await loaded;
  },

  async ready(): Promise<ReadyReply> {
    await player().ready(openMedia);
    inBands = isOn('banding') && canDrawInBands(frame.contentWindow as Window & typeof globalThis);
    return {
      naturalDuration: player().naturalDuration(),
      paintObstacle:
        'drawElementImage' in CanvasRenderingContext2D.prototype
          ? player().paintObstacle()
          : 'this browser has no HTML-in-canvas',
      lacksWebGl: player().lacksWebGl(),
      warnings: player().warnings(),
      valueProblems: player().valueProblems(),
    };
  },

  async prepare(request: PrepareRequest): Promise<PrepareReply> {
    if (!canvas) throw new Error('this page has no canvas');
    // Over footage the page is transparent where the footage shows; padding would draw it over itself.
    const isPadded = canvas.width !== options.width || canvas.height !== options.height;
    const alpha =
      request.pixels === 'rgb' ||
      (!isPadded && !placement && isOn('background-video') && player().useBackgroundVideo());
    context = canvas.getContext('2d', { willReadFrequently: true, alpha }) as ElementContext;
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
    const writes: Promise<void>[] = [];
    const slots = [...request.slots];
    // Changes of skipped frames may have been painted before the first frame of this call.
    if (position < request.from - 1) lastSlot = undefined;
    await advance(request.from - 1);
    let next = request.from;
    for (; next < request.to && slots.length > 0 && performance.now() < until; next++) {
      const before = painted;
      await advance(next);
      const video = player().backgroundVideo();
      const movedVideo = setBackgroundVideo(video !== null);
      const changed = (await rendered(before)) || movedVideo;
      still = !changed;
      const sample = request.samples.includes(next);
      const last = frames.at(-1);
      const isSame = repeatsLast(changed);
      if (isSame && !video?.changed && !sample) {
        if (last) last.repeat++;
        else frames.push({ frame: next, repeat: 1, slot: null, passthrough: video !== null });
        continue;
      }
      const slot = slots.shift() as number;
      writes.push(
        ...(video ? writeFootage(video, next, slot, isSame, sample) : writeFrame(next, slot, isSame, sample)),
      );
      frames.push({ frame: next, repeat: 1, slot, passthrough: video !== null });
      lastSlot = slot;
    }
    await Promise.all(writes);
    return { frames, next };
  },

  /** Shows one frame and waits until the browser has rendered it, for a screenshot. */
  async show(index: number): Promise<void> {
    await advance(index);
    await atFullSpeed(player().arrived());
    showBars();
    await nextRendering();
    await nextRendering();
  },

  sounds: () => player().sounds(),

  /** Ends the composition and removes everything that it has stored in this origin. */
  async leave(): Promise<LeaveReply> {
    (canvas ?? frame).remove();
    dot.remove();
    document.body.removeAttribute('style');
    [position, painted, still, lastSlot, hasBackgroundVideo] = [-1, 0, false, undefined, false];
    const isAsBefore = !hasMedia && describe() === untouched;
    if (!isAsBefore) worker?.terminate();
    localStorage.clear();
    sessionStorage.clear();
    for (const { name } of await indexedDB.databases()) if (name) indexedDB.deleteDatabase(name);
    for (const name of await caches.keys()) await caches.delete(name);
    // biome-ignore lint/suspicious/noDocumentCookie: the cookie store API needs one asynchronous call for each cookie
    for (const cookie of document.cookie.split('; ')) document.cookie = `${cookie.split('=')[0]}=; max-age=0; path=/`;
    const folder = (await navigator.storage.getDirectory()) as FileSystemDirectoryHandle & {
      keys(): AsyncIterable<string>;
    };
    // A ring file in use is locked and stays.
    for await (const name of folder.keys()) await folder.removeEntry(name, { recursive: true }).catch(() => undefined);
    return { isAsBefore };
  },

  compare(index: number, url: string): Promise<CompareReply> {
    return call<CompareReply>({ type: 'compare', index, url });
  },
};

export type CaptureApi = typeof api;

Object.assign(window, { __capture: api });

/** The page before the first composition was loaded. */
const untouched = describe();
