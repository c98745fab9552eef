// Worker of the capture page: converts each picture and writes it into the ring file that Node reads.
// The ring is a file of the origin's private file system: the renderer process writes it directly, so a 1080p
// picture crosses the process border in under a millisecond, where a WebSocket or the debugging pipe takes tens.
import type { Crop } from '../runtime/control.ts';
import type { CompareReply, PictureFormat, PrepareReply, PrepareRequest } from './protocol.ts';

type Pixels = {
  toI420(from: number, to: number, width: number, height: number, blueFirst: boolean): void;
  unpremultiply(at: number, bytes: number): void;
  onGrey(at: number, bytes: number, multiplied: boolean): void;
  isPlain(at: number, bytes: number): number;
  isEmpty(at: number, bytes: number): number;
  layOverPixels(over: number, to: number, bytes: number): void;
  layOver(over: number, to: number, width: number, height: number, blueFirst: boolean): void;
  equal(a: number, b: number, bytes: number): number;
  squaredError(a: number, b: number, stride: number, width: number, height: number): number;
  worstTileError(a: number, b: number, stride: number, width: number, height: number): number;
};

/** Of the worker-only part of the File System API, which TypeScript keeps in another library than the DOM's. */
type SyncAccessHandle = {
  read(data: ArrayBufferView, options: { at: number }): number;
  write(data: ArrayBufferView, options: { at: number }): number;
  truncate(size: number): void;
  flush(): void;
};

export type WriterRequest =
  | { type: 'prepare'; request: PrepareRequest; wasmUrl: string }
  | {
      type: 'picture';
      frame: VideoFrame;
      slot: number;
      /** Slot of a picture that this one must equal. */
      sameAs?: number;
    }
  /** Footage, and what is to be laid over it; null for the same as before. */
  | { type: 'footage'; picture: VideoFrame; crop: Crop; over: VideoFrame | null; slot: number }
  /** With `picture`, what `frame` lies over. */
  | { type: 'keep'; frame: VideoFrame; index: number; picture: VideoFrame | null; crop: Crop | null }
  | { type: 'compare'; index: number; url: string };

const page = 65_536;

let request: PrepareRequest;
let file: SyncAccessHandle;
let memory: WebAssembly.Memory;
let pixels: Pixels;
let pictureBytes = 0;
/** What lies over the footage, in the third picture of the memory; null when nothing does. */
let over: { blueFirst: boolean } | null = null;
let stage: OffscreenCanvas | undefined;
const kept = new Map<number, Uint8Array>();

const prepared = (): PrepareReply => ({
  format: request.pixels === 'yuv' ? 'i420' : 'rgba',
  pictureBytes,
  codedWidth: request.width,
  codedHeight: request.height,
});

const tries = 50;
const pauseMs = 20;

/**
 * Makes the ring file and locks it. A composition that leaves another tab at this moment has all files of the origin
 * removed that are not locked yet: then the file is gone again, or in somebody's hands, and is asked for once more.
 */
async function openRing(name: string): Promise<SyncAccessHandle> {
  const root = await navigator.storage.getDirectory();
  for (let left = tries - 1; ; left--) {
    try {
      const handle = (await root.getFileHandle(name, { create: true })) as unknown as {
        createSyncAccessHandle(): Promise<SyncAccessHandle>;
      };
      return await handle.createSyncAccessHandle();
    } catch (error) {
      if (left === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

const handlers = {
  async prepare({ request: given, wasmUrl }: Extract<WriterRequest, { type: 'prepare' }>): Promise<PrepareReply> {
    kept.clear();
    over = null;
    // For a composition after the first one, everything is in place.
    if (JSON.stringify(given) === JSON.stringify(request)) return prepared();
    request = given;
    const raw = request.width * request.height * 4;
    pictureBytes = request.pixels === 'yuv' ? (request.width * request.height * 3) / 2 : raw;
    // Room for two pictures of raw pixels: one to convert and what comes of it, or two to compare. Footage takes a third.
    memory = new WebAssembly.Memory({ initial: 1 + Math.ceil((2 * raw) / page) });
    const module = await WebAssembly.instantiateStreaming(fetch(wasmUrl), { env: { memory, abort() {} } });
    pixels = module.instance.exports as unknown as Pixels;
    file = await openRing(request.ringName);
    file.truncate(pictureBytes * request.slots);
    // Node finds the file by these bytes: its name on disk is the browser's own.
    file.write(new TextEncoder().encode(request.ringName), { at: 0 });
    file.flush();
    return prepared();
  },

  async picture({ frame, slot, sameAs }: Extract<WriterRequest, { type: 'picture' }>): Promise<void> {
    const raw = request.width * request.height * 4;
    const source = new Uint8Array(memory.buffer, page, raw);
    if (request.pixels === 'rgb') {
      await frame.copyTo(source, { format: 'RGBA' });
      frame.close();
      pixels.unpremultiply(page, raw);
      file.write(source, { at: slot * pictureBytes });
      return;
    }
    const blueFirst = await take(frame, page);
    pixels.toI420(page, page + raw, request.width, request.height, blueFirst);
    if (sameAs !== undefined) expectSame(sameAs, page + raw);
    file.write(new Uint8Array(memory.buffer, page + raw, pictureBytes), { at: slot * pictureBytes });
  },

  async footage({ picture, crop, over: drawn, slot }: Extract<WriterRequest, { type: 'footage' }>): Promise<void> {
    const { width, height } = request;
    const raw = width * height * 4;
    const lacking = Math.ceil((page + 3 * raw - memory.buffer.byteLength) / page);
    if (lacking > 0) memory.grow(lacking);
    const [planes, drawing] = [page + raw, page + 2 * raw];
    if (drawn) {
      const blueFirst = await take(drawn, drawing);
      over = pixels.isEmpty(drawing, raw) ? null : { blueFirst };
    }
    if (isPlanar(picture, crop)) {
      await picture.copyTo(new Uint8Array(memory.buffer, planes, pictureBytes));
      picture.close();
    } else {
      const blueFirst = await take(stagePicture(picture, crop), page);
      pixels.toI420(page, planes, width, height, blueFirst);
    }
    if (over) pixels.layOver(drawing, planes, width, height, over.blueFirst);
    file.write(new Uint8Array(memory.buffer, planes, pictureBytes), { at: slot * pictureBytes });
  },

  async keep({ frame: drawn, index, picture, crop }: Extract<WriterRequest, { type: 'keep' }>): Promise<void> {
    const raw = request.width * request.height * 4;
    const source = new Uint8Array(memory.buffer, page, raw);
    await drawn.copyTo(source, { format: 'RGBA' });
    drawn.close();
    if (picture && crop) {
      const below = stagePicture(picture, crop);
      await below.copyTo(new Uint8Array(memory.buffer, page + raw, raw), { format: 'RGBA' });
      below.close();
      pixels.layOverPixels(page, page + raw, raw);
      kept.set(index, new Uint8Array(memory.buffer, page + raw, raw).slice());
      return;
    }
    if (request.pixels === 'rgb') pixels.onGrey(page, raw, true);
    kept.set(index, source.slice());
  },

  async compare({ index, url }: Extract<WriterRequest, { type: 'compare' }>): Promise<CompareReply> {
    const own = kept.get(index);
    if (!own) throw new Error(`frame ${index} was not kept`);
    kept.delete(index);
    const { body } = await fetch(url);
    if (!body) throw new Error(`no screenshot of frame ${index}`);
    const decoder = new ImageDecoder({ data: body, type: 'image/png', colorSpaceConversion: 'none' });
    const { image } = await decoder.decode();
    const raw = request.width * request.height * 4;
    new Uint8Array(memory.buffer, page, raw).set(own);
    // A screenshot has the composition's size; the kept picture may be one pixel wider.
    await image.copyTo(new Uint8Array(memory.buffer, page + raw, raw), {
      format: 'RGBA',
      layout: [{ offset: 0, stride: request.width * 4 }],
    });
    if (request.pixels === 'rgb') pixels.onGrey(page + raw, raw, false);
    const { displayWidth, displayHeight } = image;
    image.close();
    decoder.close();
    return compareAt(page, page + raw, displayWidth, displayHeight);
  },
};

/** Copies a picture's pixels to a place in the memory and closes it; tells in which order their colours are. */
async function take(frame: VideoFrame, at: number): Promise<boolean> {
  const blueFirst = frame.format === 'BGRX' || frame.format === 'BGRA';
  if (!blueFirst && frame.format !== 'RGBX' && frame.format !== 'RGBA')
    throw new Error(`unexpected pixel format ${frame.format}`);
  await frame.copyTo(new Uint8Array(memory.buffer, at, request.width * request.height * 4));
  frame.close();
  return blueFirst;
}

/** Whether footage is already what the encoder gets: I420 of the frame's size, BT.709, limited range. */
function isPlanar({ format, visibleRect, colorSpace }: VideoFrame, crop: Crop): boolean {
  const { width, height } = request;
  const isWhole = visibleRect?.width === width && visibleRect.height === height;
  const isShownWhole = crop.x === 0 && crop.y === 0 && crop.width === width && crop.height === height;
  return (
    format === 'I420' && isWhole && isShownWhole && colorSpace.matrix === 'bt709' && colorSpace.fullRange === false
  );
}

/** Footage as it fills the frame, scaled as it is on its way into the page. */
function stagePicture(picture: VideoFrame, { x, y, width, height }: Crop): VideoFrame {
  stage ??= new OffscreenCanvas(request.width, request.height);
  const context = stage.getContext('2d', {
    alpha: false,
    willReadFrequently: true,
  }) as OffscreenCanvasRenderingContext2D;
  context.imageSmoothingQuality = 'low';
  context.drawImage(picture, x, y, width, height, 0, 0, stage.width, stage.height);
  picture.close();
  return new VideoFrame(stage, { timestamp: 0 });
}

/** Guards the reuse of pictures: a frame that the browser called unchanged must have the same pixels when it is painted. */
function expectSame(slot: number, at: number): void {
  file.read(new Uint8Array(memory.buffer, page, pictureBytes), { at: slot * pictureBytes });
  if (!pixels.equal(page, at, pictureBytes)) throw new Error('a frame changed without a paint event');
}

function compareAt(a: number, b: number, width: number, height: number): CompareReply {
  const stride = request.width * 4;
  const total = pixels.squaredError(a, b, stride, width, height);
  return {
    isPlain: pixels.isPlain(a, stride * request.height) !== 0,
    psnr: decibels(total / (width * height * 3)),
    worstTile: decibels(pixels.worstTileError(a, b, stride, width, height)),
  };
}

const decibels = (meanSquare: number): number =>
  meanSquare === 0 ? 99 : Math.min(99, 10 * Math.log10(255 ** 2 / meanSquare));

// One message at a time, in order: the wasm memory is shared by all of them.
let queue: Promise<unknown> = Promise.resolve();
addEventListener('message', (event: MessageEvent<WriterRequest & { call: number }>) => {
  const { call, type } = event.data;
  queue = queue.then(async () => {
    try {
      const result = await (handlers[type] as (message: unknown) => Promise<unknown>)(event.data);
      postMessage({ call, result });
    } catch (error) {
      postMessage({ call, error: String(error) });
    }
  });
});

export type { PictureFormat };
