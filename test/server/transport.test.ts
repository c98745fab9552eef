// The transports between editors and the server's process.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { createMessageConnection, IPCMessageReader, IPCMessageWriter } from 'vscode-jsonrpc/node';
import { connectClient } from '../support/editor/languageClient.ts';
import { bundleServer } from '../support/editor/serverProcess.ts';
import { workspace } from '../support/editor/workspace.ts';

test('answers over the IPC channel of Node', async () => {
  const bundle = await bundleServer();
  onTestFinished(bundle.remove);
  const child = fork(bundle.path, ['--node-ipc'], { execArgv: ['--max-semi-space-size=64'] });
  onTestFinished(() => void child.kill());
  const connection = createMessageConnection(new IPCMessageReader(child), new IPCMessageWriter(child));
  connection.listen();
  const client = await connectClient(connection);
  const file = await client.open('untitled:Untitled-1', '<div data-composition-id="main" data-start="1"></div>');
  expect((await file.diagnostics()).map(({ code }) => code)).toContain('root-start');
  const ended = once(child, 'exit');
  await client.end();
  expect((await ended)[0]).toBe(0);
});

test('ends the process when standard input closes', async () => {
  const { process } = await workspace('=== index.html\n');
  const ended = once(process, 'exit');
  process.stdin?.end();
  await ended;
});
