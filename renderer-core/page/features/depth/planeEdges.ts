// Leaves the edges of planes in space out of a comparison. The browser's compositor draws each plane as a layer with smoothed
// edges, and painting smooths every shape in it, so thin lines of what is behind an edge, or below a border, show through in
// one of them and not in the other. Of a plane that is seen almost from its side, the compositor draws only some pixels.
import type { Pixels, WriterPart } from '../writerPart.ts';
import { type Plane, visiblePart, width as widthOf } from './depthOrder.ts';

/** In pixels, on each side of an edge. */
const reach = 2;

/** A plane is seen almost from its side if it has at most this width, in pixels, and shows at most this part of its area. */
const sideWidth = 32;
const sidePart = 1 / 8;

/** Copies the pixels near the edges of planes from one frame to the other, and all pixels of planes seen almost from their side. */
export function copyEdges(planes: readonly Plane[], pixels: Pixels): void {
  for (const plane of planes) {
    for (const [index, start] of plane.entries()) {
      const end = plane[(index + 1) % plane.length] ?? start;
      const visible = clipToFrame(start, end, pixels);
      if (visible) copyEdge(visible, pixels);
    }
    if (isSeenFromSide(plane)) copyInside(plane, pixels);
  }
}

export const depthInWriter: WriterPart<readonly Plane[]> = { beforeComparison: copyEdges };

const isSeenFromSide = (plane: Plane): boolean => widthOf(plane) <= sideWidth && visiblePart(plane) <= sidePart;

function copyInside(plane: Plane, { from, to, width, height }: Pixels): void {
  const rows = plane.map(({ y }) => y);
  const last = Math.min(height - 1, Math.floor(Math.max(...rows)));
  for (let row = Math.max(0, Math.floor(Math.min(...rows))); row <= last; row++) {
    const columns = crossings(plane, row + 0.5);
    const left = Math.max(0, Math.floor(Math.min(...columns)));
    const right = Math.min(width, Math.ceil(Math.max(...columns)));
    if (left < right) to.set(from.subarray(row * width + left, row * width + right), row * width + left);
  }
}

/** Where the edges of a plane cross a horizontal line. */
function crossings(plane: Plane, y: number): number[] {
  return plane.flatMap((start, index) => {
    const end = plane[(index + 1) % plane.length] ?? start;
    if (start.y <= y === end.y <= y) return [];
    return start.x + ((end.x - start.x) * (y - start.y)) / (end.y - start.y);
  });
}

type Segment = { x: number; y: number; dx: number; dy: number };

/** The part of an edge that is in the frame or near it: planes behind the camera reach far outside. */
function clipToFrame(
  start: { x: number; y: number },
  end: { x: number; y: number },
  { width, height }: Pixels,
): Segment | undefined {
  const [dx, dy] = [end.x - start.x, end.y - start.y];
  let [from, to] = [0, 1];
  for (const [at, step, size] of [
    [start.x, dx, width],
    [start.y, dy, height],
  ] as const) {
    const [low, high] = [(-reach - at) / step, (size + reach - at) / step];
    if (step !== 0) [from, to] = [Math.max(from, Math.min(low, high)), Math.min(to, Math.max(low, high))];
    else if (at < -reach || at > size + reach) return undefined;
  }
  if (from > to) return undefined;
  return { x: start.x + from * dx, y: start.y + from * dy, dx: (to - from) * dx, dy: (to - from) * dy };
}

function copyEdge({ x, y, dx, dy }: Segment, { from, to, width, height }: Pixels): void {
  const steps = Math.max(1, Math.ceil(Math.hypot(dx, dy)));
  for (let step = 0; step <= steps; step++) {
    const column = Math.floor(x + (dx * step) / steps);
    const row = Math.floor(y + (dy * step) / steps);
    const [left, right] = [Math.max(0, column - reach), Math.min(width, column + reach + 1)];
    if (left >= right) continue;
    for (let line = Math.max(0, row - reach); line <= Math.min(height - 1, row + reach); line++)
      to.set(from.subarray(line * width + left, line * width + right), line * width + left);
  }
}
