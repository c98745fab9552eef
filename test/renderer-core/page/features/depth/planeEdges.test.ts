// Leaving the edges of planes in space out of a comparison.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Plane } from '../../../../../renderer-core/page/features/depth/depthOrder.ts';
import { copyEdges } from '../../../../../renderer-core/page/features/depth/planeEdges.ts';

/** The pixels that are copied in a small frame: `x` where they are. */
function copied(planes: Plane[], [width, height]: [number, number] = [16, 12]): string[] {
  const from = new Uint32Array(width * height).fill(1);
  const to = new Uint32Array(width * height);
  copyEdges(planes, { from, to, width, height });
  return Array.from({ length: height }, (_, row) =>
    [...to.subarray(row * width, (row + 1) * width)].map((value) => (value === 1 ? 'x' : '.')).join(''),
  );
}

const corners = (...points: [x: number, y: number, z?: number][]): Plane =>
  points.map(([x, y, z = 0]) => ({ x, y, z }));

test('copies two pixels on each side of an edge, and not what is inside', () => {
  expect(copied([corners([2.5, 2.5], [13.5, 2.5], [13.5, 9.5], [2.5, 9.5])])).toEqual([
    'xxxxxxxxxxxxxxxx',
    'xxxxxxxxxxxxxxxx',
    'xxxxxxxxxxxxxxxx',
    'xxxxxxxxxxxxxxxx',
    'xxxxxxxxxxxxxxxx',
    'xxxxx......xxxxx',
    'xxxxx......xxxxx',
    'xxxxxxxxxxxxxxxx',
    'xxxxxxxxxxxxxxxx',
    'xxxxxxxxxxxxxxxx',
    'xxxxxxxxxxxxxxxx',
    'xxxxxxxxxxxxxxxx',
  ]);
});

test('copies sloping edges, and only the part that is in the frame', () => {
  expect(copied([corners([-20, -20], [6, 6], [40, -28])])).toEqual([
    'xxxxx..xxxxxxxxx',
    'xxxxxxxxxxxxxxx.',
    'xxxxxxxxxxxxxxx.',
    'xxxxxxxxxxxxx...',
    'xxxxxxxxxxxxx...',
    '.xxxxxxxxxx.....',
    '..xxxxxxxxx.....',
    '...xxxxxx.......',
    '....xxxxx.......',
    '................',
    '................',
    '................',
  ]);
});

test('copies nothing for edges outside of the frame', () => {
  expect(copied([corners([100, 2], [120, 2], [120, 9]), corners([-90, -50], [-80, 200])]).join('')).not.toContain('x');
});

/** A plane of 18 by 80 pixels, in front of the frame's upper and lower edge, whose right side is deeper by `depth`. */
const narrow = (depth: number) => corners([8, -40], [26, -40, -depth], [26, 40, -depth], [8, 40]);

test('copies all of a narrow plane that is seen almost from its side', () => {
  expect(copied([narrow(160)], [40, 2])).toEqual([
    '......xxxxxxxxxxxxxxxxxxxxxxx...........',
    '......xxxxxxxxxxxxxxxxxxxxxxx...........',
  ]);
});

test('does not copy the inside of narrow planes that are seen from their front, or of wider ones', () => {
  const edges = '......xxxxx.............xxxxx...........';
  expect(copied([narrow(0)], [40, 2])).toEqual([edges, edges]);
  expect(copied([narrow(120)], [40, 2])).toEqual([edges, edges]);
  const wide = corners([2, -200], [50, -200, -900], [50, 200, -900], [2, 200]);
  expect(copied([wide], [56, 1])).toEqual(['xxxxx...........................................xxxxx...']);
});

test('copies the inside of a sloping plane', () => {
  const plane = corners([-8, -8], [4, -8, -300], [28, 16, -300], [16, 16]);
  expect(copied([plane], [24, 6])).toEqual([
    'xxxxxxxxxxxxxxxxx.......',
    'xxxxxxxxxxxxxxxxxx......',
    'xxxxxxxxxxxxxxxxxxx.....',
    'xxxxxxxxxxxxxxxxxxxx....',
    'xxxxxxxxxxxxxxxxxxxxx...',
    '.xxxxxxxxxxxxxxxxxxxxx..',
  ]);
});

test('is quick and stays in the frame for planes that reach far outside', () => {
  const point = fc.record({
    x: fc.double({ noNaN: true, min: -1e9, max: 1e9 }),
    y: fc.double({ noNaN: true, min: -1e9, max: 1e9 }),
    z: fc.double({ noNaN: true, min: -1e9, max: 1e9 }),
  });
  fc.assert(
    fc.property(fc.array(point, { minLength: 2, maxLength: 6 }), (plane) => {
      expect(copied([plane])).toHaveLength(12);
    }),
  );
});
