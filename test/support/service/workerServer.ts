import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import {
  createMessageConnection,
  type DataCallback,
  type Message,
  type MessageConnection,
  type MessageReader,
  type MessageWriter,
} from 'vscode-jsonrpc/node';
import { findBrowser } from '../../../renderer-core/capture/findBrowser.ts';
import { launchBrowser } from '../../../renderer-core/capture/launch.ts';
import { server, serverWorker } from '../../../scripts/serverBundles.mjs';
import { listen, stopListening } from '../servers/listen.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

export type WorkerServer = { connection: MessageConnection; stop(): Promise<void> };

/** Serves the files of a folder, because a browser loads modules over HTTP only. */
async function serveScripts(folder: string): Promise<{ origin: string; close(): Promise<void> }> {
  const http = createServer(async ({ url = '' }, response) => {
    const text = await readFile(join(folder, url), 'utf8').catch(() => '');
    response.writeHead(200, { 'content-type': url.endsWith('.js') ? 'text/javascript' : 'text/html' }).end(text);
  });
  return { origin: await listen(http), close: () => stopListening(http) };
}

export async function startWorker(): Promise<WorkerServer> {
  const folder = await mkdtemp(join(tmpdir(), 'framework-worker-'));
  for (const options of [server, serverWorker])
    await build({ ...options, outdir: join(folder, 'scripts'), absWorkingDir: root });
  const scripts = await serveScripts(join(folder, 'scripts'));
  const { env } = process;
  const { browser, close } = await launchBrowser(await findBrowser({ env }), folder, { graphics: 'plain', env });
  const page = await browser.newPage();
  await page.goto(scripts.origin);
  let onMessage: DataCallback = () => undefined;
  await page.exposeFunction('fromWorker', (message: Message) => onMessage(message));
  await page.evaluate(() => {
    const worker = new Worker('serverWorker.js');
    const here = globalThis as unknown as { toWorker: unknown; fromWorker(message: unknown): void };
    worker.onmessage = ({ data }) => here.fromWorker(data);
    worker.onerror = ({ message }) => here.fromWorker({ jsonrpc: '2.0', method: 'worker/error', params: { message } });
    here.toWorker = (message: unknown) => worker.postMessage(message);
  });
  const nothing = () => ({ dispose: () => undefined });
  const reader: MessageReader = {
    onError: nothing,
    onClose: nothing,
    onPartialMessage: nothing,
    listen(callback) {
      onMessage = callback;
      return nothing();
    },
    dispose: () => undefined,
  };
  const writer: MessageWriter = {
    onError: nothing,
    onClose: nothing,
    write: (message) =>
      page.evaluate(
        (one) => (globalThis as unknown as { toWorker(message: unknown): void }).toWorker(one),
        message as never,
      ),
    end: () => undefined,
    dispose: () => undefined,
  };
  const connection = createMessageConnection(reader, writer);
  connection.listen();
  return {
    connection,
    async stop() {
      connection.dispose();
      await close();
      scripts.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
