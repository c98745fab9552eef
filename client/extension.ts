// Entry point of the extension in VS Code for desktop and in remote windows, where it can start programs.
import { join } from 'node:path';
import { type ExtensionContext, ExtensionMode, Uri, workspace } from 'vscode';
import { cliProgram, startCli } from './cli/cliProcess.ts';
import { type ExtensionApi, startExtension, stopExtension } from './startExtension.ts';
import { storageNote } from './storageNote.ts';

export function activate(context: ExtensionContext): ExtensionApi {
  if (context.extensionMode === ExtensionMode.Production) void noteStorage(context);
  // `framework setup` downloads to this folder, and renders search it.
  const defaultFolder = Uri.joinPath(context.globalStorageUri, 'programs').fsPath;
  const programsFolder = process.env.FRAMEWORK_PROGRAMS_DIR || defaultFolder;
  const programs = { FRAMEWORK_PROGRAMS_DIR: programsFolder };
  let ownKey: string | undefined;
  const isUsed = () => ownKey !== undefined && !process.env.SERVICE_API_KEY && !process.env.FRAMEWORK_API_KEY;
  /** The key is passed only to commands that send it to the service. */
  const keyFor = ([command, action]: readonly string[]) =>
    isUsed() && (command === 'cloud' || (command === 'auth' && action === 'status')) ? { SERVICE_API_KEY: ownKey } : {};
  return startExtension(context, {
    programsFolder,
    startCli: (extensionPath, start) =>
      startCli(extensionPath, {
        ...start,
        env: { ...process.env, ...programs, ...keyFor(start.args), ...start.env },
      }),
    apiKey: {
      set(key) {
        ownKey = key;
      },
      isUsed,
    },
    cliProgram(extensionPath) {
      const program = cliProgram(extensionPath);
      return { ...program, env: { ...programs, ...program.env } };
    },
    async createClient(options) {
      const { createNodeClient } = await import('./language/nodeClient.ts');
      return createNodeClient(join(context.extensionPath, 'dist', 'server.js'), options);
    },
  });
}

/** The uninstall program cannot ask VS Code for the folder. */
async function noteStorage({ extensionUri, globalStorageUri }: ExtensionContext): Promise<void> {
  const text = new TextEncoder().encode(JSON.stringify({ folder: globalStorageUri.fsPath }));
  // A folder that cannot be written only means that the downloads stay.
  await workspace.fs.writeFile(Uri.joinPath(extensionUri, storageNote), text).then(undefined, () => undefined);
}

export function deactivate(): Promise<void> {
  return stopExtension();
}
