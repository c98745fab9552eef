// The arithmetic of moving and trimming clips on the timeline: snapping, limits, tracks. Times are in seconds.

import { type FrameRate, frameTime } from '../../../renderer-core/model/frameGrid.ts';
import { addSeconds } from '../../../renderer-core/model/timing.ts';
import type { ClipChange } from '../../messages.ts';
import type { ClipFact } from './lanes.ts';

/** The part of a clip that is dragged: the whole clip, or one of its ends. */
export type DragPart = 'clip' | 'start' | 'end';

export type ClipTimes = Pick<ClipFact, 'start' | 'end'>;
export type ClipPlace = Pick<ClipFact, 'start' | 'end' | 'track'>;

export type DragSettings = {
  duration: number;
  playhead: number;
  rate: FrameRate;
  /** Snaps to times that are at most this far away; 0: not at all. */
  reach: number;
};

/** `snapped`: the time that an end of the clip has snapped to. */
export type Dragged = ClipTimes & { snapped: number | null };

/** Drags a part of the clip at `index` by `by` seconds. Without snapping, the dragged end is at the time of a frame. */
export function dragClip(
  clips: readonly ClipFact[],
  index: number,
  part: DragPart,
  by: number,
  settings: DragSettings,
): Dragged {
  const { duration, rate } = settings;
  const given = clips[index] as ClipFact;
  const clip = part === 'end' ? { ...given, end: given.end ?? duration } : given;
  const limits = limitsOf(clips, clip, part, settings);
  const ends = [part === 'end' ? null : clip.start, part === 'start' ? null : clip.end];
  const shifts = snapShifts(targetsOf(clips, index, settings), ends, by, settings.reach);
  for (const { shift, target } of shifts) {
    const times = shifted(clip, part, shift, target);
    const edge = part === 'end' ? (times.end ?? 0) : times.start;
    if (edge >= limits.from && edge <= limits.to) return { ...times, snapped: target };
  }
  const edge = part === 'end' ? (clip.end ?? duration) : clip.start;
  const wanted = frameNear(edge + by, rate);
  const at = Math.max(limits.from, Math.min(limits.to, wanted));
  return { ...shifted(clip, part, addSeconds(at, -edge), null), snapped: null };
}

/** The first and the last possible time of the dragged end; of the start, if the whole clip is dragged. */
function limitsOf(
  clips: readonly ClipFact[],
  { start, end, parent }: ClipFact,
  part: DragPart,
  { duration, rate }: DragSettings,
): { from: number; to: number } {
  const frame = rate.den / rate.num;
  const first = parent === null ? 0 : Math.max(0, clips[parent]?.start ?? 0);
  const last = Math.max(first, frameNear(duration - frame, rate));
  if (part === 'clip') return { from: first, to: last };
  if (part === 'start') return { from: first, to: Math.max(first, frameNear((end ?? duration) - frame, rate)) };
  return { from: frameNear(start + frame, rate, Math.ceil), to: Math.max(duration, end ?? 0) };
}

/** Earlier targets take precedence at the same distance. */
function targetsOf(clips: readonly ClipFact[], index: number, { duration, playhead, rate }: DragSettings): number[] {
  const others = clips.flatMap((clip, other) =>
    other === index || isInside(clips, other, index) ? [] : [clip.start, clip.end ?? duration],
  );
  return [...others, 0, duration, frameNear(playhead, rate)];
}

function isInside(clips: readonly ClipFact[], index: number, host: number): boolean {
  for (let at = clips[index]?.parent ?? null; at !== null; at = clips[at]?.parent ?? null) if (at === host) return true;
  return false;
}

/** The changes that put one of the ends on a target or on a whole second, the smallest difference from `by` first. */
function snapShifts(targets: readonly number[], ends: readonly (number | null)[], by: number, reach: number) {
  const found: { shift: number; target: number; distance: number }[] = [];
  for (const end of ends) {
    if (end === null) continue;
    for (const target of [...targets, Math.round(end + by)]) {
      const shift = addSeconds(target, -end);
      const distance = Math.abs(shift - by);
      if (reach > 0 && distance <= reach) found.push({ shift, target, distance });
    }
  }
  return found.sort((a, b) => a.distance - b.distance);
}

function shifted({ start, end }: ClipTimes, part: DragPart, by: number, target: number | null): ClipTimes {
  if (part === 'start') return { start: target ?? addSeconds(start, by), end };
  if (part === 'end') return { start, end: target ?? addSeconds(end ?? 0, by) };
  return { start: addSeconds(start, by), end: end === null ? null : addSeconds(end, by) };
}

/**
 * The time of the nearest frame in whole milliseconds. Rounded down: a clip that starts at this time is shown in this frame, and
 * one that ends at it is not.
 */
export function frameNear(time: number, rate: FrameRate, round = Math.round): number {
  const at = frameTime(Math.max(0, round((time * rate.num) / rate.den - 1e-6 * (round === Math.ceil ? 1 : 0))), rate);
  return Math.floor(at * 1000 + 1e-6) / 1000;
}

/** The edit that gives a clip other times or another track; undefined if nothing changes. `trims`: its length changes. */
export function changeOf(from: ClipPlace, to: ClipPlace, trims: boolean): ClipChange | undefined {
  const startBy = addSeconds(to.start, -from.start);
  const isTrimmed = trims && to.end !== null && (to.end !== from.end || startBy !== 0);
  const change: ClipChange = {
    ...(startBy === 0 ? {} : { startBy }),
    ...(isTrimmed ? { duration: addSeconds(to.end ?? 0, -to.start) } : {}),
    ...(to.track === null || to.track === from.track ? {} : { track: to.track }),
  };
  return Object.keys(change).length === 0 ? undefined : change;
}

/** The track below all others of the same composition. */
export function newTrack(clips: readonly ClipFact[], index: number): number {
  return (tracksOf(clips, index).at(-1) ?? 0) + 1;
}

/** The next track above or below a clip; undefined if there is none above. Below the last track is a new one. */
export function nextTrack(clips: readonly ClipFact[], index: number, direction: -1 | 1): number | undefined {
  const tracks = tracksOf(clips, index);
  const track = clips[index]?.track ?? Number.POSITIVE_INFINITY;
  if (direction === -1) return tracks.findLast((other) => other < track);
  return tracks.find((other) => other > track) ?? newTrack(clips, index);
}

function tracksOf(clips: readonly ClipFact[], index: number): number[] {
  const siblings = clips.filter(({ parent }) => parent === clips[index]?.parent);
  const tracks = siblings.flatMap(({ track }) => (track === null ? [] : [track]));
  return [...new Set(tracks)].sort((a, b) => a - b);
}
