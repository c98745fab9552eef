// Hovers of font families with an image, from the server's process.
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Hover, MarkupContent } from 'vscode-languageserver-types';
import { cacheName } from '../../renderer-core/fonts/fontCache.ts';
import { fontPackages } from '../../renderer-core/fonts/fontPackages.ts';
import { type WorkspaceOptions, workspace } from '../support/editor/workspace.ts';
import { repository } from '../support/repositoryFiles.ts';

const files = `=== index.html
<div data-composition-id="main"><p style="font-family: Own, Tinos"></p></div>
=== fonts/own.css
@font-face { font-family: Own; src: url(own.woff2) }
=== fonts/own.woff2
`;

/** The Markdown of the hover on a text of index.html. The font of the project has four bytes. */
async function hoverOn(text: string, options: WorkspaceOptions): Promise<string> {
  const { write, openPath, connection } = await workspace(files, options);
  await write('fonts/own.woff2', Uint8Array.of(1, 2, 254, 255));
  const file = await openPath('index.html');
  // Is answered when all files have been read.
  await connection.sendRequest('framework/compositions', null);
  const { contents } = await file.askAt<Hover>('textDocument/hover', text);
  return (contents as MarkupContent).value;
}

test('shows the letters of a font of the project', async () => {
  expect(await hoverOn('Own,', {})).toMatch(
    /^\*\*Own\*\*: declared in `fonts\/own\.css`\n\n!\[.*\]\(data:image\/svg\+xml,\S*AQL\+\/w==/,
  );
});

test('shows the letters of an included font in the cache', async () => {
  const cache = await mkdtemp(join(tmpdir(), 'framework-cache-'));
  onTestFinished(() => rm(cache, { recursive: true, force: true }));
  const { version = '' } = fontPackages.find(({ name }) => name === '@fontsource/tinos') ?? {};
  const latin = 'files/tinos-latin-400-normal.woff2';
  const installed = join(repository, 'node_modules/@fontsource/tinos');
  for (const path of ['400.css', latin])
    await cp(join(installed, path), join(cache, 'fonts', cacheName('@fontsource/tinos', version), path));
  const says = await hoverOn('Tinos', { env: { FRAMEWORK_CACHE: cache } });
  expect(says).toContain(await readFile(join(installed, latin), 'base64'));
});
