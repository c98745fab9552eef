// Named sets of values: their files, their names, what is in them.

import { posix } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { VariableDeclaration } from '../../client/form/valueText.ts';
import { isSameSet, nameFault, readSet, sameName, setName, setPath, setText } from '../../client/form/variableSets.ts';

test.each([
  ['index.html', 'spring', 'variables/index/spring.json'],
  ['cards/intro.HTM', 'customer 12', 'variables/cards/intro/customer 12.json'],
])('the set of %s called %s is %s', (composition, name, path) => {
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
] as const)('the name %j: %s', (name, fault) => {
  expect(nameFault(name)).toBe(fault);
});

test('no name leads out of the folder', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('.', '/', '\\', 'a', ' ', ':') }), (name) => {
      if (nameFault(name) !== undefined) return;
      expect(posix.dirname(posix.normalize(setPath('a/b.html', name)))).toBe('variables/a/b');
    }),
  );
});

test('files that are no sets are passed over', () => {
  expect(['a.json', '.0f.tmp', 'notes.txt', '.json', 'con.json'].map(setName)).toEqual([
    'a',
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test('names that differ in large and small letters are one file in some places', () => {
  expect(sameName(['Spring', 'autumn'], 'spring')).toBe('Spring');
  expect(sameName(['Spring'], 'summer')).toBeUndefined();
});

const declarations: VariableDeclaration[] = [
  { id: 'title', type: 'string', default: 'Hello' },
  { id: 'size', type: 'number', default: 40 },
];

test('a set holds every value, also one that is not declared', () => {
  const text = setText(declarations, { size: 50, ghost: true });
  expect(text).toBe('{\n  "title": "Hello",\n  "size": 50,\n  "ghost": true\n}\n');
  expect(readSet(text)).toEqual({ values: { title: 'Hello', size: 50, ghost: true } });
});

test.each(['[1]', 'null', '"a"', '{', ''])('%j is no set', (text) => {
  expect(readSet(text)).toHaveProperty('fault');
});

test('a set is still used while the values are its own, defaults counted in', () => {
  const set = { title: 'Hello', size: 50 };
  expect(isSameSet(declarations, { size: 50 }, set)).toBe(true);
  expect(isSameSet(declarations, { size: 51 }, set)).toBe(false);
  expect(isSameSet(declarations, { size: 50, ghost: 1 }, set)).toBe(false);
});
