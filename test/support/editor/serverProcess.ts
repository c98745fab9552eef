// The bundled language server as a process, over standard input and output.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { createMessageConnection, type MessageConnection } from 'vscode-jsonrpc/node';
import { server } from '../../../scripts/serverBundles.mjs';

const root = fileURLToPath(new URL('../../../', import.meta.url));

export type ServerProcess = { connection: MessageConnection; process: ChildProcess; stop(): Promise<void> };

/** Bundles the server into a new folder; `remove` deletes it. */
export async function bundleServer(): Promise<{ path: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'framework-server-'));
  await build({
    ...server,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    absWorkingDir: root,
    logLevel: 'error',
  });
  return { path: join(folder, 'server.mjs'), remove: () => rm(folder, { recursive: true, force: true }) };
}

/** `env` is added to the environment of this process. */
export function startProcess(
  path: string,
  nodeArguments: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): ServerProcess {
  const child = spawn(process.execPath, [...nodeArguments, path, '--stdio'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  // A response can arrive after the server has stopped.
  child.stdin.on('error', () => undefined);
  const connection = createMessageConnection(child.stdout, child.stdin);
  connection.onError(() => undefined);
  connection.listen();
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    connection,
    process: child,
    async stop() {
      const patience = setTimeout(() => child.kill('SIGKILL'), 5000);
      // The protocol requires that pending requests are answered first. A server that has ended by itself answers nothing.
      const goodbye = async () => {
        await connection.sendRequest('shutdown');
        await connection.sendNotification('exit');
      };
      await goodbye().catch(() => undefined);
      await ended;
      clearTimeout(patience);
      connection.dispose();
    },
  };
}
