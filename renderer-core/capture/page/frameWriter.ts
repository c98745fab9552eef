// Worker of the capture page: converts each frame and writes it to the ring file, which Node reads.
// The ring is a file in the origin's private file system. The renderer process writes it directly, so a 1080p frame
// reaches Node in under a millisecond; a WebSocket or the debugging pipe takes tens of milliseconds.

import type { Crop } from '../../page/features/capturePart.ts';
import type { Comparisons } from '../../page/features/writerPart.ts';
import { writerParts } from '../../page/features/writerParts.ts';
import { brightest, type LightLevels, white } from '../../plan/brightness.ts';
import {
  type CompareReply,
  isDeep,
  isTranslucent,
  type PrepareReply,
  type PrepareRequest,
  pixelBytes,
} from '../protocol.ts';
import { differsNarrowly, findDifference } from '../samples.ts';
import { type ComparedPixels, type Comparison, compareFrames, type FramePair, scratchBytes } from './compareFrames.ts';
import { deepTables } from './deepTables.ts';
import { copyScreenshot } from './screenshotPixels.ts';

type Pixels = ComparedPixels & {
  toI420(from: number, to: number, width: number, height: number, blueFirst: boolean): void;
  unpremultiply(at: number, bytes: number): void;
  onGrey(at: number, bytes: number, multiplied: boolean): void;
  isPlain(at: number, bytes: number): number;
  isEmpty(at: number, bytes: number): number;
  layOverPixels(over: number, to: number, bytes: number): void;
  layOver(over: number, to: number, width: number, height: number, blueFirst: boolean): void;
  equal(a: number, b: number, bytes: number): number;
  useTables(light: number, curve: number, scene: number): void;
  toYuv420p10(from: number, to: number, width: number, height: number): void;
  toYuva444p10(from: number, to: number, pixels: number): void;
  toRgba64(from: number, to: number, pixels: number): void;
  peakLight(): number;
  meanLight(pixels: number): number;
};

/** From the worker-only part of the File System API, which TypeScript's DOM library does not contain. */
type SyncAccessHandle = {
  read(data: ArrayBufferView, options: { at: number }): number;
  write(data: ArrayBufferView, options: { at: number }): number;
  truncate(size: number): void;
  flush(): void;
};

export type WriterRequest =
  | { type: 'prepare'; request: PrepareRequest; wasmUrl: string }
  | {
      type: 'frame';
      /** Half floats if the frame is painted in them. */
      frame: VideoFrame | ArrayBuffer;
      slot: number;
      /** Slot of a frame that this one must equal. */
      sameAs?: number;
    }
  /** An underlay, and the page to draw over it; null: the same page as before. */
  | { type: 'layers'; underlay: VideoFrame; crop: Crop; over: VideoFrame | null; slot: number }
  /** Keeps a frame for `compare`. `underlay`: what is below the page. */
  | {
      type: 'keep';
      frame: VideoFrame;
      index: number;
      underlay: VideoFrame | null;
      crop: Crop | null;
      tolerance: number;
      comparisons: Comparisons;
    }
  | { type: 'compare'; index: number; url: string }
  /** Asks how bright the frames have been. */
  | { type: 'light' };

const page = 65_536;

let request: PrepareRequest;
let file: SyncAccessHandle;
let memory: WebAssembly.Memory;
let pixels: Pixels;
let frameBytes = 0;
/** The page over the underlay, in the third frame of the memory; null if it is empty. */
let over: { blueFirst: boolean } | null = null;
let scaler: OffscreenCanvas | undefined;
let light: LightLevels | undefined;
type KeptFrame = { data: Uint8Array; tolerance: number; comparisons: Comparisons };

/** Frames that have not been found equal to a screenshot. */
const kept = new Map<number, KeptFrame>();

const attempts = 50;
const retryDelayMs = 20;

/**
 * Creates the ring file and locks it. Another tab that leaves its composition at this moment removes all files of the
 * origin that are not locked: then the file is gone again, or in use, and opening it is retried.
 */
async function openRing(name: string): Promise<SyncAccessHandle> {
  const root = await navigator.storage.getDirectory();
  for (let left = attempts - 1; ; left--) {
    try {
      const handle = (await root.getFileHandle(name, { create: true })) as unknown as {
        createSyncAccessHandle(): Promise<SyncAccessHandle>;
      };
      return await handle.createSyncAccessHandle();
    } catch (error) {
      if (left === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, retryDelayMs));
    }
  }
}

const handlers = {
  async prepare({ request: given, wasmUrl }: Extract<WriterRequest, { type: 'prepare' }>): Promise<PrepareReply> {
    kept.clear();
    over = null;
    light = undefined;
    // A reused tab has everything from its first composition.
    if (JSON.stringify(given) === JSON.stringify(request)) return { frameBytes };
    request = given;
    frameBytes = request.width * request.height * pixelBytes[request.pixels];
    // Space for two frames of raw pixels: one to convert and the result, or two to compare. An underlay needs a third.
    memory = new WebAssembly.Memory({ initial: 1 + Math.ceil((2 * rawBytes()) / page) });
    const module = await WebAssembly.instantiateStreaming(fetch(wasmUrl), { env: { memory, abort() {} } });
    pixels = module.instance.exports as unknown as Pixels;
    loadTables();
    file = await openRing(request.ringName);
    file.truncate(frameBytes * request.slots);
    // Node finds the file by these bytes, because the browser chooses its name on disk.
    file.write(new TextEncoder().encode(request.ringName), { at: 0 });
    file.flush();
    return { frameBytes };
  },

  /** Returns whether the frame differs from the one that it must equal. */
  async frame({ frame, slot, sameAs }: Extract<WriterRequest, { type: 'frame' }>): Promise<boolean> {
    const isRgba = request.pixels === 'rgba';
    const [at, free] = isRgba ? [page, page + rawBytes()] : [page + rawBytes(), page];
    await convert(frame, at);
    // Before the frame is written, because it may get the slot of the frame that it must equal.
    const differs = sameAs !== undefined && !equals(sameAs, at, free);
    file.write(new Uint8Array(memory.buffer, at, frameBytes), { at: slot * frameBytes });
    return differs;
  },

  async layers({ underlay, crop, over: drawn, slot }: Extract<WriterRequest, { type: 'layers' }>): Promise<void> {
    const { width, height } = request;
    const raw = width * height * 4;
    reserve(3 * raw);
    const [planes, drawing] = [page + raw, page + 2 * raw];
    if (drawn) {
      const blueFirst = await copyPixels(drawn, drawing);
      over = pixels.isEmpty(drawing, raw) ? null : { blueFirst };
    }
    // Through RGB, so that the colors are those that the page would show, including the browser's rounding.
    const blueFirst = await copyUnderlay(underlay, crop, page);
    pixels.toI420(page, planes, width, height, blueFirst);
    if (over) pixels.layOver(drawing, planes, width, height, over.blueFirst);
    file.write(new Uint8Array(memory.buffer, planes, frameBytes), { at: slot * frameBytes });
  },

  async keep({
    frame: drawn,
    index,
    underlay,
    crop,
    tolerance,
    comparisons,
  }: Extract<WriterRequest, { type: 'keep' }>): Promise<void> {
    const raw = request.width * request.height * 4;
    const source = new Uint8Array(memory.buffer, page, raw);
    await drawn.copyTo(source, { format: 'RGBA' });
    drawn.close();
    if (underlay && crop) {
      const below = scaleUnderlay(underlay, crop);
      await below.copyTo(new Uint8Array(memory.buffer, page + raw, raw), { format: 'RGBA' });
      below.close();
      pixels.layOverPixels(page, page + raw, raw);
      kept.set(index, { data: new Uint8Array(memory.buffer, page + raw, raw).slice(), tolerance, comparisons });
      return;
    }
    if (isTranslucent(request.pixels)) pixels.onGrey(page, raw, true);
    kept.set(index, { data: source.slice(), tolerance, comparisons });
  },

  /** Undefined for SDR. */
  async light(): Promise<LightLevels | undefined> {
    return light;
  },

  async compare({ index, url }: Extract<WriterRequest, { type: 'compare' }>): Promise<CompareReply> {
    const own = kept.get(index);
    if (!own) throw new Error(`frame ${index} was not kept`);
    const { body } = await fetch(url);
    if (!body) throw new Error(`no screenshot of frame ${index}`);
    const decoder = new ImageDecoder({ data: body, type: 'image/png', colorSpaceConversion: 'none' });
    const { image } = await decoder.decode();
    const raw = request.width * request.height * 4;
    new Uint8Array(memory.buffer, page, raw).set(own.data);
    // A screenshot has the composition's size; the kept frame may be one pixel wider and higher.
    const shown = await copyScreenshot(image, new Uint8Array(memory.buffer, page + raw, raw), request.width);
    if (isTranslucent(request.pixels)) pixels.onGrey(page + raw, raw, false);
    image.close();
    decoder.close();
    const isPlain = pixels.isPlain(page, raw) !== 0;
    const found = compareIn(shown, own);
    const difference = found && findDifference(found);
    if (difference === null) kept.delete(index);
    return { isPlain, difference, isNarrow: found !== null && differsNarrowly(found) };
  },
};

/** The bytes of a frame as it comes from the page. */
const rawBytes = (): number => request.width * request.height * (isDeep(request.pixels) ? 8 : 4);

/** Puts the tables of the conversion behind everything else in the memory. */
function loadTables(): void {
  const { width, height } = request;
  const { light, curve, scene } = deepTables(request.hdr);
  let end = 2 * rawBytes() + scratchBytes(width, height);
  const places = [light, curve, scene].map((table) => {
    if (table.length === 0) return 0;
    const at = page + 4 * Math.ceil(end / 4);
    end = at - page + table.byteLength;
    reserve(end);
    new Float32Array(memory.buffer, at, table.length).set(table);
    return at;
  });
  pixels.useTables(...(places as [number, number, number]));
}

/** Converts a frame to the pixels of the ring file, at a position in the memory. What comes from the page is copied to its start. */
async function convert(frame: VideoFrame | ArrayBuffer, to: number): Promise<void> {
  const { width, height } = request;
  if (frame instanceof ArrayBuffer) {
    new Uint8Array(memory.buffer, page, rawBytes()).set(new Uint8Array(frame));
    if (request.pixels === 'yuv420p10') pixels.toYuv420p10(page, to, width, height);
    else if (request.pixels === 'rgba64') pixels.toRgba64(page, to, width * height);
    else pixels.toYuva444p10(page, to, width * height);
    if (request.hdr) light = brightest([frameLight(width * height), ...(light ? [light] : [])]);
  } else if (request.pixels === 'i420') {
    const blueFirst = await copyPixels(frame, page);
    pixels.toI420(page, to, width, height, blueFirst);
  } else {
    await frame.copyTo(new Uint8Array(memory.buffer, to, rawBytes()), { format: 'RGBA' });
    frame.close();
    pixels.unpremultiply(to, rawBytes());
  }
}

/** In hundredths, so that white is exactly 203 cd/m². */
function frameLight(count: number): LightLevels {
  const nits = (level: number) => Math.round(100 * white * level) / 100;
  return { maxCll: nits(pixels.peakLight()), maxFall: nits(pixels.meanLight(count)) };
}

/** Copies a frame's pixels to a position in the memory and closes the frame. Returns whether blue comes first. */
async function copyPixels(frame: VideoFrame, at: number): Promise<boolean> {
  const blueFirst = frame.format === 'BGRX' || frame.format === 'BGRA';
  if (!blueFirst && frame.format !== 'RGBX' && frame.format !== 'RGBA')
    throw new Error(`unexpected pixel format ${frame.format}`);
  await frame.copyTo(new Uint8Array(memory.buffer, at, request.width * request.height * 4));
  frame.close();
  return blueFirst;
}

/** Like `copyPixels`, for the part of the underlay that the frame shows. */
async function copyUnderlay(underlay: VideoFrame, crop: Crop, at: number): Promise<boolean> {
  const { width, height } = request;
  const { visibleRect } = underlay;
  const isWhole = visibleRect?.width === width && visibleRect.height === height;
  const isUncropped = crop.x === 0 && crop.y === 0 && crop.width === width && crop.height === height;
  if (!isWhole || !isUncropped) return copyPixels(scaleUnderlay(underlay, crop), at);
  await underlay.copyTo(new Uint8Array(memory.buffer, at, width * height * 4), { format: 'RGBA' });
  underlay.close();
  return false;
}

/** Crops and scales an underlay to the frame, with the quality that it would have in the page. */
function scaleUnderlay(underlay: VideoFrame, { x, y, width, height }: Crop): VideoFrame {
  scaler ??= new OffscreenCanvas(request.width, request.height);
  const context = scaler.getContext('2d', {
    alpha: false,
    willReadFrequently: true,
  }) as OffscreenCanvasRenderingContext2D;
  context.imageSmoothingQuality = 'low';
  context.drawImage(underlay, x, y, width, height, 0, 0, scaler.width, scaler.height);
  underlay.close();
  return new VideoFrame(scaler, { timestamp: 0 });
}

/** Whether the frame at `at` has the same pixels as the one in the slot, which is read to `free`. */
function equals(slot: number, at: number, free: number): boolean {
  file.read(new Uint8Array(memory.buffer, free, frameBytes), { at: slot * frameBytes });
  return pixels.equal(free, at, frameBytes) !== 0;
}

/** Compares the two frames in the memory. Null if they are equal. */
function compareIn(
  { width, height }: Pick<FramePair, 'width' | 'height'>,
  { tolerance, comparisons }: KeptFrame,
): Comparison | null {
  const raw = request.width * request.height * 4;
  if (pixels.equal(page, page + raw, raw)) return null;
  const pixelsAt = (at: number) => new Uint32Array(memory.buffer, at, raw / 4);
  const both = { from: pixelsAt(page), to: pixelsAt(page + raw), width: request.width, height: request.height };
  for (const [name, facts] of Object.entries(comparisons)) writerParts[name]?.beforeComparison(facts, both);
  reserve(2 * raw + scratchBytes(width, height));
  const pair = { a: page, b: page + raw, scratch: page + 2 * raw, stride: request.width * 4, width, height };
  return compareFrames(pixels, memory, pair, tolerance);
}

/** Makes space for `bytes` after the module's own data. */
function reserve(bytes: number): void {
  const missingPages = Math.ceil((page + bytes - memory.buffer.byteLength) / page);
  if (missingPages > 0) memory.grow(missingPages);
}

// One message at a time, in order: all of them use the same wasm memory.
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
