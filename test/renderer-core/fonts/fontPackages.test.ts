// The table of font packages and docs/fonts.md agree with package.json, package-lock.json and the pinned families.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { fontPackages } from '../../../renderer-core/fonts/fontPackages.ts';
import { knownBytes, readPackages, tableSource, withTables } from '../../../scripts/fontTable.ts';
import { repository } from '../../support/repositoryFiles.ts';

const read = (path: string) => readFileSync(repository + path, 'utf8');

test('the table and docs/fonts.md are up to date (update with: node --import tsx scripts/fontTable.ts)', async () => {
  const packages = await readPackages(knownBytes);
  expect(read('renderer-core/fonts/fontPackages.ts')).toBe(tableSource(packages));
  expect(read('docs/fonts.md')).toBe(withTables(read('docs/fonts.md'), packages));
});

test('the build uses exactly the versions of the table', () => {
  const dependencies: Record<string, string> = manifest.devDependencies;
  const required = Object.entries(dependencies).filter(([name]) => /^@fontsource|^inter-ui$/.test(name));
  expect(Object.fromEntries(required)).toEqual(
    Object.fromEntries(fontPackages.map(({ name, version }) => [name, version])),
  );
  expect(fontPackages.filter(({ bytes }) => bytes === 0)).toEqual([]);
});

test('all fonts may be redistributed', () => {
  expect([...new Set(fontPackages.map(({ license }) => license))]).toEqual(['OFL-1.1']);
});
