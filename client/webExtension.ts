// The extension's entry in a VS Code without a computer below it: the server is a web worker, and nothing can render.
import { type ExtensionContext, Uri } from 'vscode';
import { type ExtensionApi, startExtension, stopExtension } from './startExtension.ts';

export function activate(context: ExtensionContext): ExtensionApi {
  return startExtension(context, {
    async createClient(options) {
      const { LanguageClient } = await import('vscode-languageclient/browser');
      const script = Uri.joinPath(context.extensionUri, 'dist', 'serverWorker.js').toString(true);
      // The worker itself, not a function that makes it: VS Code's own kind of worker is no `Worker` to the client.
      return new LanguageClient('framework', 'Framework', new Worker(script), options);
    },
  });
}

export function deactivate(): Promise<void> {
  return stopExtension();
}
