// Screenshots of double size are reduced before they are compared.
import { expect, test } from 'vitest';
import { halve } from '../../../../renderer-core/capture/page/screenshotPixels.ts';

test('reduces an image of double size to the means of four pixels', () => {
  const white = [255, 255, 255, 255];
  const [red, blue] = [
    [201, 0, 0, 255],
    [0, 0, 101, 255],
  ];
  const doubled = Uint8Array.from([red, blue, white, white, red, blue, white, white].flat());
  const target = new Uint8Array(3 * 4);
  halve(doubled, { width: 2, height: 1 }, target, 3);
  expect([...target]).toEqual([101, 0, 51, 255, ...white, 0, 0, 0, 0]);
});
