// The language server as a web worker in a real browser's page, with its messages forwarded to this process.
import { mkdtemp, rm } from 'node:fs/promises';
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
import { findBrowser } from '../../renderer-core/capture/findBrowser.ts';
import { launchBrowser } from '../../renderer-core/capture/launch.ts';
import { serverWorker } from '../../scripts/serverBundles.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));

export type WorkerServer = { connection: MessageConnection; stop(): Promise<void> };

export async function startWorker(): Promise<WorkerServer> {
  const { outputFiles } = await build({ ...serverWorker, outdir: 'out', write: false, absWorkingDir: root });
  const code = outputFiles?.[0]?.text ?? '';
  const folder = await mkdtemp(join(tmpdir(), 'framework-worker-'));
  const { browser, close } = await launchBrowser(await findBrowser(), folder, { graphics: 'plain' });
  const page = await browser.newPage();
  let onMessage: DataCallback = () => undefined;
  await page.exposeFunction('fromWorker', (message: Message) => onMessage(message));
  await page.evaluate((source) => {
    const worker = new Worker(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })));
    const here = globalThis as unknown as { toWorker: unknown; fromWorker(message: unknown): void };
    worker.onmessage = ({ data }) => here.fromWorker(data);
    worker.onerror = ({ message }) => here.fromWorker({ jsonrpc: '2.0', method: 'worker/error', params: { message } });
    here.toWorker = (message: unknown) => worker.postMessage(message);
  }, code);
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
      await rm(folder, { recursive: true, force: true });
    },
  };
}
