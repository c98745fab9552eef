// Whose problems a client gets: those of open files and the files that they embed, or those of the whole workspace.
import { expect, test } from 'vitest';
import { CancellationTokenSource } from 'vscode-jsonrpc';
import type { Diagnostic } from 'vscode-languageserver-types';
import { type Workspace, workspace } from '../support/editor/workspace.ts';

/** A page that embeds a scene, which embeds a card, and a file that nothing embeds. Each has the same problem. */
const project = `=== site/index.html
<div data-composition-id="main" data-width="640" data-height="360" data-duration="5"><p data-start="soon">a</p>
<div data-composition-src="scene.html" data-start="0" data-duration="2"></div></div>
=== site/scene.html
<div data-composition-id="scene"><p data-start="soon">a</p>
<div data-composition-src="card.html" data-start="0" data-duration="2"></div></div>
=== site/card.html
<div data-composition-id="card"><p data-start="soon">a</p></div>
=== site/other.html
<div data-composition-id="other"><p data-start="soon">a</p></div>
=== film/index.html
<div data-composition-id="main" data-width="640" data-height="360" data-duration="5"><p data-start="soon">a</p></div>
`;

const all = ['film/index.html', 'site/card.html', 'site/index.html', 'site/other.html', 'site/scene.html'];

type Item = { uri: string; kind: string; resultId?: string; items?: Diagnostic[] };

/** Pulls the problems of the workspace as VS Code does: it passes the IDs of earlier reports and asks again after each response. */
function puller({ connection, uri }: Workspace) {
  const shown = new Map<string, { resultId: string | undefined; count: number }>();
  const pull = async () => {
    const previousResultIds = [...shown].map(([key, { resultId }]) => ({ uri: key, value: resultId }));
    const { items } = await connection.sendRequest<{ items: Item[] }>('workspace/diagnostic', { previousResultIds });
    for (const item of items) {
      if (item.kind === 'full') shown.set(item.uri, { resultId: item.resultId, count: item.items?.length ?? 0 });
    }
    return items;
  };
  const names = () =>
    [...shown].flatMap(([key, { count }]) => (count > 0 ? [key.slice(uri('').length + 1)] : [])).sort();
  return { pull, names };
}

const scopes = (scope: string) => ({ settings: { lint: { scope, rules: {} } } });

test('reports problems of open files and of the files that they embed', async () => {
  const client = await workspace(project);
  const { pull, names } = puller(client);
  await pull();
  expect(names()).toEqual([]);
  await client.openPath('site/scene.html');
  await pull();
  expect(names()).toEqual(['site/card.html', 'site/scene.html']);
});

test('removes the problems of a closed file, also if only the file itself was reported', async () => {
  const client = await workspace(project);
  const { pull } = puller(client);
  await pull();
  const file = await client.openPath('site/other.html');
  expect(await file.diagnostics()).toHaveLength(1);
  await file.close();
  expect(await pull()).toEqual([{ kind: 'full', items: [], uri: client.uri('site/other.html'), version: null }]);
});

test('keeps the problems of a closed file that an open file embeds', async () => {
  const client = await workspace(project);
  const { pull, names } = puller(client);
  await client.openPath('site/scene.html');
  await pull();
  const card = await client.openPath('site/card.html');
  await card.diagnostics();
  await card.close();
  expect(await pull()).toContainEqual(expect.objectContaining({ uri: card.uri, kind: 'full' }));
  expect(names()).toEqual(['site/card.html', 'site/scene.html']);
});

test('responds to a pull without news only after the next change', async () => {
  const client = await workspace(project);
  const { pull } = puller(client);
  const file = await client.openPath('site/scene.html');
  await pull();
  let hasResponded = false;
  const next = pull().finally(() => {
    hasResponded = true;
  });
  // Later requests are answered, and changes without new problems do not end the pull either.
  await file.replace('<p data-start="soon">a</p>', '<p data-start="soon">b</p>');
  await file.diagnostics();
  await client.connection.sendRequest('framework/compositions');
  expect(hasResponded).toBe(false);
  await file.replace('"soon"', '"1"');
  expect((await next).map(({ uri, items }) => [uri, items?.length])).toContainEqual([file.uri, 0]);
});

test('reports the whole workspace with the setting', async () => {
  const client = await workspace(project, scopes('workspace'));
  const { pull, names } = puller(client);
  await expect
    .poll(async () => {
      await pull();
      return names();
    })
    .toEqual(all);
  await client.setSettings({ lint: { scope: 'openFiles', rules: {} } });
  await pull();
  expect(names()).toEqual([]);
});

test('lints the whole workspace on request, until only open files are requested', async () => {
  const client = await workspace(project);
  const { pull, names } = puller(client);
  await pull();
  expect(await client.connection.sendRequest('framework/lintWorkspace', null)).toEqual({
    compositions: 5,
    problems: 5,
  });
  expect(client.received('framework/lintProgress').at(-1)).toEqual({ done: 5, total: 5 });
  await pull();
  expect(names()).toEqual(all);
  await client.waitFor('framework/status', (status: { lintScope: string }) => status.lintScope === 'workspace');
  await client.connection.sendRequest('framework/lintOpenFiles', null);
  await pull();
  expect(names()).toEqual([]);
});

test('updates the problems of files that are not open after linting the workspace', async () => {
  const client = await workspace(project);
  const { pull, names } = puller(client);
  await client.connection.sendRequest('framework/lintWorkspace', null);
  await pull();
  await client.write('site/other.html', '<div data-composition-id="other"></div>');
  await client.watched([{ uri: client.uri('site/other.html'), type: 2 }]);
  await pull();
  expect(names()).toEqual(all.filter((path) => path !== 'site/other.html'));
});

test('shows nothing more when linting the workspace is cancelled', async () => {
  const client = await workspace(project);
  const { pull, names } = puller(client);
  const source = new CancellationTokenSource();
  const request = client.connection.sendRequest('framework/lintWorkspace', null, source.token);
  source.cancel();
  await expect(request).rejects.toThrow('cancelled');
  await client.openPath('site/card.html');
  await pull();
  expect(names()).toEqual(['site/card.html']);
});

test('stops in the middle when linting a large workspace is cancelled', async () => {
  const page = (index: number) => `=== page${index}/index.html
<div data-composition-id="main" data-width="640" data-height="360" data-duration="5">${'<p data-start="soon">a</p>'.repeat(40)}</div>
`;
  const client = await workspace(Array.from({ length: 400 }, (_, index) => page(index)).join(''));
  const { pull, names } = puller(client);
  const source = new CancellationTokenSource();
  const request = client.connection.sendRequest('framework/lintWorkspace', null, source.token);
  await expect
    .poll(() => client.received('framework/lintProgress').length, { interval: 1, timeout: 60_000 })
    .toBeGreaterThan(0);
  source.cancel();
  expect(await request).toBeNull();
  await client.openPath('page7/index.html');
  await pull();
  expect(names()).toEqual(['page7/index.html']);
});
