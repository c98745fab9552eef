// Resolves when clips show, using the known durations of media files and embedded compositions; formats times.

import { attr } from '../../renderer-core/model/attributes.ts';
import type { Media } from '../../renderer-core/model/clips.ts';
import { referenceBase, referenceCandidates } from '../../renderer-core/model/graph.ts';
import { attributeValue, type HtmlElement } from '../../renderer-core/model/text/html.ts';
import { type ResolvedClip, resolveTimeline, type Timeline } from '../../renderer-core/model/timing.ts';
import type { SourceFile } from './sourceFile.ts';

/** Resolves the clips of a file. Not cached, because other files and media durations affect the result. */
export function clipTimes(file: SourceFile): Timeline {
  const media = new Map(file.composition.media.map((each) => [each.element, each]));
  return resolveTimeline(file.composition.clips, ({ element, isHost }) => {
    if (isHost) return targetOf(file, element)?.composition.duration?.value ?? undefined;
    const played = media.get(element);
    return played && mediaLength(file, played);
  });
}

/** Seconds that a media element plays on its own; undefined if it loops or its duration is unknown. */
export function mediaLength(file: SourceFile, { src, loop, mediaStart, playbackRate }: Media): number | undefined {
  if (!src || loop) return undefined;
  const base = referenceBase(file.path, file.composition, src.span.start);
  for (const path of referenceCandidates(base, src.text)) {
    const length = file.mediaDuration(path);
    if (length !== undefined) return Math.max(0, length - (mediaStart?.value ?? 0)) / (playbackRate?.value ?? 1);
  }
  return undefined;
}

/** The composition file that a host embeds. */
export function targetOf(
  file: SourceFile,
  host: HtmlElement,
): { path: string; composition: SourceFile['composition'] } | undefined {
  const path = file.project.target(file.path, attributeValue(host, attr.compositionSrc)?.trim() ?? '');
  const composition = path === null ? undefined : file.project.composition(path);
  return path === null || !composition ? undefined : { path, composition };
}

/** The frame rate of the video that a file is part of: its own, otherwise that of a file that embeds it, otherwise 30. */
export function framesPerSecond(file: SourceFile): number {
  const seen = new Set([file.path]);
  // The set grows during iteration.
  for (const path of seen) {
    const rate = file.project.composition(path)?.fps?.value;
    if (rate) return rate;
    for (const embedder of file.project.embeddersOf(path)) seen.add(embedder);
  }
  return 30;
}

/** `2.5 s`. */
export function seconds(value: number): string {
  return `${round(value)} s`;
}

/** `2.5 s (75 frames)`. */
export function secondsAndFrames(value: number, fps: number): string {
  const frames = round(value * fps);
  return `${seconds(value)} (${frames} ${frames === 1 ? 'frame' : 'frames'})`;
}

/** `0 s – 2.5 s`; an open end is `…`. */
export function timeSpan({ start, end }: Pick<ResolvedClip, 'start' | 'end'>): string {
  return `${seconds(start)} – ${end === null ? '…' : seconds(end)}`;
}

/** Rounds to thousandths, for display. */
export function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
