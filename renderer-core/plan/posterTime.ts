// Chooses the poster frame: the frame that represents a video in the preview and in thumbnails.

/** Entrance animations have usually ended by then, in seconds; in a short video, after a third of it. */
const introSeconds = 1.5;
/** The number of frames that are checked from the end of the intro to the end of the video. */
const checks = 6;

/** `posterTime`: the value of `data-poster-time`; null if there is none. In seconds. */
export type PosterFacts = { posterTime: number | null; duration: number };

/**
 * The time of the poster frame in seconds: `data-poster-time`, else the first frame after the intro that is not blank, else the
 * middle. `isBlank` is called with increasing times.
 */
export async function choosePosterTime(
  { posterTime, duration }: PosterFacts,
  isBlank: (seconds: number) => Promise<boolean>,
): Promise<number> {
  if (posterTime !== null && posterTime <= duration) return posterTime;
  const intro = Math.min(introSeconds, duration / 3);
  for (let check = 0; check < checks; check++) {
    const time = intro + (check * (duration - intro)) / checks;
    if (!(await isBlank(time))) return time;
  }
  return duration / 2;
}

/**
 * The time of `data-poster-time` in a video that shows the composition from `start` for `duration`, in seconds. Empty if there is
 * none, or if the video does not show it.
 */
export function posterInVideo(
  posterTime: number | null,
  { start, duration }: { start: number; duration: number },
): { posterSeconds?: number } {
  if (posterTime === null || posterTime < start || posterTime > start + duration) return {};
  return { posterSeconds: posterTime - start };
}
