// The table of fast paths, and the list that switches them off.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import {
  allFastPaths,
  fastPaths,
  fastPathsOption,
  readFastPaths,
} from '../../../renderer-core/capture/fastPaths/fastPaths.ts';

const names = [
  'background-video',
  'banding',
  'clipped-backdrops',
  'repeated-frames',
  'skipped-drawing',
  'skipped-frames',
  'warm-pages',
];
const root = fileURLToPath(new URL('../../../', import.meta.url));

test.each([
  [undefined, names],
  ['', names],
  ['-banding', ['background-video', ...names.slice(2)]],
  [' -banding, -background-video ,', names.slice(2)],
  ['-banding,-banding', ['background-video', ...names.slice(2)]],
  ['-all', []],
  ['-all,-banding', []],
])('reads %j', (list, expected) => {
  expect([...readFastPaths(list)].sort()).toEqual(expected);
});

test.each([
  'banding',
  '-bands',
  '+banding',
  '-',
  'all',
  '-banding -warm-pages',
])('rejects %j and lists the names', (list) => {
  expect(() => readFastPaths(list)).toThrow(
    expect.objectContaining({
      code: 'usage',
      message: `Unknown fast path "${list}" in FRAMEWORK_FAST_PATHS`,
      hint: 'Use a comma-separated list of -all, -background-video, -banding, -clipped-backdrops, -repeated-frames, -skipped-drawing, -skipped-frames, -warm-pages.',
    }),
  );
});

test('reads the option from the environment, only if it is set', () => {
  expect(fastPathsOption({ FRAMEWORK_FAST_PATHS: '-all' })).toEqual({ fastPaths: '-all' });
  expect(fastPathsOption({ OTHER: '1' })).toEqual({});
});

test('names a reason and existing files for every fast path', () => {
  expect([...allFastPaths]).toEqual(names);
  for (const { name, reason, code } of fastPaths) {
    expect(reason, name).toMatch(/\d/);
    expect(code.filter((file) => !existsSync(`${root}renderer-core/${file}`))).toEqual([]);
  }
});

test.each(['docs/capture.md', 'docs/internals/capture.md'])('%s lists every fast path', (page) => {
  const text = readFileSync(`${root}${page}`, 'utf8');
  const listed = [...text.matchAll(/^\| `([a-z-]+)` /gm)].map((match) => match[1]);
  expect(listed).toEqual(names);
});
