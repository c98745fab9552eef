// Requests to the server's process that involve several files.
import { expect, test } from 'vitest';
import type { CodeAction, CodeLens, CompletionList, WorkspaceEdit } from 'vscode-languageserver-types';
import type { CompositionInfo, OutlineItem } from '../../server/protocol.ts';
import { textsAfter } from '../support/editor/languageClient.ts';
import { workspace } from '../support/editor/workspace.ts';

const threeFiles = `=== index.html
<div data-composition-id="main" data-width="640" data-height="360" data-duration="5">
<div data-composition-src="parts/card.html" data-variable-values='{"title":"One"}' data-start="0" data-duration="2"></div>
</div>
=== outro.html
<div data-composition-id="outro" data-width="640" data-height="360" data-duration="5">
<div data-composition-src="/parts/card.html" data-variable-values="{&quot;title&quot;:&quot;Two&quot;}" data-start="0" data-duration="2"></div>
</div>
=== parts/card.html
<div data-composition-id="card" data-width="640" data-height="360" data-duration="2" data-composition-variables='[{"id":"title","type":"string","label":"Title","default":"Hello"}]'>
<h1 data-var-text="title"></h1>
</div>
`;

test('renames a variable in three files, one of which is open and modified', async () => {
  const { openPath, uri, read } = await workspace(threeFiles);
  const card = await openPath('parts/card.html');
  const outro = await openPath('outro.html');
  await outro.replace('Two', 'Second');
  const edit = await card.askAt<WorkspaceEdit>('textDocument/rename', 'title"></h1>', { newName: 'heading' });
  const index = await read('index.html');
  const texts = textsAfter(edit, (at) => ({ [card.uri]: card.text(), [outro.uri]: outro.text() })[at] ?? index);
  expect(Object.keys(texts).sort()).toEqual([uri('index.html'), uri('outro.html'), uri('parts/card.html')]);
  expect(texts[uri('index.html')]).toContain(`'{"heading":"One"}'`);
  expect(texts[uri('outro.html')]).toContain('{&quot;heading&quot;:&quot;Second&quot;}');
  expect(texts[uri('parts/card.html')]).toContain('"id":"heading"');
  expect(texts[uri('parts/card.html')]).toContain('data-var-text="heading"');
});

test('rejects an invalid new name with a reason', async () => {
  const { openPath } = await workspace(threeFiles);
  const card = await openPath('parts/card.html');
  await expect(card.askAt('textDocument/rename', 'title"></h1>', { newName: '' })).rejects.toThrow(/\w/);
});

test('updates the paths to a moved file', async () => {
  const { connection, uri, read } = await workspace(threeFiles);
  const files = [{ oldUri: uri('parts/card.html'), newUri: uri('cards/big card.html') }];
  const edit = await connection.sendRequest<WorkspaceEdit>('workspace/willRenameFiles', { files });
  const before = { [uri('index.html')]: await read('index.html'), [uri('outro.html')]: await read('outro.html') };
  const texts = textsAfter(edit, (at) => before[at] ?? '');
  expect(texts[uri('index.html')]).toContain('data-composition-src="cards/big%20card.html"');
  expect(texts[uri('outro.html')]).toContain('data-composition-src="/cards/big%20card.html"');
});

test('completes values from the declarations of another file', async () => {
  const { openPath } = await workspace(threeFiles);
  const index = await openPath('index.html');
  await index.replace('{"title":"One"}', '{""}');
  const list = await index.askAt<CompletionList>('textDocument/completion', '"}');
  expect(list.items.map(({ label }) => label)).toContain('title');
});

test('finds a declaration and all references to it', async () => {
  const { openPath, uri } = await workspace(threeFiles);
  const index = await openPath('index.html');
  expect(await index.askAt('textDocument/definition', 'title"')).toMatchObject([{ targetUri: uri('parts/card.html') }]);
  const context = { includeDeclaration: true };
  const places = await index.askAt<{ uri: string }[]>('textDocument/references', 'title"', { context });
  expect(places.map((place) => place.uri).sort()).toEqual(
    ['index.html', 'outro.html', 'parts/card.html', 'parts/card.html'].map(uri),
  );
});

test('returns lenses that render and that show the users of a file', async () => {
  const { openPath, uri } = await workspace(threeFiles);
  const card = await openPath('parts/card.html');
  const lenses = await card.ask<CodeLens[]>('textDocument/codeLens');
  expect(lenses.map(({ command }) => [command?.title, command?.command])).toEqual([
    ['Render', 'framework.render'],
    ['Render…', 'framework.renderWithVariables'],
    ['Used by 2 files', 'framework.showReferences'],
  ]);
  expect(lenses[2]?.command?.arguments).toMatchObject([
    { uri: card.uri, files: 2, locations: [{ uri: uri('index.html') }, { uri: uri('outro.html') }] },
  ]);
});

test('applies all safe fixes on save', async () => {
  const { openPath } = await workspace(`=== index.html
<div data-composition-id="main" data-width="640" data-height="360" data-duration="5" data-composition-variables='[{"id":"size","type":"number","label":"Size","default":"5"},{"id":"on","type":"boolean","label":"On","default":"true"}]'>
<p data-var-text="size"></p><p data-var-text="on"></p>
</div>
`);
  const file = await openPath('index.html');
  const found = (await file.diagnostics()).map(({ code }) => code);
  expect(found.filter((code) => code === 'default-type')).toHaveLength(2);
  const start = { line: 0, character: 0 };
  const ask = (only: string[]) =>
    file.ask<CodeAction[]>('textDocument/codeAction', {
      range: { start, end: start },
      context: { diagnostics: [], only },
    });
  const [action] = await ask(['source.fixAll']);
  expect(action?.kind).toBe('source.fixAll.framework');
  await file.apply(action?.edit?.changes?.[file.uri] ?? []);
  expect(file.text()).toContain('"default":5},');
  expect(file.text()).toContain('"default":true}');
  expect(await file.diagnostics()).toEqual([]);
  expect(await ask(['source.fixAll.framework'])).toEqual([]);
});

test('turns off a rule in an existing or new manifest', async () => {
  const wrong =
    '<div data-composition-id="main" data-width="9" data-height="9" data-duration="1"><p data-start="a b"></p></div>';
  const { openPath, uri, write, watched } = await workspace(`=== index.html\n${wrong}\n`);
  const file = await openPath('index.html');
  const turnOff = async () => {
    const [diagnostic] = await file.diagnostics();
    const context = { diagnostics: [diagnostic] };
    const actions = await file.ask<CodeAction[]>('textDocument/codeAction', { range: diagnostic?.range, context });
    return actions.find(({ title }) => title === 'Turn off invalid-start in this project')?.edit ?? {};
  };
  const made = textsAfter(await turnOff(), () => '');
  expect(JSON.parse(made[uri('framework.json')] ?? '')).toEqual({ lint: { rules: { 'invalid-start': 'off' } } });
  const manifest = '{\n  "name": "kept"\n}\n';
  await write('framework.json', manifest);
  await watched([{ uri: uri('framework.json'), type: 1 }]);
  await expect
    .poll(async () => textsAfter(await turnOff(), () => manifest)[uri('framework.json')])
    .toMatch(/"kept",[\s\S]*"invalid-start": "off"/);
});

test('returns the declarations of a composition to the client', async () => {
  const { openPath, connection, uri } = await workspace(threeFiles);
  const card = await openPath('parts/card.html');
  await card.replace('"default":"Hello"', '"default":"Hi"');
  const info = await connection.sendRequest<CompositionInfo>('framework/composition', { uri: card.uri });
  expect(info).toMatchObject({ path: 'parts/card.html', projectUri: uri(''), id: 'card', width: 640, duration: 2 });
  expect(info.variables).toEqual([{ id: 'title', type: 'string', label: 'Title', default: 'Hi' }]);
  expect(info).not.toHaveProperty('declarationsProblem');
  await card.replace('"default":"Hi"', '"default""Hi"');
  const broken = await connection.sendRequest<CompositionInfo>('framework/composition', { uri: card.uri });
  expect(broken).toMatchObject({
    variables: [],
    declarationsProblem: { message: expect.stringContaining('Expected :') },
  });
  expect(card.text().split('\n')[0]?.slice(broken.declarationsProblem?.position.character)).toMatch(/^"Hi"/);
});

test('returns the outline of a file and notifies the client of changes', async () => {
  const { openPath, connection, uri } = await workspace(threeFiles);
  const index = await openPath('index.html');
  const changed = new Promise<void>((done) => connection.onNotification('framework/changed', () => done()));
  await index.replace('data-duration="2"', 'data-duration="3"');
  await changed;
  const items = await connection.sendRequest<OutlineItem[]>('framework/outline', { uri: index.uri });
  expect(items[0]?.children).toMatchObject([
    { what: 'host', detail: '0 – 3 s, → card.html', target: uri('parts/card.html') },
  ]);
  expect(await connection.sendRequest('framework/outline', { uri: uri('nowhere.html') })).toEqual([]);
});
