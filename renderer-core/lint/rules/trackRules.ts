// The rules for clips of one track: they overlap, or leave a gap that is shorter than a frame.
import { attr } from '../../model/attributes.ts';
import { borderTolerance, type FrameRate, frameTime } from '../../model/frameGrid.ts';
import { addSeconds, type ResolvedClip } from '../../model/timing.ts';
import { setAttribute } from '../attributeEdits.ts';
import { fixInFile, type RuleContext, type RuleFinding } from '../context.ts';

/** `group` identifies the tracks that the clip can be moved to. */
type TrackClip = { one: ResolvedClip; start: number; end: number; group: string; track: number };

type Tracks = ReadonlyMap<string, TrackClip[]>;

/** Clips that overlap on one track. Audio and visual clips may overlap, because they never cover each other. */
export function overlaps(context: RuleContext): RuleFinding[] {
  const tracks = readTracks(context);
  const tolerance = borderTolerance(rateOf(context));
  return neighbors(tracks).flatMap(([before, clip]) =>
    clip.start < before.end - tolerance ? [overlap(context, clip, before, tracks, tolerance)] : [],
  );
}

/** Clips that follow one another, except for less than a frame. A frame that falls into the gap shows neither of them. */
export function gaps(context: RuleContext): RuleFinding[] {
  const rate = rateOf(context);
  return neighbors(readTracks(context)).flatMap(([before, clip]) => {
    const length = clip.start - before.end;
    const isAudio = clip.one.clip.media === 'audio';
    if (isAudio || length <= borderTolerance(rate) || length >= frameTime(1, rate)) return [];
    return [gap(context, clip, before, length)];
  });
}

/** The frame rate of a render without options. */
function rateOf({ composition: { fps } }: RuleContext): FrameRate {
  return fps?.value ? { num: fps.value, den: 1 } : { num: 30, den: 1 };
}

/** Each clip after the first of its track, with the clip before it that ends last. */
function neighbors(tracks: Tracks): [before: TrackClip, clip: TrackClip][] {
  return [...tracks.values()].flatMap((clips) => {
    const [first, ...others] = clips.sort((a, b) => a.start - b.start);
    let longest = first;
    return others.flatMap((clip): [TrackClip, TrackClip][] => {
      const before = longest;
      if (!before || clip.end > before.end) longest = clip;
      return before ? [[before, clip]] : [];
    });
  });
}

function gap(context: RuleContext, { one, start }: TrackClip, before: TrackClip, length: number): RuleFinding {
  const { name } = before.one.clip;
  const ms = Math.round(length * 10_000) / 10;
  const message = `${one.clip.name} starts ${ms} ms after the end of ${name}; a frame that falls into this gap shows neither of them`;
  const attribute = before.one.clip.element.attributes.get(attr.duration);
  // A clip that ends with the clip around it cannot be longer, and a clip that starts relative to another one would move.
  const canEndLater = before.end === before.one.end && one.clip.start?.kind === 'seconds';
  const fixes =
    attribute && canEndLater
      ? [
          fixInFile(context, `End ${name} where ${one.clip.name} starts`, [
            setAttribute(attribute, String(addSeconds(start, -before.one.start))),
          ]),
        ]
      : [];
  const related = [{ file: context.path, span: before.one.clip.startSpan, message: `${name} starts here` }];
  return { message, span: one.clip.startSpan, related, fixes };
}

function readTracks(context: RuleContext): Tracks {
  const owners = new Map<unknown, number>();
  const tracks = new Map<string, TrackClip[]>();
  for (const one of context.timeline().clips) {
    const { clip, shows } = one;
    const track = clip.trackIndex?.value;
    if (track == null || one.end === null || shows.end === null || shows.end <= shows.start) continue;
    const owner = clip.owner?.element;
    if (!owners.has(owner)) owners.set(owner, owners.size);
    const group = `${owners.get(owner)} ${clip.media === 'audio' ? 'audio' : 'visual'}`;
    const item = { one, start: shows.start, end: shows.end, group, track };
    const same = tracks.get(`${group} ${track}`);
    if (same) same.push(item);
    else tracks.set(`${group} ${track}`, [item]);
  }
  return tracks;
}

function overlap(
  context: RuleContext,
  clip: TrackClip,
  other: TrackClip,
  tracks: Tracks,
  tolerance: number,
): RuleFinding {
  const { one, start, end, group, track } = clip;
  const { name, element, startSpan, trackIndex } = one.clip;
  const attribute = element.attributes.get(attr.trackIndex);
  const message = `${name} overlaps ${other.one.clip.name} on track ${track} (${start} s to ${Math.min(end, other.end)} s)`;
  const isFree = (index: number) =>
    (tracks.get(`${group} ${index}`) ?? []).every(
      (each) => each.end <= start + tolerance || each.start >= end - tolerance,
    );
  const free = firstFree(track, isFree);
  const fixes =
    attribute && free !== undefined
      ? [fixInFile(context, `Move to track ${free}`, [setAttribute(attribute, String(free))])]
      : [];
  const related = [
    { file: context.path, span: other.one.clip.startSpan, message: `${other.one.clip.name} starts here` },
  ];
  return { message, span: trackIndex?.span ?? startSpan, related, fixes };
}

/** Maximum number of tracks to search for a free one. */
const mostTracks = 50;

function firstFree(from: number, isFree: (track: number) => boolean): number | undefined {
  for (let track = from + 1; track <= from + mostTracks; track++) if (isFree(track)) return track;
  return undefined;
}
