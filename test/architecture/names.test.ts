// A file name says what is in the file, so that a search for it finds one file.
import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryFiles } from '../support/repositoryFiles.ts';

const products = ['client', 'server', 'renderer-core', 'preview', 'cli', 'cloud', 'serverless'];

const paths = repositoryFiles().filter((path) => path.endsWith('.ts'));

/** The paths of files whose base name another file has too. */
function withSameName(files: readonly string[]): string[] {
  const names = files.map((path) => posix.basename(path));
  return files.filter((_, index) => names.filter((name) => name === names[index]).length > 1);
}

test('finds files with the same base name', () => {
  expect(withSameName(['a/probe.ts', 'a/b/probe.ts', 'a/media.ts'])).toEqual(['a/probe.ts', 'a/b/probe.ts']);
});

test.each(products)('the source files of %s have different base names', (product) => {
  const files = paths.filter((path) => path.startsWith(`${product}/`));
  expect(files.length).toBeGreaterThan(10);
  expect(withSameName(files)).toEqual([]);
});
