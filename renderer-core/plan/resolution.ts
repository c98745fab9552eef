// The size of the video: that of the composition, a named resolution, or a requested width or height.
import { UserError } from '../errors.ts';
import type { RenderPlan } from './renderPlan.ts';

export const resolutions = ['1080p', '4k'] as const;
export type Resolution = (typeof resolutions)[number];

export type Size = { width: number; height: number };

/** The size of the composition in CSS pixels; `zoom` is the number of video pixels per CSS pixel. */
export type PageSize = RenderPlan['page'];

/** Maximum pixels of the longer and the shorter side. */
const boxes: Record<Resolution, { long: number; short: number }> = {
  '1080p': { long: 1920, short: 1080 },
  '4k': { long: 3840, short: 2160 },
};

/**
 * `1080p` only reduces larger compositions; `4k` scales the page to the maximum. The layout stays the same and is rasterized
 * with more pixels, so text and shapes stay sharp.
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
 * The requested size in the aspect ratio of the composition. One side determines the other; if both are given, they may
 * differ by rounding to whole pixels. Throws UserError `usage` for another aspect ratio.
 */
export function scaledSize(own: Size, asked: Partial<Size>): Size & { page: PageSize } {
  const across = asked.width === undefined ? 0 : asked.width / own.width;
  const down = asked.height === undefined ? 0 : asked.height / own.height;
  // The larger factor, so that there is no gap at the edge.
  const zoom = Math.max(across, down);
  const side = (own: number): number => (zoom === 1 ? own : evenPart(own * zoom));
  const fitting = { width: own.width * zoom, height: own.height * zoom };
  const size = { width: asked.width ?? side(own.width), height: asked.height ?? side(own.height) };
  if (Math.abs(fitting.width - size.width) >= 2 || Math.abs(fitting.height - size.height) >= 2) {
    const message = `${size.width}x${size.height} has another aspect ratio than the composition (${own.width}x${own.height})`;
    throw new UserError('usage', message, {
      hint: 'Set only the width or the height, or change data-width and data-height of the composition.',
    });
  }
  return { ...size, page: { ...own, zoom } };
}

/** Video is encoded in blocks of two by two pixels. Tolerates rounding errors. */
const evenPart = (side: number): number => Math.max(2, 2 * Math.floor((side + 1e-6) / 2));

/** Throws UserError `composition_invalid` if the composition does not have the requested aspect ratio (`16:9`). */
export function checkAspectRatio(size: Size, asked: string, file: string): void {
  if (hasAspectRatio(size, asked)) return;
  const { width, height } = size;
  throw new UserError('composition_invalid', `The composition is ${width}x${height}, which is not ${asked}`, {
    hint: `Use the composition's own aspect ratio, or change its data-width and data-height.`,
    place: { file },
  });
}

const names = ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9'];

/** The aspect ratio as text: a common one such as `16:9` if it matches after rounding, otherwise the smallest whole numbers. */
export function aspectRatioName(size: Size): string {
  const known = names.find((name) => hasAspectRatio(size, name));
  if (known !== undefined) return known;
  const divisor = greatestDivisor(size.width, size.height);
  return `${size.width / divisor}:${size.height / divisor}`;
}

const greatestDivisor = (a: number, b: number): number => (b === 0 ? a : greatestDivisor(b, a % b));

/** Tolerates rounding to whole pixels: 1366x768 is 16:9. */
function hasAspectRatio({ width, height }: Size, name: string): boolean {
  const [across = 0, down = 0] = name.split(':').map(Number);
  return Math.abs((width * down) / (height * across) - 1) < 0.01;
}
