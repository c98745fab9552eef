import type { ProjectGraph } from '../../../model/graph.ts';
import { resolveTimeline } from '../../../model/timing.ts';
import type { Feature } from '../feature.ts';

/**
 * While a page shows videos, a browser without a limit composes them thousands of times in a second, which takes half of
 * two cores. With the limit, a frame without any change takes up to 16 ms more. So videos must be shown for at least this part of
 * the time.
 */
const minVideoShare = 0.25;

export const video: Feature = {
  name: 'video',
  about: 'Videos and sounds',
  share: 'not counted',
  expect: (graph) => ({ needs: { displayRate: videoShare(graph) >= minVideoShare } }),
};

/** The time in which each video of the files is shown, in total, divided by the length of the composition. */
function videoShare(graph: ProjectGraph): number {
  const length = graph.files.get(graph.entry)?.duration?.value ?? null;
  let shown = 0;
  for (const [file, { media, clips, duration }] of graph.files) {
    const videos = media.filter(({ kind }) => kind === 'video');
    if (videos.length > 0 && length === null) return 1;
    const mounts = graph.mounts.filter(({ target }) => target === file).length;
    const { byElement } = resolveTimeline(clips);
    for (const { element } of videos) {
      const { start, end } = byElement.get(element)?.shows ?? { start: 0, end: null };
      shown += Math.max(1, mounts) * Math.max(0, (end ?? duration?.value ?? length ?? 0) - start);
    }
  }
  return length ? shown / length : 0;
}
