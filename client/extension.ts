// The extension's entry in a VS Code that runs on a computer, also a remote one: it can start programs.
import { join } from 'node:path';
import type { ExtensionContext } from 'vscode';
import { cliProgram, startCli } from './cli/cliProcess.ts';
import { type ExtensionApi, startExtension, stopExtension } from './startExtension.ts';

export function activate(context: ExtensionContext): ExtensionApi {
  return startExtension(context, {
    startCli,
    cliProgram,
    async createClient(options) {
      const { createNodeClient } = await import('./nodeClient.ts');
      return createNodeClient(join(context.extensionPath, 'dist', 'server.js'), options);
    },
  });
}

export function deactivate(): Promise<void> {
  return stopExtension();
}
