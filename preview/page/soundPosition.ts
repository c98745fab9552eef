// Which second of a media file sounds at a time of the composition.
import type { Sound } from '../runtime/page.ts';

/** Undefined behind the file's end; `length` is not a number while it is not known. */
export function placeIn(
  { start, mediaStart, rate, loop }: Pick<Sound, 'start' | 'mediaStart' | 'rate' | 'loop'>,
  time: number,
  length: number,
): number | undefined {
  const at = mediaStart + (time - start) * rate;
  if (!Number.isFinite(length) || length <= 0 || at < length) return at;
  return loop ? at % length : undefined;
}
