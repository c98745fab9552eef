// The rule for clips that overlap on one track.
import * as l10n from '@vscode/l10n';
import { attr } from '../../model/attributes.ts';
import type { ResolvedClip } from '../../model/timing.ts';
import { setAttribute } from '../attributeEdits.ts';
import { fixInFile, type RuleContext, type RuleFinding } from '../context.ts';

/** Seconds. Tolerates rounding errors of computed times. */
const tolerance = 1e-6;

/** `group` identifies the tracks that the clip can be moved to. */
type TrackClip = { one: ResolvedClip; start: number; end: number; group: string; track: number };

type Tracks = ReadonlyMap<string, TrackClip[]>;

/** Clips that overlap on one track. Audio and visual clips may overlap, because they never cover each other. */
export function overlaps(context: RuleContext): RuleFinding[] {
  const found: RuleFinding[] = [];
  const tracks = readTracks(context);
  for (const clips of tracks.values()) {
    clips.sort((a, b) => a.start - b.start);
    let longest: TrackClip | undefined;
    for (const clip of clips) {
      if (longest && clip.start < longest.end - tolerance) found.push(overlap(context, clip, longest, tracks));
      if (!longest || clip.end > longest.end) longest = clip;
    }
  }
  return found;
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

function overlap(context: RuleContext, clip: TrackClip, other: TrackClip, tracks: Tracks): RuleFinding {
  const { one, start, end, group, track } = clip;
  const { name, element, startSpan, trackIndex } = one.clip;
  const attribute = element.attributes.get(attr.trackIndex);
  const message = l10n.t`${name} overlaps ${other.one.clip.name} on track ${track} (${start} s to ${Math.min(end, other.end)} s)`;
  const isFree = (index: number) =>
    (tracks.get(`${group} ${index}`) ?? []).every(
      (each) => each.end <= start + tolerance || each.start >= end - tolerance,
    );
  const free = firstFree(track, isFree);
  const fixes =
    attribute && free !== undefined
      ? [fixInFile(context, l10n.t`Move to track ${free}`, [setAttribute(attribute, String(free))])]
      : [];
  const related = [
    { file: context.path, span: other.one.clip.startSpan, message: l10n.t`${other.one.clip.name} starts here` },
  ];
  return { message, span: trackIndex?.span ?? startSpan, related, fixes };
}

/** Maximum number of tracks to search for a free one. */
const mostTracks = 50;

function firstFree(from: number, isFree: (track: number) => boolean): number | undefined {
  for (let track = from + 1; track <= from + mostTracks; track++) if (isFree(track)) return track;
  return undefined;
}
