// Clips (elements with `data-start`) and media elements.
import { attr } from './attributes.ts';
import { candidateSources } from './sourceElements.ts';
import { parseStart, type StartSpec } from './startSyntax.ts';
import { type HtmlElement, mappedText } from './text/html.ts';
import type { Span } from './text/spans.ts';
import {
  type FieldProblemCode,
  flagField,
  type NumberField,
  numberField,
  type ProblemSink,
  type TextField,
  textField,
} from './variables/fields.ts';

export type MediaKind = 'video' | 'audio' | 'image';

/** A composition element and the composition that contains it; null for the root. */
export type Owner<Element = HtmlElement> = { element: Element; owner: Owner<Element> | null };

/**
 * A timed element. The root composition is not a clip: it always starts at 0. The page script creates clips from DOM
 * elements after scripts ran, and resolves them with the same function.
 */
export type Clip<Element = HtmlElement> = {
  element: Element;
  /** The ids by which other clips can refer to it: its `id`, then its `data-composition-id`. */
  ids: string[];
  /** For messages: the id in quotes, or the tag in angle brackets. */
  name: string;
  /** Null if `data-start` is invalid; the problems of the composition give the reason. */
  start: StartSpec | null;
  startSpan: Span;
  duration: NumberField | null;
  trackIndex: NumberField | null;
  media: MediaKind | null;
  isHost: boolean;
  isComposition: boolean;
  /** A caption in the page, which starts relative to the clip around it. */
  isCue: boolean;
  /** The composition whose time the start refers to; null outside every composition. */
  owner: Owner<Element> | null;
  /** The nearest enclosing clip; this clip is visible only while that one is. */
  parent: Clip<Element> | null;
};

export type ClipProblemCode = FieldProblemCode | 'invalid-start';

/** A video or audio element, timed or not. */
export type Media = {
  element: HtmlElement;
  kind: 'video' | 'audio';
  clip: Clip | null;
  /** `src` of the element, otherwise of its first `<source>`; null if a script or a variable sets it. */
  src: TextField | null;
  duration: NumberField | null;
  mediaStart: NumberField | null;
  playbackRate: NumberField | null;
  volume: NumberField | null;
  loop: boolean;
  muted: boolean;
  /** Null when the attribute is absent. */
  hasAudio: boolean | null;
};

export function readClip(
  text: string,
  element: HtmlElement,
  owner: Owner | null,
  parent: Clip | null,
  problems: ProblemSink<ClipProblemCode>,
): Clip | undefined {
  const value = mappedText(text, element, attr.start);
  const startField = textField(element, attr.start);
  if (!value || !startField) return undefined;
  const start = parseStart(value);
  if ('problem' in start && !value.hasPlaceholder)
    problems.push({ code: 'invalid-start', severity: 'error', message: start.problem.message, span: startField.span });
  const ids = [textField(element, 'id'), textField(element, attr.compositionId)].flatMap((field) =>
    field?.text ? [field.text] : [],
  );
  return {
    element,
    ids,
    name: ids[0] === undefined ? `<${element.tag}>` : `"${ids[0]}"`,
    start: 'problem' in start ? null : start,
    startSpan: startField.span,
    duration: numberField(element, 'duration', problems),
    trackIndex: numberField(element, 'trackIndex', problems),
    media: mediaKind(element),
    isHost: element.attributes.has(attr.compositionSrc),
    isComposition: element.attributes.has(attr.compositionId),
    isCue: false,
    owner,
    parent,
  };
}

export function readMedia(element: HtmlElement, clip: Clip | null, problems: ProblemSink<FieldProblemCode>): Media {
  const [source] = candidateSources(element);
  return {
    element,
    kind: element.tag === 'audio' ? 'audio' : 'video',
    clip,
    src: textField(element, 'src') ?? (source ? textField(source, 'src') : null),
    // The clip has already read the duration; reading it again would report its problems twice.
    duration: clip ? clip.duration : numberField(element, 'duration', problems),
    mediaStart: numberField(element, 'mediaStart', problems),
    playbackRate: numberField(element, 'playbackRate', problems),
    volume: numberField(element, 'volume', problems),
    loop: flagField(element, 'loop') ?? false,
    muted: flagField(element, 'muted') ?? false,
    hasAudio: flagField(element, 'hasAudio'),
  };
}

/** The media kind of an element. SVG's `<image>` and the children of `<picture>` are not media. */
export function mediaKind(element: HtmlElement): MediaKind | null {
  if (element.tag === 'video' || element.tag === 'audio') return element.tag;
  return element.tag === 'img' ? 'image' : null;
}
