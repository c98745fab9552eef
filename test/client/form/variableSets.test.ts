// Named sets of values: paths, names and file contents.
import { posix } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { VariableDeclaration } from '../../../client/form/valueText.ts';
import {
  findName,
  isSameSet,
  nameProblem,
  readSet,
  setName,
  setPath,
  setText,
} from '../../../client/form/variableSets.ts';

test.each([
  ['index.html', 'spring', 'variables/index/spring.json'],
  ['cards/intro.HTM', 'customer 12', 'variables/cards/intro/customer 12.json'],
])('stores for %s the set %s in %s', (composition, name, path) => {
  expect(setPath(composition, name)).toBe(path);
  expect(setName(posix.basename(path))).toBe(name);
});

test.each([
  ['', 'empty'],
  ['  ', 'empty'],
  ['a/b', 'characters'],
  ['..\\b', 'characters'],
  ['a:b', 'characters'],
  ['a\nb', 'characters'],
  ['..', 'dots'],
  ['.hidden', 'dots'],
  ['end.', 'dots'],
  [' a', 'dots'],
  ['x'.repeat(81), 'long'],
  ['con', 'device'],
  ['LPT1.x', 'device'],
  ['spring 2', undefined],
  ['Zoë – größer', undefined],
] as const)('checks the name %j: %s', (name, problem) => {
  expect(nameProblem(name)).toBe(problem);
});

test('accepts no name that escapes the folder', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('.', '/', '\\', 'a', ' ', ':') }), (name) => {
      if (nameProblem(name) !== undefined) return;
      expect(posix.dirname(posix.normalize(setPath('a/b.html', name)))).toBe('variables/a/b');
    }),
  );
});

test('ignores files that are not sets', () => {
  expect(['a.json', '.0f.tmp', 'notes.txt', '.json', 'con.json'].map(setName)).toEqual([
    'a',
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test('finds names without regard to case', () => {
  expect(findName(['Spring', 'autumn'], 'spring')).toBe('Spring');
  expect(findName(['Spring'], 'summer')).toBeUndefined();
});

const declarations: VariableDeclaration[] = [
  { id: 'title', type: 'string', default: 'Hello' },
  { id: 'size', type: 'number', default: 40 },
];

test('writes every value to a set, including undeclared ones', () => {
  const text = setText(declarations, { size: 50, ghost: true });
  expect(text).toBe('{\n  "title": "Hello",\n  "size": 50,\n  "ghost": true\n}\n');
  expect(readSet(text)).toEqual({ values: { title: 'Hello', size: 50, ghost: true } });
});

test.each(['[1]', 'null', '"a"', '{', ''])('rejects the file content %j', (text) => {
  expect(readSet(text)).toHaveProperty('problem');
});

test('compares values with a set, including defaults', () => {
  const set = { title: 'Hello', size: 50 };
  expect(isSameSet(declarations, { size: 50 }, set)).toBe(true);
  expect(isSameSet(declarations, { size: 51 }, set)).toBe(false);
  expect(isSameSet(declarations, { size: 50, ghost: 1 }, set)).toBe(false);
});
