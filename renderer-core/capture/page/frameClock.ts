// Moves the composition's clock, frame by frame. Runs in the capture page.
import type { OpenMedia } from '../../page/runtime/control.ts';
import { readableMediaPath, videoFileScript } from '../protocol.ts';
import { atFullSpeed } from './fullSpeed.ts';
import { mediaOpener } from './openMedia.ts';
import { beginFeatures, usesUnderlay, useUnderlay } from './pageFeatures.ts';
import { type PaintStyles, paintStyles } from './paintStyles.ts';
import { canvas, frame, loadAgain, options, player } from './stage.ts';

/** Whether media files have been opened: they and their decoders stay open until this page is closed. */
export let hasMedia = false;

const open = mediaOpener({
  script: videoFileScript,
  hdr: options.hdr ? (options.canvas ? 'painted' : 'shown') : undefined,
  convert: async (url) => {
    const query = new URLSearchParams({ url, ...(options.hdr ? { hdr: '' } : {}) });
    return (await fetch(`${readableMediaPath}?${query}`)).json();
  },
});

const openMedia: OpenMedia = (urls, wantsVideo) => {
  hasMedia = true;
  return open(urls, wantsVideo);
};

/** The number of the current frame in the video. A video that starts later than its composition passes the frames before, which have negative numbers. */
export let position = -1;
/** Undefined in pages that are not painted. */
export let styles: PaintStyles | undefined;

/** Waits until the composition is ready for its first frame. Frames before `skippedBefore` are not drawn if they are passed. */
export async function begin(skippedBefore: number): Promise<void> {
  await player().ready(openMedia);
  player().skipDrawing?.(skippedBefore);
  const window = frame.contentWindow as Window & typeof globalThis;
  await beginFeatures(window);
  styles = canvas ? paintStyles(window) : undefined;
  position = -1 - options.firstFrame;
}

/**
 * Moves the clock to frame `index` through every frame before it, because a frame may depend on earlier ones. Pages that
 * are functions of time show no frame on the way.
 */
export async function advance(index: number): Promise<void> {
  if (index < position) throw new Error('the clock does not run backwards');
  if (index > position) styles?.remove();
  if (options.traits.isPure) position = Math.max(position, index - 1);
  while (position < index) {
    position++;
    const time = ((options.firstFrame + position) * options.rate.den) / options.rate.num;
    player().seek(time, position < index);
    await atFullSpeed(player().settle());
  }
}

/**
 * Moves to a frame that is captured. If it shows a drawing that was skipped, a new page passes the frames again: returns
 * whether that has happened.
 */
export async function show(index: number): Promise<boolean> {
  let isNew = false;
  await advance(index);
  for (let before = missing(); before !== null; before = before > 0 ? missing() : null) {
    await startAgain(before);
    isNew = true;
    await advance(index);
  }
  return isNew;
}

const missing = (): number | null => player().missingFrom?.() ?? null;

/** Loads the composition again. It draws frame `skippedBefore` and all after it, even if they are passed. */
async function startAgain(skippedBefore: number): Promise<void> {
  await loadAgain();
  await begin(skippedBefore);
  if (usesUnderlay) useUnderlay();
}
