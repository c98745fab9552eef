// Entry point of the extension in VS Code for the Web: the language server is a web worker, and rendering is unavailable.
import { type ExtensionContext, Uri } from 'vscode';
import { type ExtensionApi, startExtension, stopExtension } from './startExtension.ts';

export function activate(context: ExtensionContext): ExtensionApi {
  return startExtension(context, {
    async createClient(options) {
      const { LanguageClient } = await import('vscode-languageclient/browser');
      const script = Uri.joinPath(context.extensionUri, 'dist', 'serverWorker.js').toString(true);
      // The worker is passed directly: VS Code replaces the `Worker` class, so the client does not recognize one that a
      // function returns.
      return new LanguageClient('framework', 'Framework', new Worker(script), options);
    },
  });
}

export function deactivate(): Promise<void> {
  return stopExtension();
}
