// The size of the video, and where the page is in it: from the composition's own size and the options.
import { UserError } from '../errors.ts';
import { allSizes, isSameSize, type Size, sizeText } from '../model/declaredSizes.ts';
import { opaqueColor } from '../model/text/cssColors.ts';
import { oneOf } from './formats.ts';
import type { RenderPlan } from './renderPlan.ts';

export const resolutions = ['1080p', '4k'] as const;
export type Resolution = (typeof resolutions)[number];

export const fits = ['contain', 'cover', 'stretch'] as const;
export type Fit = (typeof fits)[number];

/** Ratios that completion and forms offer; any other `<width>:<height>` is valid too. */
export const commonAspectRatios = ['16:9', '9:16', '1:1', '4:3', '3:4', '4:5', '21:9'] as const;

/** The size that the page is laid out in, in CSS pixels, and how it becomes pixels of the video. */
export type PageSize = RenderPlan['page'];

/** How large the video is. Default: the composition's own size. */
export type SizeOptions = {
  /** The shorter side has 1080 or 2160 pixels. Not with `width` or `height`. */
  resolution?: Resolution;
  /** Pixels. The other side follows from the aspect ratio. Both together are an aspect ratio, which needs `fit`. */
  width?: number;
  height?: number;
  /** `16:9`, or any other `<width>:<height>`. Default: the composition's own. */
  aspectRatio?: string;
  /** How a page fills another aspect ratio: with bars (`contain`, the default), cropped (`cover`) or distorted (`stretch`). */
  fit?: Fit;
  /** Color of the bars: `#rrggbb`, a CSS name, or `transparent` in formats with alpha. Default: the page's, else black. */
  background?: string;
};

/** The names of all size options. */
export const sizeOptionNames = ['resolution', 'width', 'height', 'aspectRatio', 'fit', 'background'] as const;

/** Whatever is not about the size. */
export function withoutSize<T extends SizeOptions>(options: T): Omit<T, (typeof sizeOptionNames)[number]> {
  const rest: T & SizeOptions = { ...options };
  for (const name of sizeOptionNames) delete rest[name];
  return rest;
}

const shortSides: Record<Resolution, number> = { '1080p': 1080, '4k': 2160 };

/**
 * The page is laid out at its own size, or at a `declared` one with the requested aspect ratio, and rasterized with more or
 * fewer pixels, so text and shapes stay sharp. `options` are checked. Throws UserError `usage` if they do not fit the page.
 */
export function videoSize(own: Size, options: SizeOptions, declared: readonly Size[] = []): Size & { page: PageSize } {
  return sizeOfLayout(chooseLayout(own, declared, options), options);
}

/** The layout with the requested aspect ratio, preferably the one with the pixels of the video; without any, its own. */
function chooseLayout(own: Size, declared: readonly Size[], options: SizeOptions): Size {
  const shape = shapeOf(options) ?? own;
  const layouts = allSizes(own, declared).filter((size) => hasShape(size, shape));
  return layouts.find((size) => isSameSize(requestedSize(size, size, options), size)) ?? layouts[0] ?? own;
}

function sizeOfLayout(own: Size, options: SizeOptions): Size & { page: PageSize } {
  const shape = requestedShape(own, options);
  const size = requestedSize(own, shape ?? own, options);
  const across = size.width / own.width;
  const down = size.height / own.height;
  // The larger factor, so that there is no gap at the edge: sizes are rounded to whole pixels.
  if (shape === undefined) return { ...size, page: { ...own, zoom: Math.max(across, down) } };
  const { fit = 'contain', background } = options;
  const zoom = fit === 'stretch' ? across : fit === 'cover' ? Math.max(across, down) : Math.min(across, down);
  const stretch = fit === 'stretch' ? down / across : 1;
  const placement = {
    x: centered(size.width - own.width * zoom),
    y: centered(size.height - own.height * zoom * stretch),
    stretch,
    background: background === undefined ? null : readColor(background),
  };
  return { ...size, page: { ...own, zoom, placement } };
}

/** Never -0, which JSON does not keep. */
const centered = (space: number): number => Math.round(space / 2) || 0;

/** Throws UserError `usage` if an option is invalid, or two exclude each other, for every composition. */
export function checkSizeOptions({ resolution, width, height, aspectRatio, fit, background }: SizeOptions): void {
  if (resolution !== undefined) oneOf('resolution', resolution, resolutions);
  if (fit !== undefined) oneOf('fit', fit, fits);
  for (const [name, side] of Object.entries({ width, height })) checkSide(name, side);
  if (aspectRatio !== undefined) readRatio(aspectRatio);
  if (background !== undefined) readColor(background);
  if (resolution !== undefined && (width !== undefined || height !== undefined)) {
    throw new UserError('usage', `The resolution ${resolution} cannot be combined with a width or height`, {
      hint: 'Use either the resolution or the width and height.',
    });
  }
  if (aspectRatio === undefined || width === undefined || height === undefined) return;
  if (matchesAfterRounding({ width, height }, readRatio(aspectRatio))) return;
  throw new UserError('usage', `${width}x${height} does not have the aspect ratio ${aspectRatio}`, {
    hint: 'Set the aspect ratio and only the width or the height.',
  });
}

function checkSide(name: string, side: number | undefined): void {
  if (side === undefined || (Number.isInteger(side) && side > 0)) return;
  throw new UserError('usage', `The ${name} must be a whole number of pixels from 1 (got ${side})`);
}

/** Beyond it, one side of the video would have hardly any pixels. */
const maxRatio = 20;

function readRatio(text: string): Size {
  const [, width = 0, height = 0] = (/^(\d+(?:\.\d+)?):(\d+(?:\.\d+)?)$/.exec(text) ?? []).map(Number);
  const isValid = width > 0 && height > 0 && width / height <= maxRatio && height / width <= maxRatio;
  if (isValid) return { width, height };
  throw new UserError(
    'usage',
    `The aspect ratio must be <width>:<height>, from 1:${maxRatio} to ${maxRatio}:1 (got "${text}")`,
    {
      hint: `Use a ratio such as ${commonAspectRatios.slice(0, 3).join(', ')}.`,
    },
  );
}

/** `#rrggbb`, or `transparent`. */
function readColor(text: string): string {
  const color = text.trim().toLowerCase() === 'transparent' ? 'transparent' : opaqueColor(text);
  if (color !== undefined) return color;
  throw new UserError('usage', `The background must be a color (got "${text}")`, {
    hint: 'Use #rrggbb, the name of a CSS color, or transparent.',
  });
}

type Shape = string | Size;

/** The requested aspect ratio, or pixels with this ratio after rounding; undefined if none is requested. */
const shapeOf = (options: SizeOptions): Shape | undefined => options.aspectRatio ?? bothSides(options);

const bothSides = ({ width, height }: SizeOptions): Size | undefined =>
  width !== undefined && height !== undefined ? { width, height } : undefined;

const hasShape = (size: Size, shape: Shape): boolean =>
  typeof shape === 'string' ? hasAspectRatio(size, shape) : matchesAfterRounding(shape, size);

/** The requested aspect ratio; undefined if it is that of the layout. */
function requestedShape(own: Size, options: SizeOptions): Size | undefined {
  const shape = shapeOf(options);
  if (shape === undefined || hasShape(own, shape)) return undefined;
  if (typeof shape === 'string') return bothSides(options) ?? readRatio(shape);
  if (options.fit !== undefined) return shape;
  const message = `${sizeText(shape)} has another aspect ratio than the composition (${sizeText(own)})`;
  throw new UserError('usage', message, {
    hint: 'Set only the width or the height, or choose how the page fills the video: --fit contain, cover or stretch.',
  });
}

/** Whether `size` could be a size with the aspect ratio of `shape` after rounding to even pixels. */
function matchesAfterRounding(size: Size, shape: Size): boolean {
  const zoom = Math.max(size.width / shape.width, size.height / shape.height);
  return Math.abs(shape.width * zoom - size.width) < 2 && Math.abs(shape.height * zoom - size.height) < 2;
}

/** Without an option, the shorter side keeps its pixels. */
function requestedSize(own: Size, shape: Size, { resolution, width, height }: SizeOptions): Size {
  const short = resolution === undefined ? Math.min(own.width, own.height) : shortSides[resolution];
  const zoom =
    Math.max((width ?? 0) / shape.width, (height ?? 0) / shape.height) || short / Math.min(shape.width, shape.height);
  const side = (pixels: number) => (zoom === 1 ? pixels : evenPart(pixels * zoom));
  return { width: width ?? side(shape.width), height: height ?? side(shape.height) };
}

/** Video is encoded in blocks of two by two pixels. Tolerates rounding errors. */
const evenPart = (side: number): number => Math.max(2, 2 * Math.floor((side + 1e-6) / 2));

/** The aspect ratio as text: a common one such as `16:9` if it matches after rounding, otherwise the smallest whole numbers. */
export function aspectRatioName(size: Size): string {
  const known = commonAspectRatios.find((name) => hasAspectRatio(size, name));
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
