// The extension's entry in a VS Code that runs on a computer, also a remote one: it can start programs.
import { join } from 'node:path';
import { type ExtensionContext, Uri } from 'vscode';
import { cliProgram, startCli } from './cli/cliProcess.ts';
import { type ExtensionApi, startExtension, stopExtension } from './startExtension.ts';

export function activate(context: ExtensionContext): ExtensionApi {
  // Where `framework setup` puts what it downloads, and every render looks for it.
  const own = Uri.joinPath(context.globalStorageUri, 'programs').fsPath;
  const programsFolder = process.env.FRAMEWORK_PROGRAMS_DIR || own;
  const programs = { FRAMEWORK_PROGRAMS_DIR: programsFolder };
  return startExtension(context, {
    programsFolder,
    startCli: (extensionPath, start) => startCli(extensionPath, { ...start, env: { ...programs, ...start.env } }),
    cliProgram(extensionPath) {
      const program = cliProgram(extensionPath);
      return { ...program, env: { ...programs, ...program.env } };
    },
    async createClient(options) {
      const { createNodeClient } = await import('./nodeClient.ts');
      return createNodeClient(join(context.extensionPath, 'dist', 'server.js'), options);
    },
  });
}

export function deactivate(): Promise<void> {
  return stopExtension();
}
