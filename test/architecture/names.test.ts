// A file name says what is in the file, so that a search for it finds one file.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const products = ['client', 'server', 'renderer-core', 'preview', 'cli', 'cloud', 'serverless'];

const root = fileURLToPath(new URL('../../', import.meta.url));
const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '*.ts'], {
  cwd: root,
  encoding: 'utf8',
});
const paths = listed.split('\0').filter((path) => path !== '' && existsSync(root + path));

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
