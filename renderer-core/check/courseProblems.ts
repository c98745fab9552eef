// Problems of the video as a whole: frames of one color, parts without movement, clips that never show, the last frame. Pure.
import { frameTime } from '../model/frameGrid.ts';
import type { RenderPlan } from '../plan/renderPlan.ts';
import { hex } from './contrast.ts';
import type { Problem } from './findings.ts';
import type { CheckLimits } from './limits.ts';
import type { Look, SeenClip } from './sight.ts';

/** `look.change`: since the look before. */
export type LookedFrame = { frame: number; look: Look };

type Video = Pick<RenderPlan, 'frames' | 'fps'>;

/** Changes of fewer pixels are not seen. */
const leastChange = 0.0002;

export function courseProblems(
  looks: readonly LookedFrame[],
  clips: readonly SeenClip[],
  video: Video,
  limits: CheckLimits,
): Problem[] {
  return [
    ...blankFrames(looks, video, limits),
    ...stillFrames(looks, video, limits),
    ...lastFrame(looks, video),
    ...invisibleClips(clips, video),
  ];
}

const seconds = (value: number): string => `${Number(value.toFixed(1))} s`;

function ofVideo(check: Problem['check'], frame: number, message: string, weight: number): Problem {
  return { check, source: null, message, frame, box: null, weight };
}

/** Neighboring looks that belong together, from the first to the last frame of each run. */
function runs(
  looks: readonly LookedFrame[],
  belongs: (one: LookedFrame, before: LookedFrame | undefined) => boolean,
): LookedFrame[][] {
  const found: LookedFrame[][] = [];
  for (const [index, one] of looks.entries()) {
    const last = found.at(-1);
    const before = looks[index - 1];
    if (last && before && last.at(-1) === before && belongs(one, before)) last.push(one);
    else if (belongs(one, undefined)) found.push([one]);
  }
  return found;
}

/** The end of a run is the next frame that was looked at. */
function lengthOf(run: readonly LookedFrame[], looks: readonly LookedFrame[], { frames, fps }: Video): number {
  const first = run[0]?.frame ?? 0;
  const next = looks[looks.indexOf(run.at(-1) as LookedFrame) + 1]?.frame ?? frames;
  return frameTime(next, fps) - frameTime(first, fps);
}

function blankFrames(looks: readonly LookedFrame[], video: Video, { blankSeconds }: CheckLimits): Problem[] {
  const plain = runs(looks, ({ look }) => look.isPlain);
  return plain.flatMap((run) => {
    const length = lengthOf(run, looks, video);
    const [first] = run;
    if (!first || length <= blankSeconds) return [];
    const start = frameTime(first.frame, video.fps);
    const color = hex(first.look.color.slice(0, 3));
    return [
      ofVideo(
        'blank-frames',
        first.frame,
        `Only the color ${color} is shown from ${seconds(start)} to ${seconds(start + length)}`,
        length,
      ),
    ];
  });
}

function stillFrames(looks: readonly LookedFrame[], video: Video, { stillSeconds }: CheckLimits): Problem[] {
  const still = runs(looks, ({ look }, before) => before === undefined || look.change < leastChange);
  return still.flatMap((run) => {
    const length = lengthOf(run, looks, video);
    const [first] = run;
    if (!first || first.look.isPlain || length <= stillSeconds) return [];
    const start = frameTime(first.frame, video.fps);
    return [
      ofVideo(
        'still-frames',
        first.frame,
        `Nothing moves from ${seconds(start)} to ${seconds(start + length)}`,
        length,
      ),
    ];
  });
}

/** A last frame is a mistake if it changes more than this share, after frames that were all the same. */
const jump = 0.01;

function lastFrame(looks: readonly LookedFrame[], { frames }: Video): Problem[] {
  const [held, last] = looks.slice(-2);
  if (!held || last?.frame !== frames - 1 || held.frame !== frames - 2) return [];
  if (held.look.change >= leastChange || last.look.change < jump) return [];
  const share = Math.round(100 * last.look.change);
  const message = `The last frame differs from those before it, which were all the same (${share} % of its pixels). Check what ends or begins at the duration`;
  return [ofVideo('last-frame', last.frame, message, last.look.change)];
}

/** `clips`: with `isShown` if a frame shows them. */
function invisibleClips(clips: readonly SeenClip[], { frames, fps }: Video): Problem[] {
  return clips.flatMap(({ source, name, start, end, isShown, isEmpty }) => {
    // The linter reports clips that are outside of the video.
    if (isShown || isEmpty || start >= frameTime(frames, fps) || (end !== null && end <= 0)) return [];
    const until = end === null ? 'the end' : seconds(end);
    const message = `The clip ${name} shows nothing in any frame from ${seconds(start)} to ${until}: it is transparent, hidden, without a size, or outside of the frame`;
    return [
      {
        check: 'invisible-clip' as const,
        source,
        message,
        frame: Math.min(frames - 1, Math.round((start * fps.num) / fps.den)),
        box: null,
        weight: 1,
      },
    ];
  });
}
