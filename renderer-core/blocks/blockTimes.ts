// Chooses when an inserted block is shown, and on which track.
import type { Project } from '../lint/project.ts';
import { attr } from '../model/attributes.ts';
import type { Composition } from '../model/composition.ts';
import { attributeValue } from '../model/text/html.ts';
import { addSeconds, resolveTimeline } from '../model/timing.ts';
import type { Block } from './blockIndex.ts';

/** Seconds. `compositionDuration` is the new duration of the composition; null if it stays the same. */
export type BlockTimes = { start: number; duration: number; compositionDuration: number | null };

/** Seconds. `natural` is the duration that the block declares, `asked` the one that the user has given. */
type WantedTimes = { at: number; natural: number | null; asked: number | undefined };

/** Duration of a block that declares none, in seconds. */
const usualDuration = 5;
/** Blocks are not shortened below this, in seconds: they need time to appear and to leave. */
const shortestDuration = 2;

/** A block that would end after the composition is shortened, unless it would become too short: then the composition becomes longer. */
export function blockTimes(
  { duration: given }: Composition,
  { isCentered, isBehind }: Pick<Block, 'isCentered' | 'isBehind'>,
  { at, natural, asked }: WantedTimes,
): BlockTimes {
  const usual = natural ?? usualDuration;
  const end = given?.value ?? null;
  const wanted = asked ?? (isBehind && end !== null && end > at ? addSeconds(end, -at) : usual);
  const start = rounded(isCentered ? Math.max(0, at - wanted / 2) : at);
  const shortest = Math.min(shortestDuration, wanted);
  const rest = end === null ? Number.POSITIVE_INFINITY : addSeconds(end, -start);
  const duration = rounded(asked === undefined && rest >= shortest ? Math.min(wanted, rest) : wanted);
  const blockEnd = addSeconds(start, duration);
  return { start, duration, compositionDuration: end !== null && blockEnd > end ? blockEnd : null };
}

/** Times in a text have milliseconds. */
const rounded = (seconds: number): number => Math.round(seconds * 1000) / 1000;

/** The first track on which nothing else is shown at that time. A clip without a known end occupies its track from its start on. */
export function freeTrack(
  project: Project,
  path: string,
  composition: Composition,
  { start, duration }: BlockTimes,
): number {
  const { clips } = resolveTimeline(composition.clips, ({ element }) => {
    const source = attributeValue(element, attr.compositionSrc)?.trim();
    const target = source ? project.target(path, source) : null;
    return (target !== null && project.composition(target)?.duration?.value) || undefined;
  });
  const end = addSeconds(start, duration);
  const busy = clips
    .filter((clip) => clip.start < end && (clip.end === null || clip.end > start))
    .map(({ clip }) => clip.trackIndex?.value);
  let track = 0;
  while (busy.includes(track)) track++;
  return track;
}
