// What pages are told about the compositions that they show.
import { expect, test } from 'vitest';
import { Compositions, type Project } from '../../preview/compositions.ts';
import { overlayFiles } from '../../preview/overlay.ts';
import { editorProblem } from '../../preview/shownComposition.ts';
import { readInside } from '../../renderer-core/project/readInside.ts';
import { composition, project } from '../support/project.ts';

function compositionsOf(root: string): Compositions {
  const server = {
    setVirtual: () => undefined,
    setEncodings: () => undefined,
    missing: [],
  } as unknown as Project['server'];
  const files = overlayFiles(readInside(root));
  return new Compositions(
    { root, files, server, systemFonts: false, worded: (problem) => problem },
    () => undefined,
    () => undefined,
  );
}

test('a view that was hidden and is shown again has a later turn than its page knows', () => {
  const compositions = compositionsOf(project(composition('<p>One</p>')));
  const query = new URLSearchParams({ composition: 'index.html', view: 'left' });
  for (const title of ['One', 'Two', 'Three']) compositions.show('index.html', { title }, { view: 'left' });
  const { turn } = compositions.of(query);
  compositions.hide('index.html', 'left');
  compositions.show('index.html', {}, { view: 'left' });
  expect(compositions.of(query).turn).toBeGreaterThan(turn);
});

test('a byte order mark is not text, so that the editor and the preview count alike', () => {
  const files = overlayFiles(readInside(project({ 'index.html': '\uFEFF<p>One</p>' })));
  expect(files.read('index.html')).toBe('<p>One</p>');
  files.set('index.html', '<p>One</p>');
  expect(files.unsaved()).toEqual([]);
});

test('messages for the editor name its fields and settings, and leave out what only the command line can do', () => {
  const hint = 'Leave out --strict-variables, or fix the values.';
  const message = 'The browser given by --browser does not exist';
  expect(editorProblem({ severity: 'error', message, hint })).toEqual({
    severity: 'error',
    message: 'The browser given by framework.browserPath does not exist',
    hint: 'Fix the values.',
  });
});
