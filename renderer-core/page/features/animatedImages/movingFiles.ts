// The animated image files of the page, each of which is decoded once.
import type { MovingImage } from './movingImage.ts';
import { openSvg } from './openSvg.ts';
import { openStills, type Stills } from './stills.ts';

export type MovingFiles = {
  /** Null if the image does not change over time, or cannot be read. Then the browser keeps playing it. */
  open(url: string): Promise<MovingImage | null>;
  /** Frees what is not `shown`. */
  free(shown: ReadonlySet<string>): Promise<void>;
};

export function createMovingFiles(): MovingFiles {
  const files = new Map<string, Promise<MovingImage | null>>();
  return {
    open(url) {
      const file = files.get(url) ?? openImage(url).catch(() => null);
      files.set(url, file);
      return file;
    },
    async free(shown) {
      for (const file of files.values()) await (await file)?.free(shown);
    },
  };
}

/**
 * Another URL of the same file. After a script's request for its own URL, the browser would load the image again when a style
 * begins to use it, too late for the frame.
 */
function readingUrl(url: string): string {
  const file = url.replace(/#.*/s, '');
  return url.startsWith(`${location.origin}/`) ? `${file}${file.includes('?') ? '&' : '?'}framework-image` : url;
}

/** Rejects for files of other origins without CORS. */
async function openImage(url: string): Promise<MovingImage | null> {
  const response = await fetch(readingUrl(url));
  const type = (response.headers.get('content-type') ?? '').replace('apng', 'png');
  if (type.startsWith('image/svg')) return openSvg(await response.text(), new URL(url).hash);
  const stills = await openStills(response, type);
  return stills && { width: stills.width, show: (ms) => stills.show(frameAt(stills, ms)), free: stills.free };
}

/** The frame at `time`. An animation that has played all of its repetitions shows its last frame. */
function frameAt({ ends, plays }: Stills, time: number): number {
  const length = ends.at(-1) ?? 0;
  if (time >= length * plays) return ends.length - 1;
  const within = Math.max(0, time) % length;
  return ends.findIndex((end) => within < end);
}
