// The context key `framework.compositionPaths`: the paths of all compositions, for the context menu of the explorer.
import { commands, type Disposable, Uri } from 'vscode';
import type { ExtensionServices } from '../extensionServices.ts';
import { resultOrLog } from '../language/serverResult.ts';

/** Minimum time between two updates, in milliseconds. Every edit of a composition can cause one. */
const intervalMs = 1000;

export function watchCompositionPaths({ server, log }: Pick<ExtensionServices, 'server' | 'log'>): Disposable {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let shown = '';
  async function update(): Promise<void> {
    timer = undefined;
    const all = await resultOrLog(server.request('framework/compositions', null), log);
    if (!all) return;
    // VS Code compares the path of the file system for files on disk, and the path of the URI for others.
    const paths = all.flatMap(({ uri }) => [Uri.parse(uri).fsPath, Uri.parse(uri).path]);
    const next = JSON.stringify(paths);
    if (next === shown) return;
    shown = next;
    const keys = Object.fromEntries(paths.map((path) => [path, true]));
    await commands.executeCommand('setContext', 'framework.compositionPaths', keys);
  }
  const listening = server.onDidChange(() => {
    timer ??= setTimeout(() => void update(), intervalMs);
  });
  return {
    dispose() {
      clearTimeout(timer);
      listening.dispose();
    },
  };
}
