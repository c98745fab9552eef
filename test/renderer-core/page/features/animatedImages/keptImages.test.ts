// Which images of an animated file stay in memory.
import { expect, test, vi } from 'vitest';
import { keepImages } from '../../../../../renderer-core/page/features/animatedImages/keptImages.ts';

test('frees the oldest images that are not shown, until few enough are left', async () => {
  const freed: string[] = [];
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation((url) => void freed.push(url));
  const kept = keepImages<number>(2);
  const loaded: number[] = [];
  const show = (key: number) =>
    kept.url(key, async () => {
      loaded.push(key);
      return { src: `blob:${key}#part` } as HTMLImageElement;
    });
  for (const key of [1, 2, 3, 4, 2]) expect(await show(key)).toBe(`blob:${key}#part`);
  expect(loaded).toEqual([1, 2, 3, 4]);
  await kept.free(new Set(['blob:1#part', 'blob:4#part']));
  expect(freed).toEqual(['blob:2', 'blob:3']);
  await show(3);
  expect(loaded).toEqual([1, 2, 3, 4, 3]);
  await kept.free(new Set());
  expect(freed).toEqual(['blob:2', 'blob:3', 'blob:1']);
});
