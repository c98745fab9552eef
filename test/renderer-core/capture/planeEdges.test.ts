// Leaving the edges of planes in space out of a comparison.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { copyEdges, type Outline } from '../../../renderer-core/capture/planeEdges.ts';

/** The pixels that are copied in a small frame: `x` where they are. */
function copied(outlines: Outline[], [width, height] = [16, 12] as const): string[] {
  const from = new Uint32Array(width * height).fill(1);
  const to = new Uint32Array(width * height);
  copyEdges(outlines, { from, to, width, height });
  return Array.from({ length: height }, (_, row) =>
    [...to.subarray(row * width, (row + 1) * width)].map((value) => (value === 1 ? 'x' : '.')).join(''),
  );
}

const corners = (...points: [x: number, y: number][]): Outline => points.map(([x, y]) => ({ x, y }));

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

test('is quick and stays in the frame for planes that reach far outside', () => {
  const point = fc.record({
    x: fc.double({ noNaN: true, min: -1e9, max: 1e9 }),
    y: fc.double({ noNaN: true, min: -1e9, max: 1e9 }),
  });
  fc.assert(
    fc.property(fc.array(point, { minLength: 2, maxLength: 6 }), (outline) => {
      expect(copied([outline])).toHaveLength(12);
    }),
  );
});
