// Compares two images: their similarity in dB, and an image of the differences.
import { PNG } from 'pngjs';
import type { Image } from '../support/renders/captureFrames.ts';

/** Peak signal-to-noise ratio in dB over all channels, with colors multiplied by alpha. At 40 dB, differences are hard to see; Infinity means equal. */
export function psnr(a: Image, b: Image): number {
  if (a.width !== b.width || a.height !== b.height) return 0;
  let squares = 0;
  const seen = ({ data }: Image, at: number) => ((data[at] ?? 0) * (at % 4 === 3 ? 255 : (data[at | 3] ?? 0))) / 255;
  for (let at = 0; at < a.data.length; at++) squares += (seen(a, at) - seen(b, at)) ** 2;
  return 10 * Math.log10(255 ** 2 / (squares / a.data.length));
}

/** Factor by which differences are amplified to make them visible. */
const gain = 8;

/** The amplified differences; black where the images are equal. */
export function difference(a: Image, b: Image): PNG {
  const result = new PNG({ width: a.width, height: a.height });
  for (let at = 0; at < result.data.length; at++) {
    result.data[at] = at % 4 === 3 ? 255 : Math.min(255, gain * Math.abs((a.data[at] ?? 0) - (b.data[at] ?? 0)));
  }
  return result;
}

/** Whether the image has at least two different pixels. */
export function isBlank({ data }: Image): boolean {
  return data.every((value, at) => at % 4 === 3 || value === data[at % 4]);
}
