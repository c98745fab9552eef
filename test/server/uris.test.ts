// URIs in the spellings of different clients, and the project folders of files.
import { expect, test } from 'vitest';
import { projectFolderOf } from '../../server/projects/projectFolders.ts';
import { joinUri, parentUri, pathBelow, schemeOf, uriKey } from '../../server/uris.ts';

test.each([
  ['file:///c%3A/Videos/a%20b.html', 'file:///C:/Videos/a b.html'],
  ['file:///w/in%20%281%29.html', 'file:///w/in (1).html'],
  ['FILE://Host/a.html', 'file://host/a.html'],
])('recognizes %s and %s as the same file', (one, other) => {
  expect(uriKey(one)).toBe(uriKey(other));
});

test('distinguishes files with different names', () => {
  expect(uriKey('file:///w/A.html')).not.toBe(uriKey('file:///w/a.html'));
  expect(uriKey('file:///w/50%.html')).toBe('file:///w/50%.html');
});

test.each([
  ['file:///w', 'file:///w/a/b%20c.html', 'a/b c.html'],
  ['file:///w/', 'file:///w/a.html', 'a.html'],
  ['file:///w', 'file:///w', ''],
  ['file:///w', 'file:///wide/a.html', undefined],
  ['memfs:/w', 'memfs:/w/a.html', 'a.html'],
  ['file:///w', 'memfs:///w/a.html', undefined],
])('below %s, resolves %s to %s', (folder, uri, path) => {
  expect(pathBelow(folder, uri)).toBe(path);
});

test('escapes special characters when joining, reversibly', () => {
  const uri = joinUri('file:///w', 'a b/50%/#1?.html');
  expect(uri).toBe('file:///w/a%20b/50%25/%231%3F.html');
  expect(pathBelow('file:///w', uri)).toBe('a b/50%/#1?.html');
  expect(parentUri(uri)).toBe('file:///w/a%20b/50%25');
  expect(schemeOf('untitled:Untitled-1')).toBe('untitled');
});

test('joins half of a character, which no URI can have', () => {
  expect(joinUri('file:///w', 'a\ud800.mp4')).toBe('file:///w/a%EF%BF%BD.mp4');
});

test.each([
  ['a/b/c.html', [], [], ''],
  ['a/b/c.html', ['a', 'a/b'], [''], 'a/b'],
  ['a/b/c.html', [], ['a', 'a/b'], 'a'],
  ['a/b/c.html', [], ['b'], ''],
  ['c.html', [''], ['a'], ''],
])('finds the project of %s with manifests in %j and entries in %j: %j', (path, manifests, entries, expected) => {
  const has = (folders: readonly string[]) => (folder: string) => folders.includes(folder);
  expect(projectFolderOf(path, has(manifests), has(entries))).toBe(expected);
});
