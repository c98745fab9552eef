// The clips of the live document: their elements, when they are shown, and the clock of their composition.
import { attr } from '../../model/attributes.ts';
import type { Clip, Owner } from '../../model/clips.ts';
import { borderOnFrame, type FrameRate } from '../../model/frameGrid.ts';
import { parseStart } from '../../model/startSyntax.ts';
import type { Span } from '../../model/text/spans.ts';
import { containsTime, type ResolvedClip, resolveTimeline } from '../../model/timing.ts';
import { parseNumber } from '../../model/variables/fields.ts';
import type { ShownClip } from './control.ts';
import { cueAttribute, hiddenAttribute, instanceAttribute, timingErrorPrefix } from './page.ts';
import { outermost } from './shadowRoots.ts';

export type Clips = {
  /** Reads the clips from the current document. */
  read(): void;
  /** Shows the clips at `seconds` and hides all others. Returns the elements that have changed. */
  show(seconds: number): Element[];
  /** The start of an element's nearest clip in seconds; 0 outside of clips and without an element. */
  startOf(element: Element | null): number;
  /** The start of an element's nearest clip and the time in which it is shown. Outside of clips that is always. */
  timeOf(element: Element): { start: number; shows: { start: number; end: number | null } };
  /** The time in seconds at which the clock of the element's composition is 0; 0 without an element. */
  origin(element: Element | null): number;
  /** The latest known end of a clip, in seconds. */
  end(): number;
  all(): ShownClip[];
};

const compositionSelector = `[${attr.compositionId}],[${instanceAttribute}]`;
const nowhere: Span = { start: 0, end: 0 };

/** `naturalDuration` returns the length of an element's media file in seconds, if it is known. */
export function createClips(
  document: Document,
  rate: FrameRate,
  naturalDuration: (element: Element) => number | undefined,
): Clips {
  /** The clips with the times that the author wrote. */
  let clips: readonly ResolvedClip<Element>[] = [];
  /** The same clips, whose borders are moved to frames. */
  let byElement: ReadonlyMap<Element, ResolvedClip<Element>> = new Map();

  const nearest = (element: Element | null): ResolvedClip<Element> | undefined => {
    for (let at = element && outermost(element); at; at = at.parentElement) {
      const found = byElement.get(at);
      if (found) return found;
    }
    return undefined;
  };

  return {
    read() {
      const timeline = resolveTimeline(
        readClips(document),
        (clip) => naturalDuration(clip.element) ?? mountedDuration(clip),
      );
      clips = timeline.clips;
      byElement = new Map(clips.map((one) => [one.clip.element, onFrames(one, rate)]));
      const errors = timeline.problems.filter(({ severity }) => severity === 'error');
      if (errors.length > 0) throw new Error(timingErrorPrefix + errors.map(({ message }) => message).join('; '));
    },
    show(seconds) {
      const toggled: Element[] = [];
      for (const [element, { shows }] of byElement) {
        const hidden = !containsTime(shows, seconds);
        if (element.hasAttribute(hiddenAttribute) === hidden) continue;
        element.toggleAttribute(hiddenAttribute, hidden);
        toggled.push(element);
      }
      return toggled;
    },
    startOf: (element) => Math.max(0, nearest(element)?.start ?? 0),
    timeOf: (element) => nearest(element) ?? { start: 0, shows: { start: 0, end: null } },
    origin(element) {
      // The clock of a composition starts with its clip, or else with the clip of the composition around it.
      const around = (at: Element | null) => at?.closest(compositionSelector) ?? null;
      for (let at = around(element); at; at = around(at.parentElement)) {
        const clip = byElement.get(at);
        if (clip) return clip.start;
      }
      return 0;
    },
    // A file of captions may be longer than the video.
    end: () => clips.reduce((last, { clip, end }) => (clip.isCue ? last : Math.max(last, end ?? 0)), 0),
    all: () => clips.flatMap(({ clip, shows }) => (clip.isCue ? [] : [{ element: clip.element, ...shows }])),
  };
}

function onFrames(one: ResolvedClip<Element>, rate: FrameRate): ResolvedClip<Element> {
  const border = (seconds: number | null) => seconds && borderOnFrame(seconds, rate);
  const { shows } = one;
  return {
    ...one,
    start: borderOnFrame(one.start, rate),
    end: border(one.end),
    shows: { start: borderOnFrame(shows.start, rate), end: border(shows.end) },
  };
}

/** The document's timed elements as the model's clips, in document order. The root composition is not a clip. */
function readClips(document: Document): Clip<Element>[] {
  // The model does the same: an element around the composition may have a composition id too.
  const root =
    document.querySelector(`[${attr.compositionId}][${attr.width}]`) ??
    document.querySelector(`[${attr.compositionId}]`);
  const owners = new Map<Element, Owner<Element>>();
  const ownerOf = (element: Element): Owner<Element> | null => {
    const composition = element.parentElement?.closest(compositionSelector) ?? null;
    if (!composition) return null;
    const known = owners.get(composition);
    if (known) return known;
    const owner: Owner<Element> = { element: composition, owner: ownerOf(composition) };
    owners.set(composition, owner);
    return owner;
  };
  const clips = new Map<Element, Clip<Element>>();
  for (const element of document.querySelectorAll(`[${attr.start}]`)) {
    // The roots of the page and of mounted files are not clips: they start at 0 of their clock.
    if (element === root || isMountedRoot(element)) continue;
    const parent = element.parentElement?.closest(`[${attr.start}]`);
    clips.set(element, readClip(element, ownerOf(element), (parent && clips.get(parent)) ?? null));
  }
  return [...clips.values()];
}

function isMountedRoot(element: Element): boolean {
  return element.hasAttribute(attr.compositionId) && element.parentElement?.hasAttribute(instanceAttribute) === true;
}

function readClip(element: Element, owner: Owner<Element> | null, parent: Clip<Element> | null): Clip<Element> {
  const text = element.getAttribute(attr.start) ?? '';
  const start = parseStart({ text, span: { start: 0, end: text.length }, quote: '"', steps: [0, 0] });
  const ids = [element.id, element.getAttribute(attr.compositionId) ?? ''].filter((id) => id !== '');
  return {
    element,
    ids,
    name: ids[0] === undefined ? `<${element.localName}>` : `"${ids[0]}"`,
    start: 'problem' in start ? null : start,
    startSpan: nowhere,
    duration: readNumber(element, attr.duration),
    trackIndex: null,
    media: null,
    isHost: element.hasAttribute(instanceAttribute),
    isComposition: element.hasAttribute(attr.compositionId),
    isCue: element.hasAttribute(cueAttribute),
    owner,
    parent,
  };
}

/** A mount without a duration has the duration of the composition in it. */
function mountedDuration({ element, isHost }: Clip<Element>): number | undefined {
  const inner = isHost ? element.querySelector(`[${attr.compositionId}][${attr.duration}]`) : null;
  return (inner && readNumber(inner, attr.duration)?.value) ?? undefined;
}

function readNumber(element: Element, name: string) {
  const raw = element.getAttribute(name);
  return raw === null ? null : { raw, value: parseNumber(raw), span: nowhere };
}
