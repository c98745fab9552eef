// What is wrong with a frame, judged from what the page reports. Pure.
import type { CheckId } from '../lint/checkTable.ts';
import { percentDecode } from '../model/text/percentText.ts';
import { boxAround, intersect } from './boxes.ts';
import { hex, leastContrast, nearestColor } from './contrast.ts';
import type { CheckLimits } from './limits.ts';
import type { Box, SeenContrast, SeenText, Sight } from './sight.ts';

/**
 * A problem of a frame. `source`: see `SeenElement`; null for the composition as a whole. `weight`: how bad it is, compared
 * with other findings of the same check and element.
 */
export type Problem = {
  check: CheckId;
  source: string | null;
  message: string;
  frame: number;
  box: Box | null;
  weight: number;
  /** The color that would have enough contrast. */
  color?: string;
};

/** A frame that was looked at. `before`: the frame in front of it; null for the first. */
export type Moment = { frame: number; sight: Sight; before: Sight | null; contrasts: readonly SeenContrast[] };

/** Boxes of text contain room above and below their letters. */
const above = 0.2;
const below = 0.15;
/** Rounding, and letters that reach over their box. */
const tolerance = 2;

/** Texts that neither move nor fade: only they are where the author wants them. In the first frame, that is not known. */
export function settledTexts({ sight, before }: Pick<Moment, 'sight' | 'before'>): SeenText[] {
  if (!before) return [];
  const earlier = new Map(before.texts.map((text) => [text.key, text]));
  return sight.texts.filter((text) => {
    const last = earlier.get(text.key);
    return last !== undefined && isSame(last, text);
  });
}

const mostMovement = 0.5;

function isSame(a: SeenText, b: SeenText): boolean {
  if (Math.abs(a.opacity - b.opacity) > 0.02 || a.lines.length !== b.lines.length) return false;
  return a.lines.every((line, index) => {
    const other = b.lines[index];
    return (
      other !== undefined &&
      Math.abs(line.left - other.left) <= mostMovement &&
      Math.abs(line.top - other.top) <= mostMovement &&
      Math.abs(line.width - other.width) <= mostMovement
    );
  });
}

export function problemsOf(moment: Moment, limits: CheckLimits): Problem[] {
  const texts = settledTexts(moment);
  const { frame, sight } = moment;
  const about = (check: CheckId, text: SeenText, message: string, box: Box, weight: number): Problem => ({
    ...{ check, source: text.source, message, frame, box, weight },
  });
  return [
    ...texts.flatMap((text) => placeProblems(text, sight, limits, about)),
    ...overlaps(texts, about),
    ...enlargedImages(sight, frame),
  ];
}

type About = (check: CheckId, text: SeenText, message: string, box: Box, weight: number) => Problem;

/** How far a box reaches out of another one on each side, in whole pixels. Heights are those of letters. */
export function excess(line: Box, outer: Box): { side: string; pixels: number } | null {
  const inner = lettersOf(line);
  const sides = [
    { side: 'on the left', pixels: outer.left - inner.left },
    { side: 'on the right', pixels: inner.left + inner.width - (outer.left + outer.width) },
    { side: 'at the top', pixels: outer.top - inner.top },
    { side: 'at the bottom', pixels: inner.top + inner.height - (outer.top + outer.height) },
  ];
  const most = sides.sort((a, b) => b.pixels - a.pixels)[0];
  return most && most.pixels > tolerance ? { side: most.side, pixels: Math.round(most.pixels) } : null;
}

const lettersOf = ({ left, top, width, height }: Box): Box => ({
  ...{ left, width, top: top + above * height, height: (1 - above - below) * height },
});

function mostExcess(text: SeenText, outer: Box): ReturnType<typeof excess> {
  const found = text.lines.flatMap((line) => excess(line, outer) ?? []);
  return found.sort((a, b) => b.pixels - a.pixels)[0] ?? null;
}

function placeProblems(text: SeenText, { width, height }: Sight, limits: CheckLimits, about: About): Problem[] {
  const frame: Box = { left: 0, top: 0, width, height };
  const quoted = `“${text.text}”`;
  const box = boxAround(text.lines);
  const outside = isMasked(text) ? null : mostExcess(text, frame);
  if (outside) {
    const message = `${quoted} leaves the frame by ${outside.pixels} px ${outside.side}`;
    return [about('text-outside-frame', text, message, box, outside.pixels)];
  }
  if (text.isTurned) return [];
  const problems: Problem[] = [];
  const cut = text.cutBy && !isMasked(text) ? mostExcess(text, text.window) : null;
  if (text.isShortened) {
    problems.push(about('text-cut', text, `${quoted} does not fit and ends with “…”`, box, 1));
  } else if (cut && text.cutBy) {
    const message = `${quoted} is cut off by ${cut.pixels} px ${cut.side}, by the overflow of ${text.cutBy.name}`;
    problems.push(about('text-cut', text, message, box, cut.pixels));
  }
  const left = text.surface && problems.length === 0 ? mostExcess(text, text.surface.box) : null;
  if (left && text.surface) {
    const message = `${quoted} leaves its box ${text.surface.name} by ${left.pixels} px ${left.side}`;
    problems.push(about('text-outside-box', text, message, box, left.pixels));
  }
  const margin = limits.safeArea;
  const safe = {
    left: margin * width,
    top: margin * height,
    width: (1 - 2 * margin) * width,
    height: (1 - 2 * margin) * height,
  };
  const unsafe = margin > 0 ? mostExcess(text, safe) : null;
  if (unsafe) {
    const message = `${quoted} is outside of the safe area by ${unsafe.pixels} px ${unsafe.side}`;
    problems.push(about('text-outside-safe-area', text, message, box, unsafe.pixels));
  }
  return problems;
}

/** Text of which less than half of the height shows waits for its entrance behind a mask or the border of the frame, or has left. */
const isMasked = ({ lines, window }: SeenText): boolean =>
  lines.every((line) => intersect(lettersOf(line), window).height < 0.5 * lettersOf(line).height);

/** This share of the smaller text is under the other one. */
const leastOverlap = 0.2;
/** Single letters of animated titles touch each other. */
const leastLetters = 3;

function overlaps(texts: readonly SeenText[], about: About): Problem[] {
  const flat = texts.filter(({ isTurned, text, opacity }) => !isTurned && text.length >= leastLetters && opacity > 0.3);
  return flat.flatMap((text, index) =>
    flat.slice(index + 1).flatMap((other) => {
      // Copies of a text are an effect.
      if (text.text === other.text) return [];
      const share = sharedArea(text, other) / Math.min(lettersArea(text), lettersArea(other));
      if (share < leastOverlap) return [];
      const message = `“${other.text}” overlaps “${text.text}” (${text.name})`;
      return [about('text-overlap', other, message, boxAround([...text.lines, ...other.lines]), share)];
    }),
  );
}

/** The letters of a text that its ancestors do not cut off. */
const visibleLetters = ({ lines, window }: SeenText): Box[] => lines.map((line) => intersect(lettersOf(line), window));

const lettersArea = (text: SeenText): number =>
  Math.max(
    1,
    visibleLetters(text).reduce((sum, { width, height }) => sum + width * height, 0),
  );

function sharedArea(a: SeenText, b: SeenText): number {
  let sum = 0;
  for (const one of visibleLetters(a)) {
    for (const other of visibleLetters(b)) {
      const { width, height } = intersect(one, other);
      sum += width * height;
    }
  }
  return sum;
}

/** The best contrast of each text: dim words may become bright later. */
export type BestContrasts = Map<number, { contrast: SeenContrast; text: SeenText; frame: number }>;

export function noteContrasts(best: BestContrasts, { frame, sight, contrasts }: Moment): void {
  for (const contrast of contrasts) {
    const text = sight.texts.find(({ key }) => key === contrast.key);
    const known = best.get(contrast.key)?.contrast.ratio ?? 0;
    if (text && contrast.ratio > known) best.set(contrast.key, { contrast, text, frame });
  }
}

export function contrastProblems(best: BestContrasts): Problem[] {
  return [...best.values()].flatMap(({ contrast: { ratio, color, behind }, text, frame }): Problem[] => {
    const least = leastContrast(text.isLarge);
    if (ratio >= least) return [];
    const better = nearestColor(color, behind, least);
    const remedy = better ? `; ${better} would have enough` : '';
    const shown = Math.floor(ratio * 10) / 10;
    const message = `“${text.text}” has a contrast of ${shown} over ${hex(behind.slice(0, 3))}, less than ${least}${remedy}`;
    const place = { source: text.source, frame, box: boxAround(text.lines) };
    return [{ check: 'low-contrast', message, ...place, weight: 1 / ratio, ...(better ? { color: better } : {}) }];
  });
}

/** Larger images look blurred. */
const mostScale = 1.5;

function enlargedImages({ images }: Sight, frame: number): Problem[] {
  return images.flatMap(({ source, scale, url, box }) => {
    if (scale <= mostScale) return [];
    const name = percentDecode(
      url
        .replace(/[?#].*$/, '')
        .replace(/^(?:data|blob):.*/s, 'The image')
        .replace(/^.*\//, ''),
    );
    const message = `${name} is enlarged ${scale.toFixed(1)} times and looks blurred`;
    return [{ check: 'enlarged-image' as const, source, message, frame, box, weight: scale }];
  });
}

/** For each element and check the worst problem; in the order of the frames. */
export function worstProblems(problems: readonly Problem[]): Problem[] {
  const worst = new Map<string, Problem>();
  for (const problem of problems) {
    const key = `${problem.check} ${problem.source}`;
    const known = worst.get(key);
    if (!known || problem.weight > known.weight * 1.05) worst.set(key, problem);
  }
  return [...worst.values()].sort((a, b) => a.frame - b.frame);
}
