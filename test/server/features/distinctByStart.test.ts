import { expect, test } from 'vitest';
import { distinctByStart } from '../../../server/features/distinctByStart.ts';

test('sorts items by start offset, and keeps the first of those with the same offset', () => {
  const items = ['9 a', '2 b', '9 c', '5 d'];
  expect(distinctByStart(items, (item) => Number(item[0]))).toEqual(['2 b', '5 d', '9 a']);
});
