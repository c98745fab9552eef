// The value of the option --rows.
import { expect, test } from 'vitest';
import { rowList } from '../../client/renderDialog/rowList.ts';

test.each([
  [[], ''],
  [[3], '3'],
  [[4, 0, 2, 3], '0,2-4'],
  [[0, 1, 2], '0-2'],
])('lists %j as %s', (rows, expected) => expect(rowList(rows)).toBe(expected));
