// Reads screenshots: the contrast of texts over what is behind them, and whether a frame is plain or has changed.

import { contrastRatio, mixed } from '../contrast.ts';
import type { Box, Look, Rgba, SeenContrast, SeenText } from '../sight.ts';

/** The pixels of an image, made smaller if it is wider than `widest`. */
async function pixelsAt(url: string, widest = Number.POSITIVE_INFINITY): Promise<ImageData> {
  const image = await createImageBitmap(await (await fetch(url)).blob());
  const scale = Math.min(1, widest / image.width);
  const width = Math.max(1, Math.round(image.width * scale));
  const height = Math.max(1, Math.round(image.height * scale));
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('the browser has no canvas');
  context.drawImage(image, 0, 0, width, height);
  image.close();
  return context.getImageData(0, 0, width, height);
}

/** This share of a text may have less contrast. */
const leastShare = 0.2;

/** `url`: the frame without its texts. */
export async function contrasts(url: string, texts: readonly SeenText[]): Promise<SeenContrast[]> {
  const image = await pixelsAt(url);
  return texts.flatMap((text) => {
    const found = text.parts.flatMap(({ lines, color }) => (color ? contrastOf(text, lines, color, image) : []));
    return found.sort((a, b) => a.ratio - b.ratio).slice(0, 1);
  });
}

function contrastOf({ key, window }: SeenText, lines: readonly Box[], color: Rgba, image: ImageData): SeenContrast[] {
  const found = lines
    .flatMap((line) => samples(line, window, image))
    .map((behind) => ({ behind, ratio: contrastRatio(mixed(color, behind), behind) }))
    .sort((a, b) => a.ratio - b.ratio);
  const one = found[Math.floor(leastShare * found.length)];
  return one ? [{ key, ratio: one.ratio, behind: one.behind, color }] : [];
}

/** Colors behind a line, where its letters are: the upper and lower fifths are usually free. */
function samples(line: Box, window: Box, { data, width, height }: ImageData): Rgba[] {
  const left = Math.max(0, line.left, window.left);
  const right = Math.min(width, line.left + line.width, window.left + window.width);
  const top = Math.max(0, line.top + 0.2 * line.height, window.top);
  const bottom = Math.min(height, line.top + 0.8 * line.height, window.top + window.height);
  const step = Math.max(1, Math.sqrt(((right - left) * (bottom - top)) / 400));
  const found: Rgba[] = [];
  for (let y = top; y < bottom; y += step) {
    for (let x = left; x < right; x += step) {
      const at = 4 * (Math.floor(y) * width + Math.floor(x));
      found.push([data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0, 1]);
    }
  }
  return found;
}

let before: ImageData | null = null;

/** Enough to see that something moves. */
const lookSide = 480;

/** Smaller differences are noise of the scaling. */
const noise = 6;
/** A frame is plain if no more of its pixels differ from one color. */
const plainShare = 0.001;

export async function look(url: string, isFirst: boolean): Promise<Look> {
  const image = await pixelsAt(url, lookSide);
  const { data } = image;
  const color: Rgba = [data[0] ?? 0, data[1] ?? 0, data[2] ?? 0, 1];
  const other = shareOf(data, (at) => differ(data, at, data, 0));
  const last = isFirst ? null : before;
  before = image;
  const change = last?.data.length === data.length ? shareOf(data, (at) => differ(data, at, last.data, at)) : 1;
  return { isPlain: other <= plainShare, color, change };
}

function differ(a: Uint8ClampedArray, at: number, b: Uint8ClampedArray, other: number): boolean {
  for (let channel = 0; channel < 3; channel++)
    if (Math.abs((a[at + channel] ?? 0) - (b[other + channel] ?? 0)) > noise) return true;
  return false;
}

function shareOf(data: Uint8ClampedArray, matches: (at: number) => boolean): number {
  let count = 0;
  for (let at = 0; at < data.length; at += 4) if (matches(at)) count++;
  return count / (data.length / 4);
}
