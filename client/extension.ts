// The extension's entry in a VS Code that runs on a computer, also a remote one: it can start programs.
import type { ExtensionContext } from 'vscode';
import { startCli } from './cliProcess.ts';
import { type ExtensionApi, startExtension, stopExtension } from './startExtension.ts';

export function activate(context: ExtensionContext): ExtensionApi {
  return startExtension(context, {
    startCli,
    async createClient(extensionUri, options) {
      const { LanguageClient, TransportKind } = await import('vscode-languageclient/node');
      const module = `${extensionUri.fsPath}/dist/server.js`;
      return new LanguageClient('framework', 'Framework', { module, transport: TransportKind.ipc }, options);
    },
  });
}

export function deactivate(): Promise<void> {
  return stopExtension();
}
