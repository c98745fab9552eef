// The external address of a preview page, and the files that a preview depends on.
import { expect, test, vi } from 'vitest';
import { previewAddress } from '../../../client/preview/previewPanel.ts';
import { isProjectFile, isTextFile } from '../../../client/preview/projectFiles.ts';

// The icon of the panel is created when its module is loaded.
vi.mock('vscode', async () => ({ ...(await import('../../support/editor/vscodeWords.ts')), Uri: { parse: String } }));

const url = 'http://127.0.0.1:4000/s3cret/__framework/preview/';

test.each([
  ['http://127.0.0.1:4000/', 'http://127.0.0.1:4000/s3cret/__framework/preview/?composition=a.html', undefined],
  [
    'https://host.example/proxy/4000/',
    'https://host.example/proxy/4000/s3cret/__framework/preview/?composition=a.html',
    'https://host.example',
  ],
  [
    'https://name-4000.example/?token=1',
    'https://name-4000.example/s3cret/__framework/preview/?token=1&composition=a.html',
    'https://name-4000.example',
  ],
])('builds the address for %s', (external, expected, origin = 'http://127.0.0.1:4000') => {
  expect(previewAddress(url, external, 'a.html')).toEqual({ url: expected, origin });
});

test('encodes the path of the composition', () => {
  const address = previewAddress(url, 'http://127.0.0.1:4000', 'cards/Zoë & co+1.html');
  expect(new URL(address.url).searchParams.get('composition')).toBe('cards/Zoë & co+1.html');
  expect(address.url).not.toContain('+');
});

test.each([
  ['index.html', true, true],
  ['css/main.css', true, true],
  ['data/words.json', true, true],
  ['media/clip.mp4', true, false],
  ['renders/index.mp4', false, false],
  ['node_modules/gsap/gsap.js', false, true],
  ['.git/index.html', false, true],
  ['parts/.cache/a.css', false, true],
  ['notes', false, false],
])('%s: project file %j, text file %j', (path, isInProject, isText) => {
  expect([isProjectFile(path), isTextFile(path)]).toEqual([isInProject, isText]);
});
