// The timeline's lanes as data: clips on their tracks, those of embedded compositions below their host.

export type ClipKind = 'composition' | 'video' | 'audio' | 'image' | 'text' | 'shape';

/** A clip of the page. Seconds of the top-level composition; `end` null: to the end. `parent` is the place of the clip around it in the list. */
export type ClipFact = {
  label: string;
  kind: ClipKind;
  start: number;
  end: number | null;
  track: number | null;
  parent: number | null;
};

export type LaneClip = { index: number; label: string; kind: ClipKind; start: number; end: number };

/** `depth`: how many clips are around those of the lane; `host`: the one directly around. */
export type Lane = { depth: number; host: number | null; clips: LaneClip[] };

/**
 * Lanes from top to bottom: for each track one, more where its clips overlap, and behind each lane those of the clips in
 * it that are expanded. Clips without a track share a lane where they do not overlap.
 */
export function layOut(clips: readonly ClipFact[], duration: number, isOpen: (index: number) => boolean): Lane[] {
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
    return ordered.flatMap(([, of]) =>
      rows(of).flatMap((row) => [
        { depth, host, clips: row },
        ...row.filter(({ index }) => isOpen(index)).flatMap(({ index }) => lanesOf(index, depth + 1)),
      ]),
    );
  };
  return lanesOf(null, 0);
}

/** As few rows as it takes for no two clips to overlap. */
function rows(clips: readonly LaneClip[]): LaneClip[][] {
  const found: LaneClip[][] = [];
  for (const clip of [...clips].sort((a, b) => a.start - b.start || a.index - b.index)) {
    const free = found.find((row) => (row.at(-1)?.end ?? 0) <= clip.start + 1e-6);
    if (free) free.push(clip);
    else found.push([clip]);
  }
  return found;
}

/** Which clips have others in them. */
export function hasInside(clips: readonly ClipFact[]): Set<number> {
  return new Set(clips.flatMap(({ parent }) => (parent === null ? [] : [parent])));
}
