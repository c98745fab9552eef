// Entry point of the extension in VS Code for desktop and in remote windows, where it can start programs.
import { join } from 'node:path';
import { type ExtensionContext, Uri } from 'vscode';
import { cliProgram, startCli } from './cli/cliProcess.ts';
import { type ExtensionApi, startExtension, stopExtension } from './startExtension.ts';

export function activate(context: ExtensionContext): ExtensionApi {
  // `framework setup` downloads to this folder, and renders search it.
  const defaultFolder = Uri.joinPath(context.globalStorageUri, 'programs').fsPath;
  const programsFolder = process.env.FRAMEWORK_PROGRAMS_DIR || defaultFolder;
  const programs = { FRAMEWORK_PROGRAMS_DIR: programsFolder };
  return startExtension(context, {
    programsFolder,
    startCli: (extensionPath, start) =>
      startCli(extensionPath, { ...start, env: { ...process.env, ...programs, ...start.env } }),
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
