// Whether a frame of a finished video shows nothing.

/** Compression changes a plain color by a few levels. */
const plainRange = 12;

/** Whether all pixels have one color. `step`: bytes per pixel, of which the first three are red, green and blue. */
export function isPlain(pixels: ArrayLike<number>, step: 3 | 4): boolean {
  for (const channel of [0, 1, 2]) {
    let [least, most] = [255, 0];
    for (let at = channel; at < pixels.length; at += step) {
      const value = pixels[at] ?? 0;
      least = Math.min(least, value);
      most = Math.max(most, value);
    }
    if (most - least > plainRange) return false;
  }
  return true;
}
