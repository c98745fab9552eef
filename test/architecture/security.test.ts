// The tests that docs/security.md names exist, so that no protection is described whose test was renamed or deleted.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from '../support/repositoryFiles.ts';

type Row = { text: string; test: string };

/** The rows of the tables with protections. */
const rowsOf = (page: string): Row[] =>
  page.split('\n').flatMap((line) => {
    const [, text = '', , test = ''] = line.split('|').map((cell) => cell.trim());
    return /^\|/.test(line) && !/^(?:What protects|-+)$/.test(text) ? [{ text, test }] : [];
  });

/** Why the test of a row is not one. */
function problemOf({ test: cell }: Row, read: (path: string) => string | undefined): string | undefined {
  if (cell === 'no test') return undefined;
  const [, title = '', path = ''] = /^\[(.+)\]\(\.\.\/(test\/[\w/-]+\.test\.ts)\)$/.exec(cell) ?? [];
  const text = read(path);
  if (text === undefined) return `"${cell}" is not a link to a file with tests`;
  return text.includes(title) ? undefined : `${path} has no test "${title}"`;
}

const readTest = (path: string): string | undefined =>
  path !== '' && existsSync(join(repository, path)) ? readFileSync(join(repository, path), 'utf8') : undefined;

test('names a test for each protection, or says that it has none', () => {
  const rows = rowsOf(readFileSync(join(repository, 'docs/security.md'), 'utf8'));
  expect(rows.length).toBeGreaterThan(50);
  expect(rows.flatMap((row) => problemOf(row, readTest) ?? [])).toEqual([]);
  // A new protection without a test is a decision.
  expect(rows.filter((row) => row.test === 'no test').map(({ text }) => text)).toEqual([
    'Memory and processes of a worker are limited.',
    'A page that gets out of the browser is a process of your user.',
  ]);
});

test.each([
  ['[a](../test/x.test.ts)', undefined],
  ['no test', undefined],
  ['', '"" is not a link to a file with tests'],
  ['[a](../test/y.test.ts)', '"[a](../test/y.test.ts)" is not a link to a file with tests'],
  ['[b](../test/x.test.ts)', 'test/x.test.ts has no test "b"'],
])('%j is a test: %j', (cell, problem) => {
  const read = (path: string) => (path === 'test/x.test.ts' ? "test('a', () => {});" : undefined);
  expect(rowsOf(`| Text. | | ${cell} |`).map((row) => problemOf(row, read))).toEqual([problem]);
});
