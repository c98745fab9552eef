// Frames that have one color, as compression leaves it.
import { expect, test } from 'vitest';
import { isPlain } from '../../../renderer-core/plan/plainFrame.ts';

test('tolerates small differences in a frame of one color', () => {
  expect(isPlain([10, 20, 30, 14, 26, 30], 3)).toBe(true);
  expect(isPlain([10, 20, 30, 10, 40, 30], 3)).toBe(false);
});

test('ignores alpha', () => {
  expect(isPlain([10, 20, 30, 0, 10, 20, 30, 255], 4)).toBe(true);
});
