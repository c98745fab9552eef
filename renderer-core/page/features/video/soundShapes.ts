// The fades of a media element, and the times at which other sounds make it quieter.
import { attr, fadeRange } from '../../../model/attributes.ts';
import { type Duck, parseDuck, type SoundShape } from '../../../model/soundShape.ts';
import type { Clips } from '../../runtime/clipVisibility.ts';
import { type MediaPlayer, numberOf } from './mediaPlayer.ts';

/** Undefined for a sound without any of these attributes. `audible`: the players of all sounds. */
export function shapeOf(element: Element, audible: readonly MediaPlayer[], clips: Clips): SoundShape | undefined {
  const fadeIn = numberOf(element, attr.fadeIn, fadeRange, 0);
  const fadeOut = numberOf(element, attr.fadeOut, fadeRange, 0);
  const ducks = ducksOf(element, audible, clips);
  return fadeIn > 0 || fadeOut > 0 || ducks.length > 0 ? { fadeIn, fadeOut, ducks } : undefined;
}

function ducksOf(element: Element, audible: readonly MediaPlayer[], clips: Clips): Duck[] {
  const spec = parseDuck(element.getAttribute(attr.duck) ?? '');
  if (!spec) return [];
  const { target, ...shape } = spec;
  const isTarget = (other: Element) =>
    other !== element && (other.id === target || other.getAttribute(attr.trackIndex)?.trim() === target);
  return audible
    .filter((player) => isTarget(player.element) || player.element.closest(`[id="${CSS.escape(target)}"]`) !== null)
    .map((player) => ({ ...shape, ...clips.timeOf(player.element).shows }));
}
