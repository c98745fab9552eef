import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  compareDepth,
  orderByDepth,
  type Plane,
  project,
  showsBack,
} from '../../../../../renderer-core/page/features/depth/depthOrder.ts';

/** A square around `x`, `y`. The depth grows by `slope` per pixel from left to right. */
const square = (x: number, y: number, z: number, size = 50, slope = 0): Plane =>
  [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ].map(([dx = 0, dy = 0]) => ({ x: x + dx * size, y: y + dy * size, z: z + dx * size * slope }));

const box = { left: -10, top: -10, right: 10, bottom: 10 };
const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
/** With a camera at a distance of 100 pixels. */
const perspective = (z: number) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, -0.01, 0, 0, z, 1 - z / 100];
const turnedAround = [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1];

describe('projects a plane', () => {
  test('to its corners', () => {
    expect(project(identity, box)?.map(({ x, y }) => [x, y])).toEqual([
      [-10, -10],
      [10, -10],
      [10, 10],
      [-10, 10],
    ]);
  });
  test('to twice its size at half the distance', () => {
    expect(project(perspective(50), box)?.[2]).toMatchObject({ x: 20, y: 20 });
  });
  test('to nothing behind the camera', () => expect(project(perspective(150), box)).toBeNull());
  test('with its back if it is turned around, but not if it is mirrored', () => {
    const mirrored = [-1, ...identity.slice(1)];
    expect([identity, perspective(50), turnedAround, mirrored].map(showsBack)).toEqual([false, false, true, false]);
  });
});

describe('compares', () => {
  test.each([
    ['a nearer plane', square(0, 0, 5), square(20, 0, 1), 'first'],
    ['a plane behind', square(0, 0, 1), square(20, 0, 5), 'second'],
    ['planes that do not overlap', square(0, 0, 1), square(200, 0, 5), null],
    ['planes that share an edge', square(0, 0, 1), square(100, 0, 5), null],
    ['the same plane', square(0, 0, 1), square(20, 0, 1), null],
    ['planes that intersect', square(0, 0, 0, 50, 1), square(0, 0, 0, 50, -1), 'intersecting'],
    ['planes that meet at an edge of one of them', square(0, 0, 0, 50, 1), square(50, 0, 50, 50, 0), 'second'],
  ])('%s', (_, a, b, expected) => expect(compareDepth(a, b)).toBe(expected));
});

const planes = fc.array(
  fc.record({
    x: fc.integer({ min: 0, max: 200 }),
    y: fc.integer({ min: 0, max: 200 }),
    z: fc.integer({ min: -300, max: 300 }),
    slope: fc.constantFrom(0, 0, 0.5, -0.5, 2),
  }),
  { maxLength: 9 },
);

describe('orders planes', () => {
  test('so that the nearest one is painted last at every position', () => {
    fc.assert(
      fc.property(planes, fc.integer({ min: 0, max: 200 }), fc.integer({ min: 0, max: 200 }), (given, x, y) => {
        const order = orderByDepth(given.map((one) => [square(one.x, one.y, one.z, 50, one.slope)]));
        if (order === null) return;
        // Overlaps narrower than a pixel do not count.
        const hit = order.filter((item) => {
          const { x: left = 0, y: top = 0 } = given[item] ?? {};
          return Math.max(Math.abs(left - x), Math.abs(top - y)) < 50;
        });
        const depths = hit.map((item) => {
          const { x: center = 0, z = 0, slope = 0 } = given[item] ?? {};
          return z + (x - center) * slope;
        });
        // Planes that cross within a pixel are not told apart.
        expect(depths.every((depth, index) => index === 0 || depth >= (depths[index - 1] ?? 0) - 4)).toBe(true);
      }),
    );
  });
  test('of different depth always, if they are parallel', () => {
    fc.assert(
      fc.property(planes, (given) => {
        const order = orderByDepth(given.map(({ x, y, z }) => [square(x, y, z)]));
        expect([...(order ?? [])].sort((a, b) => a - b)).toEqual(given.map((_, index) => index));
      }),
    );
  });
  test('of the same depth as they were', () => {
    fc.assert(
      fc.property(planes, (given) => {
        const order = orderByDepth(given.map(({ x, y }) => [square(x, y, 7)]));
        expect(order).toEqual(given.map((_, index) => index));
      }),
    );
  });
  test('in groups, unless they cover each other mutually', () => {
    expect(orderByDepth([[square(0, 0, 9)], [square(0, 0, 1), square(300, 0, 5)], [square(300, 0, 2)]])).toEqual([
      2, 1, 0,
    ]);
    expect(
      orderByDepth([
        [square(0, 0, 9), square(300, 0, 1)],
        [square(0, 0, 1), square(300, 0, 5)],
      ]),
    ).toBeNull();
  });
});
