// Estimates how long a running render still takes.

/** The progress of a render (0 to 1) at a time in milliseconds. */
export type Milestone = { at: number; progress: number };

/** Returns milliseconds at the speed since the first frames; infinite while the speed is unknown. */
export function remainingMs(first: Milestone | undefined, last: Milestone): number {
  if (!first || last.progress <= first.progress) return Number.POSITIVE_INFINITY;
  const speed = (last.progress - first.progress) / Math.max(1, last.at - first.at);
  return (1 - last.progress) / speed;
}
