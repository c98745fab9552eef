// Moves and trims clips with the pointer and with keys.

import { text } from '../texts.ts';
import { type ClipPlace, type DragPart, dragClip, newTrack, nextTrack } from './clipDrag.ts';
import { type ClipDragView, placeText } from './clipDragView.ts';
import type { ClipTarget } from './clipEdits.ts';
import type { ClipFact } from './lanes.ts';

export type ClipTimeline = {
  clips(): readonly ClipFact[];
  elementOf(index: number): HTMLElement | null;
  settings(): Omit<Parameters<typeof dragClip>[4], 'reach'>;
  secondsPerPixel(): number;
  /** The row with the clips of a composition that is under the pointer. */
  laneAt(y: number, parent: number | null): HTMLElement | undefined;
  edit(index: number, target: ClipTarget): void;
};

/** In screen pixels. */
const [snapReach, clickReach, handleWidth] = [7, 4, 7];

/** The part of a clip at a point. Narrow clips have no handles, so that they can be moved. */
export function partAt(clip: HTMLElement, x: number): DragPart {
  const { left, right, width } = clip.getBoundingClientRect();
  if (width < 3 * handleWidth) return 'clip';
  return x - left < handleWidth ? 'start' : right - x < handleWidth ? 'end' : 'clip';
}

/** Follows the pointer from `down` on, until it is up. `onClick` is called instead if it did not move. */
export function dragWithPointer(
  down: PointerEvent,
  pressed: HTMLElement,
  timeline: ClipTimeline,
  view: ClipDragView,
  onClick: (up: PointerEvent) => void,
): void {
  const index = Number(pressed.dataset.index);
  const label = timeline.clips()[index]?.label;
  const part = partAt(pressed, down.clientX);
  const stop = new AbortController();
  const { signal } = stop;
  let place: ClipPlace | undefined;
  const move = (event: PointerEvent) => {
    const [dx, dy] = [event.clientX - down.clientX, event.clientY - down.clientY];
    if (!place && Math.hypot(dx, dy) < clickReach) return;
    // The page may have been loaded again meanwhile, with other elements and maybe other clips.
    const [fact, clip] = [timeline.clips()[index], timeline.elementOf(index)];
    if (!fact || !clip || fact.label !== label) return cancel();
    if (!fact.source) {
      view.showReason(clip, text('scriptClip'));
      return;
    }
    const perPixel = timeline.secondsPerPixel();
    const settings = { ...timeline.settings(), reach: event.shiftKey ? 0 : snapReach * perPixel };
    const dragged = dragClip(timeline.clips(), index, part, dx * perPixel, settings);
    const own = clip.parentElement as HTMLElement;
    const lane = part === 'clip' ? (timeline.laneAt(event.clientY, fact.parent) ?? own) : own;
    place = { ...dragged, track: lane === own ? fact.track : trackOf(lane, timeline.clips(), index) };
    view.show(clip, lane, { ...dragged, ...place }, settings.duration, placeText(place, fact));
  };
  const cancel = () => {
    stop.abort();
    view.hide();
  };
  const area = down.currentTarget as HTMLElement;
  area.setPointerCapture(down.pointerId);
  area.addEventListener('pointermove', move, { signal });
  area.addEventListener('pointercancel', cancel, { signal });
  area.addEventListener(
    'pointerup',
    (up) => {
      stop.abort();
      if (place) {
        view.hide();
        timeline.edit(index, { ...place, trims: part !== 'clip' });
      } else if (Math.hypot(up.clientX - down.clientX, up.clientY - down.clientY) < clickReach) onClick(up);
    },
    { signal },
  );
  const cancelWithKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    cancel();
  };
  window.addEventListener('keydown', cancelWithKey, { capture: true, signal });
}

/** A lane of clips without a track does not change the track. */
function trackOf(lane: HTMLElement, clips: readonly ClipFact[], index: number): number | null {
  const { track } = lane.dataset;
  if (track === 'new') return newTrack(clips, index);
  return track === undefined ? (clips[index]?.track ?? null) : Number(track);
}

/** Changes a clip with a key. Returns false for keys that do not change clips. */
export function changeWithKey(
  event: KeyboardEvent,
  clip: HTMLElement,
  timeline: ClipTimeline,
  view: ClipDragView,
): boolean {
  const index = Number(clip.dataset.index);
  const fact = timeline.clips()[index];
  const place = fact && placeAfterKey(event, timeline, index, fact);
  if (!fact || !place) return false;
  if (!fact.source) view.showReason(clip, text('scriptClip'));
  else timeline.edit(index, place);
  return true;
}

function placeAfterKey(
  { key, altKey, shiftKey, ctrlKey, metaKey }: KeyboardEvent,
  timeline: ClipTimeline,
  index: number,
  fact: ClipFact,
): ClipTarget | undefined {
  const clips = timeline.clips();
  const settings = { ...timeline.settings(), reach: 0 };
  const drag = (part: DragPart, by: number): ClipTarget => {
    const { start, end } = dragClip(clips, index, part, by, settings);
    return { start, end, track: fact.track, trims: part !== 'clip' };
  };
  // Some keyboards need Alt for brackets.
  if (key === '[') return drag('start', settings.playhead - fact.start);
  if (key === ']') return drag('end', settings.playhead - (fact.end ?? settings.duration));
  if (!altKey || ctrlKey || metaKey) return undefined;
  const step = shiftKey ? 1 : settings.rate.den / settings.rate.num;
  if (key === 'ArrowLeft') return drag('clip', -step);
  if (key === 'ArrowRight') return drag('clip', step);
  if (key !== 'ArrowUp' && key !== 'ArrowDown') return undefined;
  const track = nextTrack(clips, index, key === 'ArrowUp' ? -1 : 1) ?? fact.track;
  return { start: fact.start, end: fact.end, track, trims: false };
}
