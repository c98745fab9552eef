// Clip timing: resolves the starts of all clips of a file to seconds.
import { attr } from './attributes.ts';
import type { Clip } from './clips.ts';
import type { HtmlElement } from './text/html.ts';
import type { Span } from './text/spans.ts';
import { didYouMean } from './text/suggest.ts';
import type { Problem } from './variables/fields.ts';

export type TimingProblemCode = 'unknown-id' | 'unknown-duration' | 'unprobed-duration' | 'cycle' | 'negative-start';

export type TimingProblem<Element = HtmlElement> = Problem<TimingProblemCode> & { clip: Clip<Element> };

/**
 * A clip on the timeline of the file's root composition, in seconds. `end` is null if it is open. `shows` is the time range
 * in which the clip and all its timed ancestors are visible; it is empty if its `end` is not greater than its `start`.
 */
export type ResolvedClip<Element = HtmlElement> = {
  clip: Clip<Element>;
  start: number;
  end: number | null;
  shows: { start: number; end: number | null };
};

/** `clips` contains only clips whose start could be resolved. */
export type Timeline<Element = HtmlElement> = {
  clips: ResolvedClip<Element>[];
  byElement: ReadonlyMap<Element, ResolvedClip<Element>>;
  problems: TimingProblem<Element>[];
};

/** The duration in seconds of a clip without `data-duration`, if known (from a probed file or an embedded composition). */
export type NaturalDuration<Element = HtmlElement> = (clip: Clip<Element>) => number | undefined;

/** Adds seconds without binary rounding errors: 0.1 + 0.2 is 0.3. */
export function addSeconds(a: number, b: number): number {
  const sum = a + b;
  const rounded = Math.round(sum * 1e9) / 1e9;
  return Number.isFinite(rounded) ? rounded : sum;
}

/** Whether a span of time contains the moment `t`: `start <= t < end`. */
export function containsTime(span: { start: number; end: number | null }, t: number): boolean {
  return span.start <= t && (span.end === null || t < span.end);
}

/**
 * Resolves the clips of one file, given in document order. Seconds count from the start of the clip's own composition: an
 * inline composition that is a clip shifts its content, other timed elements do not. A reference resolves to the end of the
 * first clip with that id; clips of the same composition take precedence.
 */
export function resolveTimeline<Element = HtmlElement>(
  clips: readonly Clip<Element>[],
  naturalDuration: NaturalDuration<Element> = () => undefined,
): Timeline<Element> {
  const durationOf = (clip: Clip<Element>): number | undefined =>
    clip.duration?.value ?? (clip.duration ? undefined : naturalDuration(clip));
  const starts: Starts<Element> = {
    byId: indexById(clips),
    byElement: new Map(clips.map((clip) => [clip.element, clip])),
    durationOf,
    resolved: new Map(),
    problems: [],
  };
  for (const clip of clips) resolveStart(clip, starts);
  return buildTimeline(clips, starts.resolved, durationOf, starts.problems);
}

/** The starts of the clips of a file while they are resolved. A start of null cannot be resolved. */
type Starts<Element> = {
  byId: ReadonlyMap<string, Clip<Element>[]>;
  byElement: ReadonlyMap<Element, Clip<Element>>;
  durationOf: NaturalDuration<Element>;
  resolved: Map<Clip<Element>, number | null>;
  problems: TimingProblem<Element>[];
};

/**
 * Resolves a clip after all clips that it depends on. Every clip depends on at most one other, so they form a chain. A loop
 * instead of recursion, because a chain can exceed the call stack.
 */
function resolveStart<Element>(clip: Clip<Element>, starts: Starts<Element>): void {
  const { resolved, problems } = starts;
  const chain = new Set<Clip<Element>>();
  let next: Clip<Element> | undefined = clip;
  while (next && !resolved.has(next) && !chain.has(next)) {
    chain.add(next);
    next = dependencyOf(next, starts);
  }
  const members = [...chain];
  if (next && chain.has(next)) {
    const cycle = members.slice(members.indexOf(next));
    for (const [index, member] of cycle.entries()) {
      resolved.set(member, null);
      problems.push(cycleProblem(cycle, member, index));
    }
  }
  for (const member of members.reverse()) {
    if (!resolved.has(member)) resolved.set(member, startOf(member, starts));
  }
}

/** The clip that the start of a clip is relative to. */
function dependencyOf<Element>(clip: Clip<Element>, { byId, byElement }: Starts<Element>): Clip<Element> | undefined {
  if (clip.start?.kind === 'after') return referencedClip(clip, clip.start.id, byId);
  if (clip.isCue && clip.parent) return clip.parent;
  for (let owner = clip.owner; owner; owner = owner.owner) {
    const timed = byElement.get(owner.element);
    if (timed) return timed;
  }
  return undefined;
}

/** The start of a clip in seconds, after the clip that it depends on has been resolved. */
function startOf<Element>(clip: Clip<Element>, starts: Starts<Element>): number | null {
  if (!clip.start) return null;
  const { byId, durationOf, resolved, problems } = starts;
  const from = dependencyOf(clip, starts);
  const base = from && resolved.get(from);
  if (clip.start.kind === 'seconds') return base === null ? null : addSeconds(base ?? 0, clip.start.seconds);
  const { id, offset, idSpan } = clip.start;
  if (!from) {
    problems.push(unknownId(clip, id, idSpan, byId));
    return null;
  }
  if (base === null || base === undefined) return null;
  const duration = durationOf(from);
  if (duration === undefined) {
    problems.push(unknownDuration(clip, from, id, idSpan));
    return null;
  }
  return addSeconds(addSeconds(base, duration), offset);
}

function buildTimeline<Element>(
  clips: readonly Clip<Element>[],
  starts: ReadonlyMap<Clip<Element>, number | null>,
  durationOf: NaturalDuration<Element>,
  problems: TimingProblem<Element>[],
): Timeline<Element> {
  const byElement = new Map<Element, ResolvedClip<Element>>();
  const resolved: ResolvedClip<Element>[] = [];
  for (const clip of clips) {
    const start = starts.get(clip) ?? null;
    if (start === null) continue;
    if (start < 0 && clip.start) {
      const message = `${clip.name} starts ${-start} s before the composition; that part is never visible`;
      problems.push({ code: 'negative-start', severity: 'warning', message, span: clip.start.span, clip });
    }
    const duration = durationOf(clip);
    const end = duration === undefined ? null : addSeconds(start, duration);
    const around = clip.parent && byElement.get(clip.parent.element)?.shows;
    const shows = {
      start: Math.max(start, around?.start ?? 0),
      end: end === null || (around?.end ?? end) < end ? (around?.end ?? end) : end,
    };
    const one: ResolvedClip<Element> = { clip, start, end, shows };
    byElement.set(clip.element, one);
    resolved.push(one);
  }
  problems.sort((a, b) => a.span.start - b.span.start);
  return { clips: resolved, byElement, problems };
}

/** Indexes the clips of a file by each of their ids, in document order. */
export function indexById<Element>(clips: readonly Clip<Element>[]): ReadonlyMap<string, Clip<Element>[]> {
  const byId = new Map<string, Clip<Element>[]>();
  for (const clip of clips) {
    for (const id of new Set(clip.ids)) {
      const same = byId.get(id);
      if (same) same.push(clip);
      else byId.set(id, [clip]);
    }
  }
  return byId;
}

/** The clip that an id in the `data-start` of `clip` refers to. */
export function referencedClip<Element>(
  clip: Clip<Element>,
  id: string,
  byId: ReadonlyMap<string, Clip<Element>[]>,
): Clip<Element> | undefined {
  const same = byId.get(id);
  return same?.find((other) => other.owner === clip.owner) ?? same?.[0];
}

function unknownId<Element>(
  clip: Clip<Element>,
  id: string,
  span: Span,
  byId: ReadonlyMap<string, Clip<Element>[]>,
): TimingProblem<Element> {
  const glued = /^(.+)-(\d+\.?\d*|\.\d+)$/.exec(id);
  const unit = /^([\d.]+)(s|ms|sec|px)$/i.exec(id);
  let hint = didYouMean(id, byId.keys());
  const [, other = '', seconds = ''] = glued ?? [];
  if (glued && byId.has(other))
    hint = `; write "${other} - ${seconds}", with spaces, to start ${seconds} s before the end of "${other}"`;
  else if (unit) hint = '; write seconds without a unit';
  const message = `No clip has the id "${id}"${hint}`;
  return { code: 'unknown-id', severity: 'error', message, span, clip };
}

function unknownDuration<Element>(
  clip: Clip<Element>,
  from: Clip<Element>,
  id: string,
  span: Span,
): TimingProblem<Element> {
  const later =
    !from.duration && (from.media === 'video' || from.media === 'audio' || from.isHost || from.isComposition);
  const why = from.duration ? `its ${attr.duration} is invalid` : `it has no ${attr.duration}`;
  return {
    code: later ? 'unprobed-duration' : 'unknown-duration',
    severity: 'error',
    message: `The end of "${id}" is unknown because ${why}`,
    span,
    clip,
  };
}

/** The problem of one clip in a cycle. The message lists the cycle from that clip on, shortened if it is long. */
function cycleProblem<Element>(
  cycle: readonly Clip<Element>[],
  member: Clip<Element>,
  index: number,
): TimingProblem<Element> {
  const nameAfter = (steps: number) => cycle[(index + steps) % cycle.length]?.name;
  const shown = Array.from({ length: Math.min(cycle.length, 6) }, (_, steps) => nameAfter(steps));
  if (shown.length < cycle.length) shown.push('…');
  const message =
    cycle.length === 1
      ? `${member.name} starts at its own end`
      : `These clips depend on each other: ${[...shown, nameAfter(0)].join(' → ')}`;
  return { code: 'cycle', severity: 'error', message, span: member.start?.span ?? member.startSpan, clip: member };
}
