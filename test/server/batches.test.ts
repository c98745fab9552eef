// Batch files in the server's process: language features for rows, and none in other data files.
import { expect, test } from 'vitest';
import type { CodeLens, CompletionList, Hover, LocationLink } from 'vscode-languageserver-types';
import type { BatchInfo } from '../../server/protocol.ts';
import { workspace } from '../support/editor/workspace.ts';

const project = `=== index.html
<div data-composition-id="main" data-width="640" data-height="360" data-duration="5" data-composition-variables='[{"id":"title","type":"string","label":"Title","default":"Hello"}]'><h1 data-var-text="title"></h1></div>
=== rows.json
[
  {"title": "One", "name": "a"},
  {"title": 2, "name": "b"}
]
`;

test('checks rows and offers completion, hover, definition and lenses', async () => {
  const { openPath, uri } = await workspace(project);
  const file = await openPath('rows.json');
  const found = await file.diagnostics();
  expect(found.map(({ code, range }) => [code, range.start.line])).toEqual([
    ['batch-variable', 1],
    ['batch-variable', 2],
    ['batch-variable', 2],
  ]);
  const { items } = await file.askAt<CompletionList>('textDocument/completion', '"title": "One"');
  expect(items.map(({ label }) => label)).toContain('title');
  const hover = await file.askAt<Hover>('textDocument/hover', 'title');
  expect(JSON.stringify(hover.contents)).toContain('Title');
  const [link] = await file.askAt<LocationLink[]>('textDocument/definition', 'title');
  expect(link?.targetUri).toBe(uri('index.html'));
  const lenses = await file.ask<CodeLens[]>('textDocument/codeLens');
  expect(lenses.map(({ command }) => command?.title)).toEqual([
    'Render Rows…',
    'Render all 2 rows',
    'Render this row',
    'Render this row',
  ]);
});

test('updates the problems when the declarations change without saving', async () => {
  const { openPath, waitFor } = await workspace(project);
  const rows = await openPath('rows.json', '[{"title": "One"}]');
  const composition = await openPath('index.html');
  expect(await rows.diagnostics()).toEqual([]);
  await composition.replace('"id":"title"', '"id":"heading"');
  await waitFor('workspace/diagnostic/refresh');
  expect(await rows.diagnostics()).toMatchObject([{ code: 'batch-variable' }]);
});

test('recognizes batch files that the manifest lists', async () => {
  const people = '=== people.json\n[{"title": 1}]\n=== framework.json\n{"batches": {"people.json": "index.html"}}\n';
  const { openPath } = await workspace(project + people);
  expect(await (await openPath('people.json')).diagnostics()).toMatchObject([{ code: 'batch-variable' }]);
});

test('registers for batch files in the manifest, and unregisters when they are removed', async () => {
  const named = '{"batches": {"data/[people].json": "index.html", "rows.json": "index.html"}}';
  const { waitFor, write, watched, uri, received } = await workspace(`${project}=== framework.json\n${named}`);
  type Registrations = { registrations: { method: string; registerOptions: { documentSelector: unknown } }[] };
  const isAboutDocuments = ({ registrations }: Registrations) =>
    registrations.some(({ method }) => method === 'textDocument/didOpen');
  const { registrations } = await waitFor<Registrations>('client/registerCapability', isAboutDocuments);
  const methods = registrations.map(({ method }) => method.replace('textDocument/', ''));
  expect(methods.sort()).toEqual(
    ['codeLens', 'completion', 'definition', 'diagnostic', 'didChange', 'didClose', 'didOpen', 'hover'].sort(),
  );
  for (const { registerOptions } of registrations)
    expect(registerOptions.documentSelector).toEqual([{ pattern: '**/data/?people?.json' }]);
  await write('framework.json', '{}');
  await watched([{ uri: uri('framework.json'), type: 2 }]);
  await waitFor('client/unregisterCapability');
  expect(received<Registrations>('client/registerCapability').filter(isAboutDocuments)).toHaveLength(1);
});

test('offers nothing in other data files', async () => {
  const text = '[{"title": 1, "text": "data-composition-id"}]';
  const { openPath, connection } = await workspace(
    `${project}=== other.json\n${text}\n=== cards/rows.json\n{"a": 1}\n`,
  );
  for (const path of ['other.json', 'cards/rows.json']) {
    const file = await openPath(path);
    expect(await file.diagnostics()).toEqual([]);
    expect(await file.ask('textDocument/codeLens')).toEqual([]);
    expect(await file.askAt('textDocument/completion', '{')).toBe(null);
    await file.close();
  }
  const compositions = await connection.sendRequest<{ path: string }[]>('framework/compositions', null);
  expect(compositions.map(({ path }) => path)).toEqual(['index.html']);
});

test('returns the composition and the rows to the client', async () => {
  const { openPath, connection, uri } = await workspace(project);
  await openPath('rows.json');
  const ask = (path: string, row?: number) =>
    connection.sendRequest<BatchInfo | null>('framework/batch', { uri: uri(path), row });
  expect(await ask('rows.json', 1)).toMatchObject({
    path: 'rows.json',
    composition: { path: 'index.html', projectUri: uri('') },
    rows: 2,
    hasNames: true,
    placeholders: ['index', 'title', 'name'],
    row: { variables: { title: 2, name: 'b' }, range: { start: { line: 2 } } },
  });
  expect(await ask('rows.json', 2)).toMatchObject({ row: null });
  expect(await ask('index.html')).toBe(null);
});
