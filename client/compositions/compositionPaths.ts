// The context keys `framework.compositionPaths`, the paths of all compositions, for the context menu of the explorer, and
// `framework.hasCompositions`.
import { commands, type Disposable, Uri } from 'vscode';
import type { ExtensionServices } from '../extensionServices.ts';
import { resultOrLog } from '../language/serverResult.ts';

/** Minimum time between two updates, in milliseconds. Every edit of a composition can cause one. */
const intervalMs = 1000;

export function watchCompositionPaths({
  server,
  active,
  log,
}: Pick<ExtensionServices, 'server' | 'active' | 'log'>): Disposable {
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
    showWhether(paths.length > 0 || active.current() !== undefined);
  }
  const showWhether = (has: boolean) => void commands.executeCommand('setContext', 'framework.hasCompositions', has);
  const listening = server.onDidChange(() => {
    timer ??= setTimeout(() => void update(), intervalMs);
  });
  // A file can be open without a folder.
  const following = active.onDidChange(() => showWhether(true));
  return {
    dispose() {
      clearTimeout(timer);
      listening.dispose();
      following.dispose();
    },
  };
}
