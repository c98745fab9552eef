import { expect, test } from 'vitest';
import { contrastRatio, mixed, nearestColor } from '../../../renderer-core/check/contrast.ts';
import type { Rgba } from '../../../renderer-core/check/sight.ts';

const black: Rgba = [0, 0, 0, 1];
const white: Rgba = [255, 255, 255, 1];
const gray: Rgba = [119, 119, 119, 1];

test('the contrast of WCAG', () => {
  expect(contrastRatio(black, white)).toBe(21);
  expect(contrastRatio(white, white)).toBe(1);
  // The example of WCAG for a color that just fails.
  expect(contrastRatio(gray, white)).toBeCloseTo(4.48, 2);
});

test('a translucent color has the contrast of what shows', () => {
  expect(mixed([255, 255, 255, 0.5], black)).toEqual([127.5, 127.5, 127.5, 1]);
});

test.each([
  { color: gray, behind: white, least: 4.5, nearest: '#757575' },
  { color: [255, 220, 0, 1] as Rgba, behind: white, least: 3, nearest: '#ab9400' },
  { color: gray, behind: black, least: 7, nearest: '#959595' },
  { color: [255, 255, 255, 0.1] as Rgba, behind: black, least: 4.5, nearest: null },
])('the nearest color with enough contrast: $nearest', ({ color, behind, least, nearest }) => {
  expect(nearestColor(color, behind, least)).toBe(nearest);
});
