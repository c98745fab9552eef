// The language server where editors run in a browser: a worker of a real page, with every file from the client.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ReadFileParams } from '../../server/protocol.ts';
import { connectClient, type LanguageClient } from '../support/editor/languageClient.ts';
import { silence } from '../support/renders/wav.ts';
import { startWorker, type WorkerServer } from '../support/service/workerServer.ts';

const folder = 'vscode-vfs://github/video';
const card = `<div data-composition-id="card" data-width="9" data-height="9" data-duration="2" data-composition-variables='[{"id":"title","type":"string","label":"Title","default":"Hello"}]'><h1 data-var-text="title"></h1></div>`;
const index = `<div data-composition-id="main" data-width="9" data-height="9" data-duration="5">
<div data-composition-src="card.html" data-variable-values='{"titel":"One"}' data-start="0" data-duration="2"></div>
<audio src="bell.wav" data-start="0"></audio>
</div>`;

/** In base64. */
const files = new Map<string, string>(
  Object.entries({ 'card.html': card, 'index.html': index, 'bell.wav': silence(1.5) }).map(([name, content]) => [
    `${folder}/${name}`,
    Buffer.from(content).toString('base64'),
  ]),
);

let worker: WorkerServer;
let client: LanguageClient;
beforeAll(async () => {
  worker = await startWorker();
  client = await connectClient(worker.connection, {
    folders: [folder],
    serve(method, params) {
      if (method === 'framework/listFiles')
        return { paths: [...files.keys()].map((uri) => uri.slice(folder.length + 1)), isComplete: true };
      return files.get((params as ReadFileParams).uri) ?? null;
    },
  });
});
afterAll(() => worker?.stop());

test('checks a file against one that only the client can read', async () => {
  const file = await client.open(`${folder}/index.html`, index);
  const found = await file.diagnostics();
  expect(found.map(({ code }) => code)).toEqual(['undeclared-value']);
  expect(found[0]?.relatedInformation?.[0]?.location.uri).toBe(`${folder}/card.html`);
  await file.replace('titel', 'title');
  expect(await file.diagnostics()).toEqual([]);
});

test('provides completion, hover and rename', async () => {
  const file = client.file(`${folder}/index.html`) ?? (await client.open(`${folder}/index.html`, index));
  await file.setText(index.replace('titel', 'title'));
  expect(JSON.stringify(await file.askAt('textDocument/hover', 'data-variable-values'))).toContain('contents');
  const edit = await file.askAt<{ changes: object }>('textDocument/rename', 'title', { newName: 'heading' });
  expect(Object.keys(edit.changes).sort()).toEqual([`${folder}/card.html`, `${folder}/index.html`]);
});

test('reads durations of media files through the client', async () => {
  const file = client.file(`${folder}/index.html`) ?? (await client.open(`${folder}/index.html`, index));
  const range = { start: { line: 0, character: 0 }, end: { line: 3, character: 0 } };
  await expect.poll(async () => JSON.stringify(await file.ask('textDocument/inlayHint', { range }))).toContain('1.5');
});

test('reports no error in the worker', () => {
  expect(client.received('worker/error')).toEqual([]);
  expect(
    client.received<{ type: number; message: string }>('window/logMessage').filter(({ type }) => type === 1),
  ).toEqual([]);
});
