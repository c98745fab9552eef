// Diagnostics from the server's process, also when other files change.
import { expect, test } from 'vitest';
import type { Diagnostic } from 'vscode-languageserver-types';
import { workspace } from '../support/editor/workspace.ts';

const wrongStart = `<div data-composition-id="main" data-width="640" data-height="360" data-duration="5"><p data-start="soon or late">a</p></div>
`;

/** A host that sets a variable of the composition that it embeds. */
const embedding = `=== index.html
<div data-composition-id="main" data-width="640" data-height="360" data-duration="5">
<div data-composition-src="intro.html" data-variable-values='{"title":"Pro"}' data-start="0" data-duration="2"></div>
</div>
=== intro.html
<div data-composition-id="intro" data-width="640" data-height="360" data-duration="2" data-composition-variables='[{"id":"title","type":"string","label":"Title","default":"Hello"}]'><h1 data-var-text="title"></h1></div>
`;

const codes = (diagnostics: readonly Diagnostic[]) => diagnostics.map(({ code }) => code);

test('returns current diagnostics and fixes', async () => {
  const { openPath } = await workspace(`=== index.html\n${wrongStart}`);
  const file = await openPath('index.html');
  expect(await file.diagnostics()).toMatchObject([{ source: 'framework', code: 'invalid-start', severity: 1 }]);
  await file.replace('soon or late', '1');
  expect(await file.diagnostics()).toEqual([]);
});

test('reports unchanged diagnostics as unchanged', async () => {
  const { openPath } = await workspace(`=== index.html\n${wrongStart}`);
  const file = await openPath('index.html');
  type Report = { kind: string; resultId: string };
  const first = await file.ask<Report>('textDocument/diagnostic');
  const again = await file.ask<Report>('textDocument/diagnostic', { previousResultId: first.resultId });
  expect([first.kind, again.kind, again.resultId]).toEqual(['full', 'unchanged', first.resultId]);
  await file.replace('soon or late', 'sooner or later');
  const changed = await file.ask<Report>('textDocument/diagnostic', { previousResultId: first.resultId });
  expect(changed.kind).toBe('full');
});

test('refreshes the file that embeds a changed file', async () => {
  const { openPath, waitFor } = await workspace(embedding);
  const host = await openPath('index.html');
  const target = await openPath('intro.html');
  expect(await host.diagnostics()).toEqual([]);
  expect(await target.diagnostics()).toEqual([]);
  // The unsaved text of the editor counts.
  await target.replace('"id":"title"', '"id":"titel"');
  await waitFor('workspace/diagnostic/refresh');
  expect(codes(await host.diagnostics())).toContain('undeclared-value');
});

test('uses the text of the editor, otherwise that on disk', async () => {
  const { openPath, write, watched, uri } = await workspace(embedding);
  const host = await openPath('index.html');
  expect(await host.diagnostics()).toEqual([]);
  await write('intro.html', (await (await openPath('intro.html')).text()).replace('"title"', '"heading"'));
  await watched([{ uri: uri('intro.html'), type: 2 }]);
  expect(await host.diagnostics()).toEqual([]);
});

test('updates diagnostics when files are created and deleted on disk', async () => {
  const { openPath, write, watched, uri, waitFor, forget } = await workspace(
    embedding.replace('=== intro', '=== other'),
  );
  const host = await openPath('index.html');
  expect(codes(await host.diagnostics())).toEqual(['missing-composition']);
  forget();
  await write('intro.html', embedding.split('=== intro.html\n')[1] ?? '');
  await watched([{ uri: uri('intro.html'), type: 1 }]);
  await waitFor('workspace/diagnostic/refresh');
  expect(await host.diagnostics()).toEqual([]);
  forget();
  await watched([{ uri: uri('intro.html'), type: 3 }]);
  await waitFor('workspace/diagnostic/refresh');
  expect(codes(await host.diagnostics())).toEqual(['missing-composition']);
});

test('reads the files of a created folder', async () => {
  const source = embedding.replace('"intro.html"', '"parts/intro.html"').replace('=== intro', '=== other');
  const { openPath, write, watched, uri, waitFor, forget } = await workspace(source);
  const host = await openPath('index.html');
  expect(codes(await host.diagnostics())).toEqual(['missing-composition']);
  forget();
  await write('parts/intro.html', embedding.split('=== intro.html\n')[1] ?? '');
  await watched([{ uri: uri('parts'), type: 1 }]);
  await waitFor('workspace/diagnostic/refresh');
  expect(await host.diagnostics()).toEqual([]);
});

test('applies rule levels from the settings of the editor and the project', async () => {
  const settings = { lint: { rules: { 'invalid-start': 'hint' } } };
  const { openPath, write, watched, uri, setSettings, waitFor } = await workspace(`=== index.html\n${wrongStart}`, {
    settings,
  });
  const file = await openPath('index.html');
  await waitFor('workspace/configuration');
  const levels = async () => (await file.diagnostics()).map(({ severity }) => severity);
  await expect.poll(levels).toEqual([4]);
  await setSettings({ lint: { rules: { 'invalid-start': 'info' } } });
  await expect.poll(levels).toEqual([3]);
  await write('framework.json', '{"lint": {"rules": {"invalid-start": "warning"}}}');
  await watched([{ uri: uri('framework.json'), type: 1 }]);
  await expect.poll(levels).toEqual([2]);
});

test('reports an unknown rule in the manifest', async () => {
  const source = `=== index.html\n<div data-composition-id="main" data-width="9" data-height="9" data-duration="9"></div>\n=== framework.json\n{"lint": {"rules": {"invalid-strat": "off"}}}\n`;
  const { connection, uri } = await workspace(source);
  type Reports = { items: { uri: string; items: Diagnostic[] }[] };
  const { items } = await connection.sendRequest<Reports>('workspace/diagnostic', { previousResultIds: [] });
  expect(items).toMatchObject([{ uri: uri('framework.json'), items: [{ severity: 2, source: 'framework' }] }]);
});

test('links rules to the documentation that the client names', async () => {
  const { openPath } = await workspace(`=== index.html\n${wrongStart}`, {
    initializationOptions: { docsUri: 'file:///extension/docs' },
  });
  const file = await openPath('index.html');
  expect(await file.diagnostics()).toMatchObject([
    { codeDescription: { href: 'file:///extension/docs/rules.md#invalid-start' } },
  ]);
});

test('offers nothing in a file that is not a composition', async () => {
  const { openPath } = await workspace('=== page.html\n<p data-start="soon or late">x</p>\n');
  const file = await openPath('page.html');
  const position = { line: 0, character: 4 };
  const range = { start: position, end: position };
  expect(await file.diagnostics()).toEqual([]);
  expect(await file.ask('textDocument/completion', { position })).toBeNull();
  expect(await file.ask('textDocument/hover', { position })).toBeNull();
  expect(await file.ask('textDocument/codeAction', { range, context: { diagnostics: [] } })).toEqual([]);
  expect(await file.ask('textDocument/codeLens')).toEqual([]);
  expect(await file.ask('textDocument/documentSymbol')).toEqual([]);
  expect(await file.ask('textDocument/semanticTokens/full')).toEqual({ data: [] });
});
