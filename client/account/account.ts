// The account at the hosted service: the API key in VS Code's secret storage, or else the credentials that the command line stores,
// of which the extension reads only the status.
import { commands, type Disposable, type Event, EventEmitter, RelativePattern, Uri, window, workspace } from 'vscode';
import { runCliJson } from '../cli/runCliJson.ts';
import type { ExtensionServices } from '../extensionServices.ts';
import { type AccountState, type AuthStatus, accountState } from './accountState.ts';
import { type ApiKey, createApiKey } from './apiKey.ts';

export type Account = Disposable & {
  apiKey: ApiKey;
  state(): AccountState;
  /** Reads the stored credentials' status without network access. */
  readStored(): Promise<AccountState>;
  /** Asks the service for the user and the remaining credits. */
  refresh(): Promise<AccountState>;
  onDidChange: Event<AccountState>;
};

/** No program is started in an untrusted workspace, not even the bundled one. */
export function canSignIn({ host }: Pick<ExtensionServices, 'host'>): boolean {
  return host.startCli !== undefined && workspace.isTrusted;
}

export function createAccount(services: ExtensionServices): Account {
  const changed = new EventEmitter<AccountState>();
  let state: AccountState = { kind: 'unknown' };
  let updates = 0;
  let file: string | undefined;
  const watched: Disposable[] = [];

  async function update(...options: string[]): Promise<AccountState> {
    if (!canSignIn(services)) return state;
    await apiKey.ready;
    const current = ++updates;
    const result = await runCliJson<AuthStatus>(services, {
      args: ['auth', 'status', ...options],
      cwd: services.extensionPath,
    });
    if (current !== updates) return state;
    watch(('value' in result ? result.value : result.printed)?.file);
    const next = accountState(result, state, apiKey.isUsed());
    if (JSON.stringify(next) === JSON.stringify(state)) return state;
    state = next;
    await commands.executeCommand('setContext', 'framework.account', state.kind);
    changed.fire(state);
    return state;
  }
  const readStored = () => update('--stored');
  const apiKey = createApiKey(services.context, services.host, () => void readStored());

  /** Watches the credentials file, because `framework auth` in a terminal changes it too. */
  function watch(path: string | undefined): void {
    if (path === undefined || path === file) return;
    file = path;
    for (const watching of watched.splice(0)) watching.dispose();
    const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
    const watcher = workspace.createFileSystemWatcher(new RelativePattern(Uri.joinPath(Uri.file(path), '..'), name));
    watched.push(
      watcher,
      watcher.onDidChange(readStored),
      watcher.onDidCreate(readStored),
      watcher.onDidDelete(readStored),
    );
  }
  /** Where folders cannot be watched, the modification time is compared when the window gets the focus. */
  let lastModified: number | undefined;
  async function readIfChanged(): Promise<void> {
    if (file === undefined) return;
    const time = await workspace.fs.stat(Uri.file(file)).then(
      ({ mtime }) => mtime,
      // The file does not exist.
      () => 0,
    );
    if (lastModified !== undefined && time !== lastModified) void readStored();
    lastModified = time;
  }
  const events = [
    window.onDidChangeWindowState(({ focused }) => (focused ? readIfChanged() : undefined)),
    workspace.onDidGrantWorkspaceTrust(readStored),
  ];
  return {
    apiKey,
    state: () => state,
    readStored,
    refresh: () => update(),
    onDidChange: changed.event,
    dispose() {
      for (const owned of [apiKey, changed, ...events, ...watched]) owned.dispose();
    },
  };
}
