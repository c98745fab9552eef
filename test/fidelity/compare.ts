// How alike two pictures are, in dB, and where they are not.
import { PNG } from 'pngjs';

/** Peak signal to noise over all channels, colours counting as much as they are seen: 40 dB is a difference that is hard to see, Infinity none at all. */
export function psnr(a: PNG, b: PNG): number {
  if (a.width !== b.width || a.height !== b.height) return 0;
  let squares = 0;
  const seen = ({ data }: PNG, at: number) => ((data[at] ?? 0) * (at % 4 === 3 ? 255 : (data[at | 3] ?? 0))) / 255;
  for (let at = 0; at < a.data.length; at++) squares += (seen(a, at) - seen(b, at)) ** 2;
  return 10 * Math.log10(255 ** 2 / (squares / a.data.length));
}

/** How many times a difference is enlarged, so that it can be seen. */
const gain = 8;

/** Black where the pictures are the same. */
export function difference(a: PNG, b: PNG): PNG {
  const result = new PNG({ width: a.width, height: a.height });
  for (let at = 0; at < result.data.length; at++) {
    result.data[at] = at % 4 === 3 ? 255 : Math.min(255, gain * Math.abs((a.data[at] ?? 0) - (b.data[at] ?? 0)));
  }
  return result;
}

/** Whether anything is in a picture: some two pixels differ. */
export function isBlank({ data }: PNG): boolean {
  return data.every((value, at) => at % 4 === 3 || value === data[at % 4]);
}
