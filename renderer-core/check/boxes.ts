// Boxes of a frame, in the page and where they are judged.
import type { Box } from './sight.ts';

export function intersect(a: Box, b: Box): Box {
  const left = Math.max(a.left, b.left);
  const top = Math.max(a.top, b.top);
  const width = Math.max(0, Math.min(a.left + a.width, b.left + b.width) - left);
  const height = Math.max(0, Math.min(a.top + a.height, b.top + b.height) - top);
  return { left, top, width, height };
}

/** The smallest box that contains all. */
export function boxAround(boxes: readonly Box[]): Box {
  const left = Math.min(...boxes.map((box) => box.left));
  const top = Math.min(...boxes.map((box) => box.top));
  const right = Math.max(...boxes.map((box) => box.left + box.width));
  const bottom = Math.max(...boxes.map((box) => box.top + box.height));
  return { left, top, width: right - left, height: bottom - top };
}
