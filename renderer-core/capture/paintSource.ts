// Paint capture: the page draws the composition into a canvas and writes the pixels to a ring file, which Node reads.
import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { CapturePage } from './capturePage.ts';
import type { CapturedFrame, FrameSource } from './frameSource.ts';
import type { CaptureReply, CompareReply } from './protocol.ts';

/** Node reads one half of the ring while the page fills the other. */
const slotsPerHalf = 4;

export type PaintSource = FrameSource & {
  /** Compares the painted `frame`, which must be one of the samples, with the PNG at `url` on the project server. */
  compare(frame: number, url: string): Promise<CompareReply>;
};

export type PaintOptions = {
  /** Size of the page's canvas; must be even for `yuv`. */
  width: number;
  height: number;
  /** `yuv` for most encoders; `rgb` for alpha, for more than eight bits, and for PNG frames. */
  pixels: 'yuv' | 'rgb';
  /** Folder of the browser profile, which contains the page's files. */
  profile: string;
  /** Frames that are compared with a screenshot. */
  samples: number[];
};

let rings = 0;

export async function openPaintSource(capturePage: CapturePage, options: PaintOptions): Promise<PaintSource> {
  const { width, height } = options;
  const { tab } = capturePage;
  const ringName = tab.ring?.name ?? `frames-${process.pid}-${rings++}`;
  const reply = await capturePage.call('prepare', {
    width,
    height,
    pixels: options.pixels,
    slots: 2 * slotsPerHalf,
    ringName,
  });
  const bytes = reply.frameBytes * 2 * slotsPerHalf;
  tab.ring ??= { name: ringName, file: await openRing(options.profile, ringName, bytes) };
  const ring = tab.ring.file;
  const data = Buffer.allocUnsafe(reply.frameBytes);
  const halves = [0, 1].map((half) => Array.from({ length: slotsPerHalf }, (_, slot) => half * slotsPerHalf + slot));

  async function* readFrames(start: number, end: number): AsyncGenerator<CapturedFrame> {
    const capture = (from: number, half: number): Promise<CaptureReply> => {
      const work = capturePage.call('capture', { from, to: end, slots: halves[half] ?? [], samples: options.samples });
      // It is awaited one round later; until then its failure must not count as unhandled.
      work.catch(() => undefined);
      return work;
    };
    let half = 0;
    let pending: Promise<CaptureReply> | undefined = capture(start, half);
    while (pending) {
      const { frames, next }: CaptureReply = await pending;
      half = 1 - half;
      pending = next < end ? capture(next, half) : undefined;
      for (const { frame, repeat, slot, passthrough } of frames) {
        if (slot !== null) await ring.read(data, 0, data.length, slot * data.length);
        yield { frame, repeat, data, same: slot === null, passthrough };
      }
    }
  }

  return {
    input: { pixels: reply.format === 'i420' ? 'i420' : 'rgba', width, height },
    frames: readFrames,
    compare: (frame, url) => capturePage.call('compare', frame, url),
    close: capturePage.close,
  };
}

/** The browser chooses the file's name on disk, so it is found by its size and its first bytes. */
async function openRing(profile: string, name: string, size: number): Promise<FileHandle> {
  for (const path of await filesBelow(profile)) {
    if (!path.includes('File System') || (await stat(path)).size !== size) continue;
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
