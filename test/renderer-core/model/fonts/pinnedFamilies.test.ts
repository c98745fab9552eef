// The table of the fonts that ship with the product.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import {
  genericFamilies,
  pinnedFamilies,
  replacedNames,
  replacementFor,
} from '../../../../renderer-core/model/fonts/pinnedFamilies.ts';
import { readFaces } from '../../../../renderer-core/plan/fonts/fontFaces.ts';

test.each([
  ['Arial', 'Arimo'],
  ['arial', 'Arimo'],
  ['Times New Roman', 'Tinos'],
  ['Courier New', 'Cousine'],
  ['Georgia', 'Gelasio'],
  ['Calibri', 'Carlito'],
  ['Cambria', 'Caladea'],
  ['-apple-system', 'Inter'],
  ['Segoe UI', 'Inter'],
  ['Roboto', 'Roboto'],
  ['NOTO SANS JP', 'Noto Sans JP'],
  ['Comic Sans MS', undefined],
  ['constructor', undefined],
])('%s is replaced by %s', (name, expected) => {
  expect(replacementFor(name)?.family).toBe(expected);
});

test('each name and each generic family has a font', () => {
  const names = [...replacedNames, ...Object.values(genericFamilies)];
  expect(names.filter((name) => replacementFor(name) === undefined)).toEqual([]);
});

test('each font has faces in its package', () => {
  const root = fileURLToPath(new URL('../../../../', import.meta.url));
  const faults = pinnedFamilies.filter((family) => {
    const faces = family.sheets.map((sheet) =>
      readFaces(readFileSync(`${root}node_modules/${family.package}/${sheet}.css`, 'utf8')),
    );
    return faces.some(({ length }) => length === 0);
  });
  expect(faults).toEqual([]);
});
