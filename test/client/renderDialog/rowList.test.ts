// The value of the option --rows.
import { expect, test } from 'vitest';
import { isChosen, movedChoices, type RowChoices, withChoice } from '../../../client/renderDialog/rowChoices.ts';
import { isIn, rowList } from '../../../client/renderDialog/rowList.ts';
import type { TableRow } from '../../../server/protocol.ts';

test.each([
  [[], ''],
  [[3], '4'],
  [[4, 0, 2, 3], '1,3-5'],
  [[0, 1, 2], '1-3'],
])('lists %j as %s', (rows, expected) => expect(rowList(rows)).toBe(expected));

test('knows which rows are in a list', () => {
  const rows = [0, 1, 2, 3, 4, 5];
  expect(rows.filter(isIn('1,3-5'))).toEqual([0, 2, 3, 4]);
  expect(rows.filter(isIn(undefined))).toEqual(rows);
});

test('leaves out invalid rows until the user decides', () => {
  const rows = [
    { index: 0, values: {}, problems: [] },
    { index: 1, values: {}, problems: [], isInvalid: true as const },
    { index: 2, values: {}, problems: [], isInvalid: true as const },
  ];
  const chosen = (choices: RowChoices, of = rows as TableRow[]) =>
    of.filter((row) => isChosen(row, choices)).map(({ index }) => index);
  expect(chosen(new Map())).toEqual([0]);
  const decided = withChoice(withChoice(new Map(), rows.slice(1, 2), true), rows.slice(0, 1), false);
  expect(chosen(decided)).toEqual([1]);
  // The first row is removed, and a row is inserted before the last one.
  const moved = movedChoices(decided, (index) => [undefined, 0, 2][index]);
  expect(chosen(moved)).toEqual([0]);
  // A corrected row gets its check mark.
  expect(chosen(new Map(), [...rows.slice(0, 2), { index: 2, values: {}, problems: [] }])).toEqual([0, 2]);
  expect(withChoice(decided, rows, false)).toEqual(new Map([[0, false]]));
});
