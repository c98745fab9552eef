// The sample frames of a render: painted frames that must agree with the browser's own screenshots.

import type { ShownClip } from '../page/runtime/control.ts';
import type { RenderPlan } from '../plan/renderPlan.ts';
import type { Area, Comparison } from './page/compareFrames.ts';

/** A frame to compare, and another one to compare too if it shows only one color; null if there is no other. */
export type Sample = { frame: number; spare: number | null };

/** The time in which a clip is shown, in seconds. `end` is null if it is shown to the end. */
export type ShownTime = Pick<ShownClip, 'start' | 'end'>;

/** One sample for this many frames, from three to five in total: each costs an eighth of a second of work. */
const framesPerSample = 600;

/** In seconds. After that, what a clip shows has usually appeared, and before that its end has not begun to fade. */
const settled = 1.3;

/** Candidates in each part of the video. */
const candidateCount = 32;

/**
 * One sample in each of several equal parts of the video: where the most clips are shown and none has just begun or is
 * about to end. If frames are equally good, the nearest to a little after the middle of the part. Middles themselves are
 * often round times, when a slide begins and nothing of it is visible yet. `needsOneSample`: the page has only
 * features that are always painted as on a screen; then a short video has a single sample.
 */
export function planSamples(
  { frames, fps }: Pick<RenderPlan, 'frames' | 'fps'>,
  clips: readonly ShownTime[],
  needsOneSample = false,
): Sample[] {
  const count = Math.min(frames, 5, Math.max(needsOneSample ? 1 : 3, Math.ceil(frames / framesPerSample)));
  const seconds = (frame: number): number => (frame * fps.den) / fps.num;
  const score = (frame: number): number => visibility(seconds(frame), seconds(frames), clips);
  return Array.from({ length: count }, (_, part) => {
    const [start, end] = [Math.ceil((part * frames) / count), Math.ceil(((part + 1) * frames) / count)];
    const length = end - start;
    const middle = Math.floor((frames * (2 * part + 1)) / (2 * count));
    const target = middle + Math.floor(Math.min((settled * fps.num) / fps.den, frames / count / 4));
    const spread = Array.from(
      { length: candidateCount },
      (_, index) => start + Math.floor((index * length) / candidateCount),
    );
    const candidates = [...new Set([target, ...spread])];
    const frame = best(candidates, score, target) ?? target;
    const others = candidates.filter((other) => Math.abs(other - frame) >= Math.max(1, length / 4));
    return { frame, spare: best(others, score, frame < middle ? end - length / 4 : start + length / 4) ?? null };
  });
}

/** A snapshot passes at most this many frames only to compare samples: ten seconds. */
const framesNearby = 300;

/**
 * The samples to compare for a snapshot of `frames`: those of the video that it passes, and those of the first ten seconds.
 * If there are none, it compares its own first frame: passing an hour to compare others would take minutes.
 */
export function snapshotSamples(samples: readonly Sample[], frames: readonly number[]): Sample[] {
  const last = Math.max(framesNearby, ...frames);
  const near = samples.filter(({ frame }) => frame <= last);
  if (near.length === 0) return [{ frame: frames[0] ?? 0, spare: null }];
  return near.map(({ frame, spare }) => ({ frame, spare: spare !== null && spare <= last ? spare : null }));
}

/** The candidate with the highest score; of several, the one nearest to `target`, then the earliest. */
function best(candidates: readonly number[], score: (frame: number) => number, target: number): number | undefined {
  const rated = candidates.map((frame) => ({ frame, score: score(frame), distance: Math.abs(frame - target) }));
  rated.sort((a, b) => b.score - a.score || a.distance - b.distance || a.frame - b.frame);
  return rated[0]?.frame;
}

/** How well clips are visible at a time: 100 for each that has been shown for a while and stays for a while. */
function visibility(time: number, duration: number, clips: readonly ShownTime[]): number {
  return clips.reduce((sum, { start, end }) => {
    const until = end ?? duration;
    const needed = Math.min(settled, (until - start) / 2);
    const depth = Math.min(time - start, until - time, needed);
    // Integers, so that the sum does not depend on the order of the clips.
    return depth > 0 ? sum + Math.round((100 * depth) / needed) : sum;
  }, 0);
}

/**
 * In levels of 255: two correct rasterizers round gradients, blurs and colors differently by up to three, and scaled images
 * by some more.
 */
export const tolerance = 10;
/** In 16x16 pixels. Correct frames have up to 16, mostly none; a missing line has 32, an edge moved by two pixels 48. */
export const minDiffering = 24;
/** In dB, for the mean colors of the whole frame, which rasterizers keep. It detects colors that are wrong everywhere. */
export const minColors = 40;
/** In dB, for the mean colors of a tile. It detects wrong colors in photos and noise, whose contrast hides them. */
export const minTile = 28;

/** What differs and where, as the end of a sentence about the painted frame; null if both frames show the same. */
export function findDifference({ colors, worstTile, differing }: Comparison): string | null {
  if (differing.pixels >= minDiffering) return `at ${describeArea(differing.area)}`;
  if (worstTile.decibels < minTile) return `in color at ${describeArea(worstTile.area)}`;
  if (colors < minColors) return `in its colors (${colors.toFixed(1)} dB)`;
  return null;
}

/** In pixels. */
const narrowSide = 64;

/**
 * Whether what differs is narrow, as a plane in 3D that is seen almost from its side: the compositor draws it coarsely, so a
 * screenshot of double size may agree.
 */
export function differsNarrowly({ differing: { pixels, area } }: Comparison): boolean {
  return pixels >= minDiffering && Math.min(area.width, area.height) <= narrowSide;
}

const describeArea = ({ x, y, width, height }: Area): string => `${x},${y} (an area of ${width}x${height} pixels)`;
