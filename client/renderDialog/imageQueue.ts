// The images of rows. They are captured one at a time: those that are wanted now, in their order, and each only once.
import type { TableRow } from '../../server/protocol.ts';

/** `source`: a data URI. `problem`: why there is no image. */
export type RowImage = { source: string } | { problem: string };

/** Whether a row is drawn with its own values: values that the composition does not declare change nothing. */
export function isDrawn({ problems }: Pick<TableRow, 'problems'>, declared: ReadonlySet<string>): boolean {
  return problems.every(({ key, isError }) => !isError && key !== null && !declared.has(key));
}

/** Requests with the same key have the same image. */
export type ImageRequest<Content> = { key: string; content: Content };

export type ImageQueue<Content> = {
  /** What is wanted from now on. An image that is being captured is finished, because a new browser would take longer. */
  want(requests: readonly ImageRequest<Content>[]): void;
  get(key: string): RowImage | undefined;
  /** Images with a problem are captured again when they are wanted: the reason may be gone. */
  forgetProblems(): void;
  /** To be called when `isPaused` may have changed. */
  resume(): void;
  /** Cancels the image that is being captured. */
  dispose(): void;
};

export type ImageQueueOptions<Content> = {
  /** Never rejects. */
  capture(content: Content, signal: AbortSignal): Promise<RowImage>;
  onImage(key: string, image: RowImage): void;
  isPaused(): boolean;
  maxImages: number;
};

export function createImageQueue<Content>({
  capture,
  onImage,
  isPaused,
  maxImages,
}: ImageQueueOptions<Content>): ImageQueue<Content> {
  const images = new Map<string, RowImage>();
  const stop = new AbortController();
  let wanted: readonly ImageRequest<Content>[] = [];
  let isCapturing = false;

  function keep(key: string, image: RowImage): void {
    images.set(key, image);
    const needed = new Set(wanted.map((request) => request.key));
    for (const old of images.keys()) {
      if (images.size <= maxImages) return;
      if (!needed.has(old)) images.delete(old);
    }
  }
  async function next(): Promise<void> {
    const request = wanted.find(({ key }) => !images.has(key));
    if (!request || isCapturing || stop.signal.aborted || isPaused()) return;
    isCapturing = true;
    const image = await capture(request.content, stop.signal);
    isCapturing = false;
    if (stop.signal.aborted) return;
    keep(request.key, image);
    onImage(request.key, image);
    return next();
  }
  return {
    want(requests) {
      wanted = requests;
      void next();
    },
    get: (key) => images.get(key),
    forgetProblems() {
      for (const [key, image] of images) if ('problem' in image) images.delete(key);
    },
    resume: () => void next(),
    dispose: () => stop.abort(),
  };
}
