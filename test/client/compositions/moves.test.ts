// What is remembered about files that the user renames or moves in the editor.
import { expect, test, vi } from 'vitest';
import { Uri } from 'vscode';
import { movedComposition, movedIn, movedPath, withMovedKeys } from '../../../client/compositions/moves.ts';
import type { CompositionInfo } from '../../../server/protocol.ts';

vi.mock('vscode', () => import('../../support/editor/vscodeUris.ts'));

const moved = movedIn([
  { oldUri: Uri.file('/w/old name'), newUri: Uri.file('/w/films/new') },
  { oldUri: Uri.file('/w/deck/card.html'), newUri: Uri.file('/w/deck/parts/hero.html') },
  { oldUri: Uri.file('/w/deck/away.html'), newUri: Uri.file('/w/films/away.html') },
]);
const at = (projectUri: string, path: string): CompositionInfo =>
  ({ uri: `${projectUri}/${path}`, projectUri, path }) as CompositionInfo;
const place = (composition: CompositionInfo | undefined) =>
  composition && [composition.uri, composition.projectUri, composition.path];

test('follows a renamed folder', () => {
  expect(place(movedComposition(at('file:///w/old%20name', 'a/index.html'), moved))).toEqual([
    'file:///w/films/new/a/index.html',
    'file:///w/films/new',
    'a/index.html',
  ]);
});

test('follows a renamed file in its project', () => {
  expect(place(movedComposition(at('file:///w/deck', 'card.html'), moved))).toEqual([
    'file:///w/deck/parts/hero.html',
    'file:///w/deck',
    'parts/hero.html',
  ]);
});

test('does not follow a file into another project, and keeps files that stay', () => {
  expect(movedComposition(at('file:///w/deck', 'away.html'), moved)).toBeUndefined();
  const stays = at('file:///w/old%20names', 'index.html');
  expect(movedComposition(stays, moved)).toBe(stays);
});

test('moves paths on disk and keys', () => {
  expect(movedPath('/w/old name/renders/a b.mp4', moved)).toBe('/w/films/new/renders/a b.mp4');
  expect(movedPath('/w/other/a.mp4', moved)).toBe('/w/other/a.mp4');
  expect(withMovedKeys([['file:///w/old%20name/index.html', 1]], moved)).toEqual([
    ['file:///w/films/new/index.html', 1],
  ]);
});
