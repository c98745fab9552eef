// How large a video is made of a composition: its own size, or what a named resolution makes of it.
import { UserError } from '../errors.ts';

export const resolutions = ['1080p', '4k'] as const;
export type Resolution = (typeof resolutions)[number];

export type Size = { width: number; height: number };

/** The composition's own pixels, and how many of the video's show one of them. */
export type PageSize = Size & { zoom: number };

/** The longer and the shorter side that a video has at most. */
const boxes: Record<Resolution, { long: number; short: number }> = {
  '1080p': { long: 1920, short: 1080 },
  '4k': { long: 3840, short: 2160 },
};

/**
 * `1080p` keeps what fits into it and makes the rest smaller; `4k` makes the page as large as it goes. The page is laid out
 * as before and drawn with more pixels, so text and shapes stay sharp.
 */
export function videoSize(own: Size, resolution: Resolution | undefined): Size & { page: PageSize } {
  if (resolution === undefined) return { ...own, page: { ...own, zoom: 1 } };
  const { long, short } = boxes[resolution];
  const fitting = Math.min(long / Math.max(own.width, own.height), short / Math.min(own.width, own.height));
  const zoom = resolution === '1080p' ? Math.min(1, fitting) : fitting;
  if (zoom === 1) return { ...own, page: { ...own, zoom } };
  return { width: evenPart(own.width * zoom), height: evenPart(own.height * zoom), page: { ...own, zoom } };
}

/**
 * The composition in the pixels that were asked for, in its own proportions: one side decides the other, and where both are
 * given they may differ by what whole pixels make of them. Throws UserError `usage` otherwise.
 */
export function scaledSize(own: Size, asked: Partial<Size>): Size & { page: PageSize } {
  const across = asked.width === undefined ? 0 : asked.width / own.width;
  const down = asked.height === undefined ? 0 : asked.height / own.height;
  // A page that is a little too large leaves no gap at the edge.
  const zoom = Math.max(across, down);
  const side = (own: number): number => (zoom === 1 ? own : evenPart(own * zoom));
  const fitting = { width: own.width * zoom, height: own.height * zoom };
  const size = { width: asked.width ?? side(own.width), height: asked.height ?? side(own.height) };
  if (Math.abs(fitting.width - size.width) >= 2 || Math.abs(fitting.height - size.height) >= 2) {
    const message = `The composition is ${own.width}x${own.height}, and ${size.width}x${size.height} was asked for: other proportions`;
    throw new UserError('usage', message, {
      hint: 'Ask for one side only, and the other follows; or change data-width and data-height of the composition.',
    });
  }
  return { ...size, page: { ...own, zoom } };
}

/** Video is coded in blocks of two by two pixels. Binary fractions a little below a whole number count as it. */
const evenPart = (side: number): number => Math.max(2, 2 * Math.floor((side + 1e-6) / 2));

/** Throws UserError `composition_invalid` where a composition has not the shape (`16:9`) that was asked for. */
export function checkAspectRatio(size: Size, asked: string, file: string): void {
  if (hasAspectRatio(size, asked)) return;
  const { width, height } = size;
  throw new UserError('composition_invalid', `${width}x${height} is not ${asked}`, {
    hint: `Ask for the composition's own aspect ratio, or change its data-width and data-height.`,
    place: { file },
  });
}

const names = ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9'];

/** The shape in words: `16:9` also where whole pixels make it a little other; else the smallest whole numbers. */
export function aspectRatioName(size: Size): string {
  const known = names.find((name) => hasAspectRatio(size, name));
  if (known !== undefined) return known;
  const divisor = greatestDivisor(size.width, size.height);
  return `${size.width / divisor}:${size.height / divisor}`;
}

const greatestDivisor = (a: number, b: number): number => (b === 0 ? a : greatestDivisor(b, a % b));

/** Sides are whole pixels: 1366x768 is meant to be 16:9. */
function hasAspectRatio({ width, height }: Size, name: string): boolean {
  const [across = 0, down = 0] = name.split(':').map(Number);
  return Math.abs((width * down) / (height * across) - 1) < 0.01;
}
