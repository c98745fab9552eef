// The clips of the live document: which elements are timed, when they show, and which composition's clock they follow.
import { attr } from '../model/attributes.ts';
import type { Clip, Owner } from '../model/clips.ts';
import { parseNumber } from '../model/fields.ts';
import type { Span } from '../model/spans.ts';
import { holds, parseStart, type ResolvedClip, resolveTimeline } from '../model/timing.ts';
import type { ShownClip } from './control.ts';
import { hiddenAttribute, instanceAttribute, timingFault } from './page.ts';

export type Clips = {
  /** Reads the clips from the document as the scripts have left it. */
  read(): void;
  /** Hides what is outside its time at `seconds`, and shows the rest. Returns the elements for which that is a change. */
  show(seconds: number): Element[];
  /** Second at which an element's nearest clip starts; 0 outside every clip. */
  startOf(element: Element): number;
  /** When an element's nearest clip starts and shows; all the time outside every clip. */
  timeOf(element: Element): { start: number; shows: { start: number; end: number | null } };
  /** Second at which the clock of the composition that an element is, or is in, stands at 0. */
  origin(element: Element): number;
  /** Latest known end of a clip. */
  end(): number;
  all(): ShownClip[];
};

const compositionSelector = `[${attr.compositionId}],[${instanceAttribute}]`;
const nowhere: Span = { start: 0, end: 0 };

/** `naturalDuration`: seconds that an element plays for by itself, once its media file is known. */
export function createClips(document: Document, naturalDuration: (element: Element) => number | undefined): Clips {
  let byElement: ReadonlyMap<Element, ResolvedClip<Element>> = new Map();

  const nearest = (element: Element): ResolvedClip<Element> | undefined => {
    for (let at: Element | null = element; at; at = at.parentElement) {
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
      byElement = timeline.byElement;
      const errors = timeline.problems.filter(({ severity }) => severity === 'error');
      if (errors.length > 0) throw new Error(timingFault + errors.map(({ message }) => message).join('; '));
    },
    show(seconds) {
      const toggled: Element[] = [];
      for (const [element, { shows }] of byElement) {
        const hidden = !holds(shows, seconds);
        if (element.hasAttribute(hiddenAttribute) === hidden) continue;
        element.toggleAttribute(hiddenAttribute, hidden);
        toggled.push(element);
      }
      return toggled;
    },
    startOf: (element) => Math.max(0, nearest(element)?.start ?? 0),
    timeOf: (element) => nearest(element) ?? { start: 0, shows: { start: 0, end: null } },
    origin(element) {
      // The clock of a composition starts with its own clip, or with the clip of the composition around it.
      const around = (at: Element | null) => at?.closest(compositionSelector) ?? null;
      for (let at = around(element); at; at = around(at.parentElement)) {
        const clip = byElement.get(at);
        if (clip) return clip.start;
      }
      return 0;
    },
    end: () => Math.max(0, ...[...byElement.values()].map((clip) => clip.end ?? 0)),
    all: () => [...byElement].map(([element, { shows }]) => ({ element, ...shows })),
  };
}

/** The document's timed elements as the model's clips, in document order. The root composition is no clip. */
function readClips(document: Document): Clip<Element>[] {
  // As in the model: the page around a composition may carry its id too.
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
    // Neither the page's root nor a mounted file's own root is a clip: compositions start at 0, hosts say when.
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
    owner,
    parent,
  };
}

/** A mount without a duration of its own lasts as long as the composition in it says. */
function mountedDuration({ element, isHost }: Clip<Element>): number | undefined {
  const inner = isHost ? element.querySelector(`[${attr.compositionId}][${attr.duration}]`) : null;
  return (inner && readNumber(inner, attr.duration)?.value) ?? undefined;
}

function readNumber(element: Element, name: string) {
  const raw = element.getAttribute(name);
  return raw === null ? null : { raw, value: parseNumber(raw), span: nowhere };
}
