// The pixels of a screenshot, for the comparison with a painted frame. Runs in the worker of the capture page.

/** Copies a screenshot to `target`, whose rows have `columns` pixels. One of double size is reduced to the frame's size. */
export async function copyScreenshot(
  image: VideoFrame,
  target: Uint8Array,
  columns: number,
): Promise<{ width: number; height: number }> {
  const { displayWidth: width, displayHeight: height } = image;
  if (width <= columns) {
    await image.copyTo(target, { format: 'RGBA', layout: [{ offset: 0, stride: columns * 4 }] });
    return { width, height };
  }
  const doubled = new Uint8Array(width * height * 4);
  await image.copyTo(doubled, { format: 'RGBA' });
  halve(doubled, { width: width / 2, height: height / 2 }, target, columns);
  return { width: width / 2, height: height / 2 };
}

/** Reduces an image of opaque RGBA pixels to `size`, the half of its own. Each pixel becomes the mean of four. */
export function halve(
  doubled: Uint8Array,
  { width, height }: { width: number; height: number },
  target: Uint8Array,
  columns: number,
): void {
  const byte = (at: number): number => doubled[at] ?? 0;
  const row = width * 8;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = 2 * y * row + x * 8;
      const to = (y * columns + x) * 4;
      for (let channel = 0; channel < 4; channel++) {
        const at = from + channel;
        target[to + channel] = (byte(at) + byte(at + 4) + byte(at + row) + byte(at + row + 4) + 2) >> 2;
      }
    }
  }
}
