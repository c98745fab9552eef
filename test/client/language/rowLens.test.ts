// The lens of the row at the cursor.
import { expect, test, vi } from 'vitest';
import type { CodeLens, Position } from 'vscode';
import { lensesAt } from '../../../client/language/rowLens.ts';

vi.mock('vscode', () => ({}));

const lens = (line: number, command: string) => ({ range: { start: { line } }, command: { command } }) as CodeLens;
const lenses = [lens(0, 'framework.renderRows'), ...[1, 2, 5].map((line) => lens(line, 'framework.renderRow'))];
const lines = (line?: number) =>
  lensesAt(lenses, line === undefined ? undefined : ({ line } as Position)).map(({ range }) => range.start.line);

test.each([
  [undefined, [0]],
  [0, [0]],
  [1, [0, 1]],
  [4, [0, 2]],
  [9, [0, 5]],
])('with the cursor in line %s, there are lenses in the lines %j', (line, expected) => {
  expect(lines(line)).toEqual(expected);
});
