// The order in which planes in space are painted, so that nearer ones cover those behind them. Pure arithmetic.
import type { Point } from '../capturePart.ts';

/** The visible part of a projected plane, a convex polygon. */
export type Plane = readonly Point[];

export type Box = { left: number; top: number; right: number; bottom: number };

/** Overlaps and intersections that are narrower than this, in pixels, are not visible; adjacent faces of a cube have them. */
const minWidth = 1;

/** Nothing is visible at the camera and behind it. */
const minW = 1e-3;

/** Projects a rectangle. `matrix`: 16 numbers in the order of DOMMatrix. Null if it is invisible: behind the camera or seen from its edge. */
export function project(matrix: ArrayLike<number>, { left, top, right, bottom }: Box): Plane | null {
  const m = (index: number) => matrix[index] ?? 0;
  const corners = [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ].map(([x = 0, y = 0]) => [0, 1, 2, 3].map((row) => m(row) * x + m(4 + row) * y + m(12 + row)));
  const points = clip(corners, ([, , , w = 0]) => w - minW).map(([x = 0, y = 0, z = 0, w = 1]) => ({
    x: x / w,
    y: y / w,
    z: z / w,
  }));
  return width(points) < minWidth / 8 ? null : points;
}

/** Whether the back of a transformed plane is visible. A plane that is mirrored shows its front. */
export function showsBack(matrix: ArrayLike<number>): boolean {
  const minor = (rows: number[]) => determinant(rows.map((row) => rows.map((column) => matrix[4 * column + row] ?? 0)));
  return minor([0, 1, 3]) * minor([0, 1, 2, 3]) < 0;
}

function determinant([first = [], ...rows]: number[][]): number {
  if (rows.length === 0) return first[0] ?? 1;
  return first.reduce((sum, value, column) => {
    const sign = column % 2 === 0 ? 1 : -1;
    return sum + sign * value * determinant(rows.map((row) => row.filter((_, index) => index !== column)));
  }, 0);
}

/** Cuts off the part of a polygon where `inside`, a linear function, is negative. */
function clip(polygon: readonly number[][], inside: (point: number[]) => number): number[][] {
  return polygon.flatMap((point, index) => {
    const next = polygon[(index + 1) % polygon.length] ?? point;
    const [a, b] = [inside(point), inside(next)];
    const kept = a >= 0 ? [point] : [];
    if (a >= 0 === b >= 0) return kept;
    return [...kept, point.map((value, axis) => value + ((next[axis] ?? 0) - value) * (a / (a - b)))];
  });
}

/** The signed area of a polygon's image along the third axis. */
function areaAcross(polygon: Plane, a: keyof Point, b: keyof Point): number {
  return polygon.reduce((sum, point, index) => {
    const next = polygon[(index + 1) % polygon.length] as Point;
    return sum + (point[a] * next[b] - next[a] * point[b]) / 2;
  }, 0);
}

const signedArea = (polygon: Plane): number => areaAcross(polygon, 'x', 'y');

/** How much of a polygon's area is visible: 1 if it is seen from its front, 0 from its side. */
export function visiblePart(polygon: Plane): number {
  const visible = signedArea(polygon);
  return Math.abs(visible) / Math.hypot(visible, areaAcross(polygon, 'y', 'z'), areaAcross(polygon, 'z', 'x'));
}

/** About the length of the shorter side. */
export function width(polygon: Plane): number {
  const length = polygon.reduce((sum, { x, y }, index) => {
    const next = polygon[(index + 1) % polygon.length] as Point;
    return sum + Math.hypot(next.x - x, next.y - y);
  }, 0);
  return length === 0 ? 0 : Math.abs(signedArea(polygon)) / (length / 2);
}

/** The depth of the plane at a position: the plane through the three points that are farthest apart. */
function depthOf(plane: Plane): (x: number, y: number) => number {
  const [origin, ...others] = plane as [Point, ...Point[]];
  let best = { cross: 0, dx: 0, dy: 0 };
  for (const [index, a] of others.entries()) {
    for (const b of others.slice(index + 1)) {
      const [ax, ay, az] = [a.x - origin.x, a.y - origin.y, a.z - origin.z];
      const [bx, by, bz] = [b.x - origin.x, b.y - origin.y, b.z - origin.z];
      const cross = ax * by - bx * ay;
      if (Math.abs(cross) > Math.abs(best.cross))
        best = { cross, dx: (az * by - bz * ay) / cross, dy: (ax * bz - bx * az) / cross };
    }
  }
  return (x, y) => origin.z + best.dx * (x - origin.x) + best.dy * (y - origin.y);
}

/** Which of two planes is nearer where they overlap; null if it does not matter. */
export function compareDepth(a: Plane, b: Plane): 'first' | 'second' | 'intersecting' | null {
  const overlap = intersection(a, b);
  if (width(overlap) < minWidth) return null;
  const [depthA, depthB] = [depthOf(a), depthOf(b)];
  const compared = overlap.map(({ x, y }) => [x, y, depthA(x, y) - depthB(x, y)]);
  // Planes that are this close are the same plane, in which later elements cover earlier ones.
  if (compared.every(([, , z = 0]) => Math.abs(z) < 1e-3 * minWidth)) return null;
  const widthOf = (sign: number) =>
    width(clip(compared, ([, , z = 0]) => sign * z).map(([x = 0, y = 0, z = 0]) => ({ x, y, z })));
  const [first, second] = [widthOf(1), widthOf(-1)];
  if (first >= minWidth && second >= minWidth) return 'intersecting';
  return first > second ? 'first' : 'second';
}

/** The overlap of two convex polygons in the image. */
function intersection(a: Plane, b: Plane): Plane {
  const sign = Math.sign(signedArea(b));
  const left = b.reduce(
    (polygon, from, index) => {
      const to = b[(index + 1) % b.length] as Point;
      return clip(
        polygon,
        ([x = 0, y = 0]) => sign * ((to.x - from.x) * (y - from.y) - (to.y - from.y) * (x - from.x)),
      );
    },
    a.map(({ x, y }) => [x, y]),
  );
  return left.map(([x = 0, y = 0]) => ({ x, y, z: 0 }));
}

/**
 * The order in which items, each of several planes, must be painted: indexes, the farthest item first. Items whose depth does not
 * matter keep their order. Null if there is no such order, because planes intersect or items cover each other mutually.
 */
export function orderByDepth(items: readonly (readonly Plane[])[]): number[] | null {
  const below = items.map(() => new Set<number>());
  const bounds = items.map((planes) => planes.map(boundsOf));
  for (const [i, planes] of items.entries()) {
    for (let j = 0; j < i; j++) {
      for (const [k, plane] of planes.entries()) {
        for (const [l, other] of (items[j] ?? []).entries()) {
          if (!touches(bounds[i]?.[k], bounds[j]?.[l])) continue;
          const nearer = compareDepth(plane, other);
          if (nearer === 'intersecting') return null;
          if (nearer === 'first') below[i]?.add(j);
          if (nearer === 'second') below[j]?.add(i);
        }
      }
    }
  }
  return sortItems(below);
}

function boundsOf(plane: Plane): Box {
  const [xs, ys] = [plane.map(({ x }) => x), plane.map(({ y }) => y)];
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
}

const touches = (a?: Box, b?: Box): boolean =>
  a !== undefined && b !== undefined && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/** `below`: the items that each item covers. */
function sortItems(below: readonly ReadonlySet<number>[]): number[] | null {
  const order: number[] = [];
  const isPainted = (item: number) => order.includes(item);
  while (order.length < below.length) {
    const next = below.findIndex((covered, item) => !isPainted(item) && [...covered].every(isPainted));
    if (next === -1) return null;
    order.push(next);
  }
  return order;
}
