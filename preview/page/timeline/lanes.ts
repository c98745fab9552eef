// The layout of the timeline: clips in lanes by track, with lanes of embedded compositions below their host.

export type ClipKind = 'composition' | 'video' | 'audio' | 'image' | 'text' | 'shape';

/**
 * A clip of the page. Times are seconds of the top-level composition; `end` is null if the clip has no end. `parent` is the
 * index of the clip that contains it.
 */
export type ClipFact = {
  label: string;
  kind: ClipKind;
  start: number;
  end: number | null;
  track: number | null;
  parent: number | null;
  /** Where its start tag starts; null for clips that scripts create. */
  source: { file: string; offset: number } | null;
};

export type LaneClip = { index: number; label: string; kind: ClipKind; start: number; end: number };

/** `depth` is the number of clips that contain the clips of the lane; `host` is the index of the innermost one. */
export type Lane = { depth: number; host: number | null; track: number | null; clips: LaneClip[] };

/**
 * Returns the lanes from top to bottom: one per track, or more if its clips overlap. The lanes of expanded clips follow
 * the lane of the clip. Clips without a track share lanes if they do not overlap.
 */
export function layOut(clips: readonly ClipFact[], duration: number, isExpanded: (index: number) => boolean): Lane[] {
  const childrenOf = new Map<number | null, number[]>();
  for (const [index, { parent }] of clips.entries()) childrenOf.set(parent, [...(childrenOf.get(parent) ?? []), index]);

  const lanesOf = (host: number | null, depth: number): Lane[] => {
    const tracks = new Map<number | null, LaneClip[]>();
    for (const index of childrenOf.get(host) ?? []) {
      const { label, kind, start, end, track } = clips[index] as ClipFact;
      const shown = { index, label, kind, start: Math.max(0, start), end: Math.min(duration, end ?? duration) };
      if (shown.end <= shown.start) continue;
      tracks.set(track, [...(tracks.get(track) ?? []), shown]);
    }
    const ordered = [...tracks].sort(([a], [b]) => (a ?? Number.POSITIVE_INFINITY) - (b ?? Number.POSITIVE_INFINITY));
    return ordered.flatMap(([track, of]) =>
      rows(of).flatMap((row) => [
        { depth, host, track, clips: row },
        ...row.filter(({ index }) => isExpanded(index)).flatMap(({ index }) => lanesOf(index, depth + 1)),
      ]),
    );
  };
  return lanesOf(null, 0);
}

/** Distributes clips to the smallest number of rows without overlaps. */
function rows(clips: readonly LaneClip[]): LaneClip[][] {
  const found: LaneClip[][] = [];
  for (const clip of [...clips].sort((a, b) => a.start - b.start || a.index - b.index)) {
    const free = found.find((row) => (row.at(-1)?.end ?? 0) <= clip.start + 1e-6);
    if (free) free.push(clip);
    else found.push([clip]);
  }
  return found;
}

/** The indexes of clips that contain other clips. */
export function hostIndexes(clips: readonly ClipFact[]): Set<number> {
  return new Set(clips.flatMap(({ parent }) => (parent === null ? [] : [parent])));
}
