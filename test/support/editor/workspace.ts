// A workspace on disk with a language server, for one test.
import type { ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, onTestFinished } from 'vitest';
import { type ClientOptions, connectClient, type LanguageClient, type OpenFile } from './languageClient.ts';
import { filesOf } from './markup.ts';
import { bundleServer, startProcess } from './serverProcess.ts';

export type Workspace = LanguageClient & {
  /** The server's. */
  process: ChildProcess;
  folder: string;
  uri(path: string): string;
  /** Opens a file with its text on disk, or with another text. */
  openPath(path: string, text?: string): Promise<OpenFile>;
  /** Writes a file without notifying the server. */
  write(path: string, text: string | Uint8Array): Promise<void>;
  read(path: string): Promise<string>;
};

/** `folders`: workspace folders, relative to the folder on disk. `env`: added to the server's environment. */
export type WorkspaceOptions = ClientOptions & { nodeArguments?: readonly string[]; env?: NodeJS.ProcessEnv };

let bundle: ReturnType<typeof bundleServer> | undefined;

/**
 * Creates a folder with the files in a string, each after a line `=== path`, and starts a server for it. With `folders`,
 * only these subfolders are the workspace.
 */
export async function workspace(
  source: string,
  { folders = [''], nodeArguments = [], env = {}, ...options }: WorkspaceOptions = {},
): Promise<Workspace> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'framework-workspace-')));
  const uri = (path: string) => pathToFileURL(join(folder, path)).href.replace(/\/$/, '');
  const write = async (path: string, text: string | Uint8Array) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  };
  for (const [path, text] of filesOf(source)) await write(path, text);
  const read = (path: string) => readFile(join(folder, path), 'utf8');
  bundle ??= bundleServer();
  const server = startProcess((await bundle).path, nodeArguments, env);
  onTestFinished(async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });
  const client = await connectClient(server.connection, { ...options, folders: folders.map(uri) });
  const openPath = async (path: string, text?: string) => client.open(uri(path), text ?? (await read(path)));
  return { ...client, process: server.process, folder, uri, openPath, write, read };
}

afterAll(async () => {
  await (await bundle)?.remove();
  bundle = undefined;
});
