// The files that the server's process knows: workspace folders, nested projects, untitled documents, unusual texts.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import type { Diagnostic } from 'vscode-languageserver-types';
import type { CompositionInfo, Status } from '../../server/protocol.ts';
import { type Workspace, workspace } from '../support/editor/workspace.ts';
import { silence } from '../support/renders/wav.ts';

const root = (body: string, attributes = '') =>
  `<div data-composition-id="main" data-width="640" data-height="360" data-duration="5" ${attributes}>${body}</div>\n`;
const host = (src: string) => root(`<div data-composition-src="${src}" data-start="0" data-duration="2"></div>`);

const codes = (diagnostics: readonly Diagnostic[]) => diagnostics.map(({ code }) => code);

async function compositions({ connection, uri }: Workspace): Promise<string[]> {
  const found = await connection.sendRequest<CompositionInfo[]>('framework/compositions', null);
  const short = (whole: string) => whole.replace(uri(''), '.');
  return found.map((one) => `${short(one.projectUri)}: ${one.path}`).sort();
}

test('embeds a file that exists only in the editor', async () => {
  const { openPath } = await workspace(`=== index.html\n${host('new.html')}`);
  const file = await openPath('index.html');
  expect(codes(await file.diagnostics())).toEqual(['missing-composition']);
  const unsaved = await openPath('new.html', root(''));
  await expect.poll(() => file.diagnostics()).toEqual([]);
  // It disappears when it is closed without saving.
  await unsaved.close();
  await expect.poll(async () => codes(await file.diagnostics())).toEqual(['missing-composition']);
});

test('uses the text on disk after a file is closed without saving', async () => {
  const { openPath } = await workspace(`=== index.html\n${host('intro.html')}=== intro.html\n${root('')}`);
  const file = await openPath('index.html');
  const target = await openPath('intro.html', '<p>nothing</p>');
  expect(codes(await file.diagnostics())).toEqual(['not-a-composition']);
  await target.close();
  await expect.poll(() => file.diagnostics()).toEqual([]);
});

test('finds the projects in a folder by manifest and entry composition', async () => {
  const client = await workspace(`=== loose.html
${root('')}=== videos/index.html
${root('')}=== videos/parts/index.html
${root('')}=== videos/parts/intro.html
${root('')}=== videos/own/framework.json
{}
=== videos/own/index.html
${root('')}=== site/index.html
<p>A page of another kind</p>
=== site/clip.html
${root('')}=== node_modules/pack/index.html
${root('')}`);
  expect(await compositions(client)).toEqual([
    './videos/own: index.html',
    './videos: index.html',
    './videos: parts/index.html',
    './videos: parts/intro.html',
    '.: loose.html',
    '.: site/clip.html',
  ]);
  // A new manifest makes its folder a project.
  await client.write('site/framework.json', '{}');
  await client.watched([{ uri: client.uri('site/framework.json'), type: 1 }]);
  await expect.poll(() => compositions(client)).toContain('./site: clip.html');
});

test('keeps two workspace folders separate', async () => {
  const client = await workspace(
    `=== one/index.html\n${host('/intro.html')}=== one/intro.html\n${root('')}=== two/index.html\n${host('/intro.html')}`,
    { folders: ['one', 'two'] },
  );
  const one = await client.openPath('one/index.html');
  const two = await client.openPath('two/index.html');
  expect(await one.diagnostics()).toEqual([]);
  expect(codes(await two.diagnostics())).toEqual(['missing-composition']);
});

test('reads an added workspace folder and forgets a removed one', async () => {
  const client = await workspace(`=== one/index.html\n${root('')}=== two/index.html\n${root('')}`, {
    folders: ['one'],
  });
  expect(await compositions(client)).toEqual(['./one: index.html']);
  await client.setFolders([client.uri('two')], []);
  await expect.poll(() => compositions(client)).toEqual(['./one: index.html', './two: index.html']);
  await client.setFolders([], [client.uri('one')]);
  await expect.poll(() => compositions(client)).toEqual(['./two: index.html']);
});

test('assigns the files of a nested workspace folder only to that folder', async () => {
  const client = await workspace(`=== index.html\n${root('')}=== inner/clip.html\n${root('')}`, {
    folders: ['', 'inner'],
  });
  expect(await compositions(client)).toEqual(['./inner: clip.html', '.: index.html']);
  await client.setFolders([], [client.uri('inner')]);
  await expect.poll(() => compositions(client)).toEqual(['.: index.html', '.: inner/clip.html']);
  await client.setFolders([client.uri('inner')], []);
  await expect.poll(() => compositions(client)).toEqual(['./inner: clip.html', '.: index.html']);
});

test('uses the parent folder of a file outside the workspace', async () => {
  const { open } = await workspace(`=== index.html\n${root('')}`);
  const folder = await mkdtemp(join(tmpdir(), 'framework-outside-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'intro.html'), root(''));
  const file = await open(pathToFileURL(join(folder, 'video.html')).href, host('intro.html'));
  expect(await file.diagnostics()).toEqual([]);
  await file.replace('intro.html', 'outro.html');
  expect(codes(await file.diagnostics())).toEqual(['missing-composition']);
});

test('treats an untitled document as a composition', async () => {
  const { open } = await workspace(`=== index.html\n${root('')}`);
  const file = await open('untitled:Untitled-1', root('<p data-start="soon or late"></p><img src="photo.png">'));
  // It is unknown which files will be next to it.
  expect(codes(await file.diagnostics())).toEqual(['invalid-start']);
  expect(await file.askAt('textDocument/hover', 'data-start')).not.toBeNull();
});

test('recognizes differently escaped URIs as the same file', async () => {
  const client = await workspace(
    `=== my clips/index.html\n${host('in (1).html')}=== my clips/in (1).html\n${root('')}`,
  );
  const file = await client.open(client.uri('my clips/in (1).html').replace('(', '%28').replace(')', '%29'), '');
  const embedding = await client.openPath('my clips/index.html');
  expect(codes(await embedding.diagnostics())).toEqual(['not-a-composition']);
  await file.setText(root(''));
  expect(await embedding.diagnostics()).toEqual([]);
});

test('returns correct positions after carriage returns and a byte order mark', async () => {
  const text = root('<p data-start="soon or late"></p>').replace('>', '>\r\n');
  const { openPath, connection, write, watched, uri } = await workspace('=== index.html\n', {
    settings: { lint: { scope: 'workspace' } },
  });
  await write('index.html', `\uFEFF${text}`);
  await watched([{ uri: uri('index.html'), type: 2 }]);
  type Reports = { items: { items: Diagnostic[] }[] };
  const onDisk = async () => {
    const { items } = await connection.sendRequest<Reports>('workspace/diagnostic', { previousResultIds: [] });
    return items[0]?.items[0]?.range;
  };
  const place = { start: { line: 1, character: 15 }, end: { line: 1, character: 27 } };
  await expect.poll(onDisk).toEqual(place);
  const file = await openPath('index.html', text);
  expect((await file.diagnostics())[0]?.range).toEqual(place);
});

test('notifies the client of the number of compositions', async () => {
  const { waitFor } = await workspace(`=== index.html\n${root('')}=== other.html\n${root('')}`);
  const status = await waitFor<Status>('framework/status', ({ state }) => state === 'ready');
  expect(status.compositions).toBe(2);
});

test('reads and shows media durations, again after the file changes', async () => {
  const client = await workspace(`=== index.html\n${root('<audio src="bell.wav" data-start="0"></audio>')}`);
  await client.write('bell.wav', silence(1.5));
  await client.watched([{ uri: client.uri('bell.wav'), type: 1 }]);
  const file = await client.openPath('index.html');
  const range = { start: { line: 0, character: 0 }, end: { line: 1, character: 0 } };
  const hints = async () => JSON.stringify(await file.ask('textDocument/inlayHint', { range }));
  await expect.poll(hints).toContain('1.5');
  await client.waitFor('workspace/inlayHint/refresh');
  await client.write('bell.wav', silence(2.25));
  await client.watched([{ uri: client.uri('bell.wav'), type: 2 }]);
  await expect.poll(hints).toContain('2.25');
});

test('requests files that are not on disk from the client', async () => {
  const served = new Map([
    ['memfs:/video/index.html', host('intro.html')],
    ['memfs:/video/intro.html', root('')],
  ]);
  const client = await workspace('=== unused.html\n', {
    folders: [],
    serve: (method, params) => {
      if (method === 'framework/listFiles') return { paths: ['index.html', 'intro.html'], isComplete: true };
      const text = served.get((params as { uri: string }).uri);
      return text === undefined ? null : Buffer.from(text).toString('base64');
    },
  });
  await client.setFolders(['memfs:/video'], []);
  const file = await client.open('memfs:/video/index.html', served.get('memfs:/video/index.html') ?? '');
  await expect.poll(async () => codes(await file.diagnostics())).toEqual([]);
  await file.replace('intro.html', 'outro.html');
  expect(codes(await file.diagnostics())).toEqual(['missing-composition']);
});

test('knows the fonts that style sheets of the project declare', async () => {
  const client = await workspace(`=== index.html\n${root(`<p style="font-family: Futura, serif"></p>`)}`);
  const file = await client.openPath('index.html');
  const face = '@font-face { font-family: Futura; src: url(futura.woff2) }';
  expect(codes(await file.diagnostics())).toEqual(['system-font']);
  await client.write('fonts/futura.css', face);
  await client.watched([{ uri: client.uri('fonts/futura.css'), type: 1 }]);
  await expect.poll(async () => codes(await file.diagnostics())).toEqual([]);
  await client.write('fonts/futura.css', 'p {}');
  await client.watched([{ uri: client.uri('fonts/futura.css'), type: 2 }]);
  await expect.poll(async () => codes(await file.diagnostics())).toEqual(['system-font']);
  await client.write('brand/fonts.css', face);
  await client.write('framework.json', '{"fonts": ["brand/fonts.css"]}');
  await client.watched(['brand/fonts.css', 'framework.json'].map((path) => ({ uri: client.uri(path), type: 1 })));
  await expect.poll(async () => codes(await file.diagnostics())).toEqual([]);
});
