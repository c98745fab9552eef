// Paint capture: the page draws the composition into a canvas and writes the pixels to a ring file, which Node reads.
import { type FileHandle, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { statIfExists } from '../project/statIfExists.ts';
import type { CapturePage } from './capturePage.ts';
import type { CapturedFrame, FrameSource } from './frameSource.ts';
import { type CaptureReply, type CompareReply, isDeep, type PrepareRequest } from './protocol.ts';
import { viewportImage } from './screenshotSource.ts';

/** Node reads one half of the ring while the page fills the other. */
export const slotsPerHalf = 4;

export type PaintSource = FrameSource & {
  /** Why a frame that was read could not be painted; null if all could. */
  obstacle(): string | null;
  /** Compares the painted `frame`, which must be one of the samples, with the PNG at `url` on the project server. */
  compare(frame: number, url: string): Promise<CompareReply>;
};

/** With the size of the page's canvas. */
export type PaintOptions = Pick<PrepareRequest, 'width' | 'height' | 'pixels' | 'hdr'> & {
  /** Folder of the browser profile, which contains the page's files. */
  profile: string;
  /** Frames that are compared with a screenshot. */
  samples: number[];
  /** Screenshots that the page takes itself. */
  screenshots?: OwnScreenshots;
};

export type OwnScreenshots = {
  /** Some of the samples, in ascending order. */
  frames: readonly number[];
  /** Size of the composition. */
  size: { width: number; height: number };
  /** Receives each screenshot, as PNG. */
  put(frame: number, png: Buffer): void;
};

let rings = 0;

/**
 * The browser keeps what it has drawn of a page's canvases until JavaScript's garbage is collected, which it does rarely: a
 * video of 2D canvases at 1080p took 8 MB more for each frame. So garbage is collected after distinct frames of this size, in
 * bytes.
 */
const maxGarbage = 256 * 2 ** 20;

export async function openPaintSource(capturePage: CapturePage, options: PaintOptions): Promise<PaintSource> {
  const { width, height, pixels, hdr } = options;
  const { tab } = capturePage;
  const ringName = tab.ring?.name ?? `frames-${process.pid}-${rings++}`;
  const reply = await capturePage.call('prepare', {
    ...{ width, height, pixels, hdr },
    slots: 2 * slotsPerHalf,
    ringName,
  });
  const bytes = reply.frameBytes * 2 * slotsPerHalf;
  tab.ring ??= { name: ringName, file: await openRing(options.profile, ringName, bytes) };
  const ring = tab.ring.file;
  const data = Buffer.allocUnsafe(reply.frameBytes);
  const halves = [0, 1].map((half) => Array.from({ length: slotsPerHalf }, (_, slot) => half * slotsPerHalf + slot));

  let obstacle: string | null = null;
  let garbage = 0;
  const collectGarbage = async (frames: number): Promise<void> => {
    garbage += (isDeep(pixels) ? 16 : 4) * width * height * frames;
    if (garbage < maxGarbage) return;
    garbage = 0;
    await capturePage.guard(tab.session.send('HeapProfiler.collectGarbage'));
  };

  async function* readFrames(start: number, firstEnd: number, extend = () => firstEnd): AsyncGenerator<CapturedFrame> {
    let end = firstEnd;
    const captureNext = async (from: number, half: number): Promise<CaptureReply> => {
      const { samples, screenshots } = options;
      const shown = screenshots?.frames.find((frame) => frame >= from && frame < end);
      const to = shown === undefined ? end : shown + 1;
      const reply = await capturePage.call('capture', { from, to, slots: halves[half] ?? [], samples });
      if (screenshots && shown !== undefined && reply.next === to) {
        await capturePage.call('reveal');
        screenshots.put(shown, await viewportImage(capturePage, screenshots.size, 'png'));
        await capturePage.call('conceal');
      }
      await collectGarbage(reply.frames.length);
      return reply;
    };
    const capture = (from: number, half: number): Promise<CaptureReply> => {
      const work = captureNext(from, half);
      // It is awaited one round later; until then its failure must not count as unhandled.
      work.catch(() => undefined);
      return work;
    };
    let half = 0;
    let pending: Promise<CaptureReply> | undefined = capture(start, half);
    while (pending) {
      const { frames, next, obstacle: found }: CaptureReply = await pending;
      obstacle ??= found;
      half = 1 - half;
      if (next === end) end = extend();
      pending = next < end ? capture(next, half) : undefined;
      for (const { frame, repeat, slot, passthrough } of frames) {
        if (slot !== null) await ring.read(data, 0, data.length, slot * data.length);
        yield { frame, repeat, data, same: slot === null, passthrough };
      }
    }
  }

  return {
    input: { pixels, width, height },
    frames: readFrames,
    obstacle: () => obstacle,
    compare: (frame, url) => capturePage.call('compare', frame, url),
    close: capturePage.close,
  };
}

/** The browser chooses the file's name on disk, so it is found by its size and its first bytes. */
async function openRing(profile: string, name: string, size: number): Promise<FileHandle> {
  for (const path of await filesBelow(profile)) {
    // The browser deletes files of other pages at any time.
    if (!path.includes('File System') || (await statIfExists(path))?.size !== size) continue;
    const file = await open(path, 'r');
    const head = Buffer.alloc(name.length);
    await file.read(head, 0, head.length, 0);
    if (head.toString() === name) return file;
    await file.close();
  }
  throw new Error('the ring file was not found in the browser profile');
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
