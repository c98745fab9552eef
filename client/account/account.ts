// The account at the hosted service: the credentials are the command line's own, which is asked about them and never for them.
import { commands, type Disposable, type Event, EventEmitter, RelativePattern, Uri, window, workspace } from 'vscode';
import { askCli } from '../cli/askCli.ts';
import type { Tools } from '../tools.ts';
import { type AccountState, type AuthStatus, accountState } from './accountState.ts';

export type Account = Disposable & {
  state(): AccountState;
  /** What is stored; no network. */
  read(): Promise<AccountState>;
  /** What the service says: who it is, and what is left to spend. */
  ask(): Promise<AccountState>;
  onDidChange: Event<AccountState>;
};

export function createAccount(tools: Tools): Account {
  const changed = new EventEmitter<AccountState>();
  let state: AccountState = { kind: 'unknown' };
  let turns = 0;
  let file: string | undefined;
  const watched: Disposable[] = [];

  async function update(...options: string[]): Promise<AccountState> {
    // Not even our own program is started before the folder is trusted.
    if (!tools.host.startCli || !workspace.isTrusted) return state;
    const turn = ++turns;
    const answer = await askCli<AuthStatus>(tools, { args: ['auth', 'status', ...options], cwd: tools.extensionPath });
    if (turn !== turns) return state;
    watch(('answer' in answer ? answer.answer : answer.printed)?.file);
    const next = accountState(answer, state);
    if (JSON.stringify(next) === JSON.stringify(state)) return state;
    state = next;
    await commands.executeCommand('setContext', 'framework.account', state.kind);
    changed.fire(state);
    return state;
  }
  const read = () => update('--stored');

  /** A terminal signs in and out too. */
  function watch(path: string | undefined): void {
    if (path === undefined || path === file) return;
    file = path;
    for (const one of watched.splice(0)) one.dispose();
    const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
    const watcher = workspace.createFileSystemWatcher(new RelativePattern(Uri.joinPath(Uri.file(path), '..'), name));
    watched.push(watcher, watcher.onDidChange(read), watcher.onDidCreate(read), watcher.onDidDelete(read));
  }
  /** Where folders cannot be watched, the file's time tells when somebody comes back to the window. */
  let seen: number | undefined;
  async function readIfChanged(): Promise<void> {
    if (file === undefined) return;
    const time = await workspace.fs.stat(Uri.file(file)).then(
      ({ mtime }) => mtime,
      () => 0,
    );
    if (seen !== undefined && time !== seen) void read();
    seen = time;
  }
  const events = [
    window.onDidChangeWindowState(({ focused }) => (focused ? readIfChanged() : undefined)),
    workspace.onDidGrantWorkspaceTrust(read),
  ];
  return {
    state: () => state,
    read,
    ask: () => update(),
    onDidChange: changed.event,
    dispose() {
      for (const owned of [changed, ...events, ...watched]) owned.dispose();
    },
  };
}
