// Paths in folders on each system.
import { posix, win32 } from 'node:path';
import { expect, test } from 'vitest';
import { pathInside } from '../../../renderer-core/project/pathInside.ts';

const long = 'very long name '.repeat(20).trim();

test.each([
  ['/videos', '/videos/a b/ü.html', 'a b/ü.html'],
  ['/videos/', '/videos', ''],
  ['/videos', '/videos-2/a.html', undefined],
  ['/videos', '/a.html', undefined],
  ['/videos', '/videos/../a.html', undefined],
  ['/videos', '/videos/..a/b.html', '..a/b.html'],
  ['/videos', '/Videos/a.html', undefined],
  ['/videos', '/videos/a\\b.html', 'a\\b.html'],
  ['/', '/a.html', 'a.html'],
])('in %s, %s is %s', (folder, file, expected) => {
  expect(pathInside(folder, file, posix)).toBe(expected);
});

test.each([
  ['C:\\Videos', 'C:\\Videos\\a b\\ü.html', 'a b/ü.html'],
  ['C:\\Videos\\', 'C:\\Videos', ''],
  ['C:\\Videos', 'C:\\Videos-2\\a.html', undefined],
  ['C:\\Videos', 'C:\\a.html', undefined],
  ['C:\\Videos', 'C:\\Videos\\..\\a.html', undefined],
  ['C:\\Videos', 'C:\\Videos\\..a\\b.html', '..a/b.html'],
  ['C:\\Videos', 'D:\\Videos\\a.html', undefined],
  ['C:\\Videos', 'c:\\VIDEOS\\A.html', 'A.html'],
  ['C:\\Videos', 'C:/Videos/a/b.html', 'a/b.html'],
  ['C:\\', 'C:\\a.html', 'a.html'],
  ['\\\\server\\share\\videos', '\\\\SERVER\\share\\videos\\a.html', 'a.html'],
  ['\\\\server\\share\\videos', '\\\\server\\other\\videos\\a.html', undefined],
  ['\\\\server\\share', 'C:\\a.html', undefined],
  ['C:\\Videos', `C:\\Videos\\${long}\\a.html`, `${long}/a.html`],
])('on Windows, in %s, %s is %s', (folder, file, expected) => {
  expect(pathInside(folder, file, win32)).toBe(expected);
});
