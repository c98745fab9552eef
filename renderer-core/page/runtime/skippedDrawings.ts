// Drawings of frames that are only passed, which canvases skip. Everything else runs. If a skipped drawing is needed after all,
// because a script reads it or the canvas still shows it, `missingFrom` says so, and the page must be passed again.
import type { Player } from './control.ts';

type Method = (this: unknown, ...args: unknown[]) => unknown;

/** `skippedAt`: the first frame that must be drawn for what the canvas shows; null if nothing is missing. */
export type Drawing = { skippedAt: number | null };

/** `before` is called in front of a method of `owner`; if it returns false, the method is not called. */
export function wrap(owner: object, name: string, before: (self: unknown, args: unknown[]) => unknown): void {
  const methods = owner as Record<string, Method>;
  const method = methods[name];
  if (typeof method !== 'function') return;
  methods[name] = function (...args) {
    return before(this, args) === false ? undefined : method.apply(this, args);
  };
}

/** `read` gets each object that a script reads, which may be anything. */
export type WatchReads = (read: (source: unknown) => void) => void;

/** Watches scripts that read canvases as images. */
const watchImageReads: WatchReads = (read) => {
  const readSources = (_: unknown, args: unknown[]): void => args.forEach(read);
  wrap(window, 'createImageBitmap', readSources);
  const { GPUQueue } = window as unknown as { GPUQueue?: { prototype: object } };
  if (GPUQueue)
    wrap(GPUQueue.prototype, 'copyExternalImageToTexture', (_, [from]) =>
      read((from as { source?: unknown } | undefined)?.source),
    );
  // Not every browser that shows a preview has it.
  if (!('VideoFrame' in window)) return;
  window.VideoFrame = new Proxy(VideoFrame, {
    construct(target, args, newTarget) {
      readSources(null, args);
      return Reflect.construct(target, args, newTarget);
    },
  });
};

/** `find`: the drawing of a canvas or of its context. `drawings`: by canvas, at least those in which something is missing. */
type Drawings = {
  find(source: unknown): Drawing | undefined;
  drawings: Iterable<readonly [unknown, Drawing]>;
};

export type Frames = {
  /** The number of the current seek, from 0; -1 while the page loads. */
  frame(): number;
  /** Whether the current frame need not be drawn. */
  isSkipped(): boolean;
  /** Notes that a script reads `source`, which may be a canvas or its context. */
  read(source: unknown): void;
  /** `watch` is called when the page has a drawing. */
  onReads(watch: WatchReads): void;
  /** Call when the page has its first drawing of a kind. */
  follow(drawings: Drawings): void;
};

/** The player's frames, and what the player does so that it is known which of them need not be drawn. */
export function createFrames(): { frames: Frames; follow(player: Player): Partial<Player> } {
  const followed: Drawings[] = [];
  const watchers = [watchImageReads];
  let frame = -1;
  let isPassing = false;
  /** Frames before this one are not drawn when they are passed. */
  let skippedBefore = 0;
  /** Whether a script has read a drawing that was skipped. */
  let wasRead = false;
  const read = (source: unknown): void => {
    if (followed.some(({ find }) => (find(source)?.skippedAt ?? null) !== null)) wasRead = true;
  };
  const follow = ({ seek }: Player): Pick<Player, 'seek' | 'skipDrawing' | 'missingFrom'> => ({
    seek(seconds, passing = false) {
      frame++;
      isPassing = passing;
      seek(seconds, passing);
    },
    skipDrawing(before) {
      skippedBefore = before;
    },
    missingFrom() {
      if (wasRead) return 0;
      const missing = followed
        .flatMap(({ drawings }) => [...drawings])
        .flatMap(([canvas, { skippedAt }]) => (skippedAt !== null && isShown(canvas) ? skippedAt : []));
      return missing.length > 0 ? Math.min(...missing) : null;
    },
  });
  const frames: Frames = {
    frame: () => frame,
    isSkipped: () => isPassing && frame < skippedBefore,
    read,
    onReads: (watch) => void watchers.push(watch),
    follow(drawings) {
      if (followed.length === 0) for (const watch of watchers) watch(read);
      followed.push(drawings);
    },
  };
  return { frames, follow };
}

const isShown = (canvas: unknown): boolean =>
  canvas instanceof HTMLCanvasElement &&
  canvas.isConnected &&
  canvas.checkVisibility({ visibilityProperty: true, opacityProperty: true });
