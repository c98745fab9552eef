// The position in a media file at a time of the composition.
import type { Sound } from '../../../renderer-core/page/runtime/page.ts';

/** Returns seconds; undefined after the end of the file. `length` is NaN while it is not known. */
export function mediaPosition(
  { start, mediaStart, rate, loop }: Pick<Sound, 'start' | 'mediaStart' | 'rate' | 'loop'>,
  time: number,
  length: number,
): number | undefined {
  const at = mediaStart + (time - start) * rate;
  if (!Number.isFinite(length) || length <= 0 || at < length) return at;
  return loop ? at % length : undefined;
}
