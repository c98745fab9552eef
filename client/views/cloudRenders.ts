// The account's renders, asked for while somebody looks at them, again and again only while one is under way.
import { type Disposable, type Event, EventEmitter } from 'vscode';
import type { Account } from '../account/account.ts';
import { offerInAccountsMenu } from '../account/accountCommands.ts';
import { canSignIn } from '../account/signIn.ts';
import { askCli, type CliAnswer } from '../cli/askCli.ts';
import type { Tools } from '../tools.ts';
import {
  type CloudList,
  type CloudPage,
  isRunning,
  nextPollMs,
  pageSize,
  refreshLimit,
  withNewest,
  withOlder,
  without,
} from './cloudList.ts';
import type { CloudState } from './renderNodes.ts';

export type CloudRenders = Disposable & {
  state(): CloudState;
  /** Whether somebody looks. */
  setVisible(isVisible: boolean): void;
  refresh(): Promise<void>;
  loadMore(): Promise<void>;
  /** Deleted at the service; undefined, or why not. */
  remove(renderId: string): Promise<string | undefined>;
  onDidChange: Event<void>;
};

/** `others`: renders of this workspace that run elsewhere; they are asked about in the same rhythm. */
export function createCloudRenders(
  tools: Tools,
  account: Account,
  others: { areRunning(): boolean; ask(list: CloudList | undefined): Promise<void> },
): CloudRenders {
  const changed = new EventEmitter<void>();
  let state: CloudState = { kind: 'unknown' };
  let isVisible = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let retryAfter: number | undefined;
  /** One question at a time. */
  let asking: Promise<void> | undefined;

  const listOf = (): CloudList => ('list' in state ? state.list : { records: [], next: null });
  function show(next: CloudState): void {
    const isSame = JSON.stringify(next) === JSON.stringify(state);
    state = next;
    if (!isSame) changed.fire();
  }
  const askPage = (...options: string[]): Promise<CliAnswer<CloudPage>> =>
    askCli<CloudPage>(tools, { args: ['cloud', 'list', ...options], cwd: tools.extensionPath });

  async function askNewest(): Promise<void> {
    if (!canSignIn(tools)) return show({ kind: 'off' });
    const who = account.state().kind === 'unknown' ? await account.read() : account.state();
    if (who.kind === 'signedIn') take(await askPage(`--limit=${refreshLimit(listOf())}`), withNewest);
    else {
      show({ kind: 'signedOut' });
      offerInAccountsMenu();
    }
    await others.ask('list' in state ? state.list : undefined);
  }
  function take(answer: CliAnswer<CloudPage>, join: (list: CloudList, page: CloudPage) => CloudList): void {
    failures = 'answer' in answer ? 0 : failures + 1;
    retryAfter = undefined;
    if ('answer' in answer) {
      show({ kind: 'ready', list: join(listOf(), answer.answer) });
      return;
    }
    const { code, message, details } = answer.error;
    const seconds = details?.retry_after_seconds;
    if (typeof seconds === 'number') retryAfter = seconds;
    tools.log.debug(`The renders in the cloud are not known: ${message}`);
    show(code === 'signed_out' ? { kind: 'signedOut' } : { kind: 'failed', list: listOf(), message });
  }
  function schedule(): void {
    clearTimeout(timer);
    const runs = listOf().records.some(isRunning) || others.areRunning();
    const pause = nextPollMs({ isVisible, isRunning: runs, failures, retryAfter });
    if (pause !== undefined) timer = setTimeout(() => void refresh(), pause);
  }
  function refresh(): Promise<void> {
    clearTimeout(timer);
    asking ??= askNewest().finally(() => {
      asking = undefined;
      schedule();
    });
    return asking;
  }
  async function loadMore(): Promise<void> {
    await asking;
    const list = listOf();
    if (list.next === null) return;
    show({ kind: 'loading', list });
    take(await askPage(`--limit=${pageSize}`, `--token=${list.next}`), withOlder);
    schedule();
  }
  const listening = account.onDidChange(() => {
    // Another account has other renders.
    state = { kind: 'unknown' };
    changed.fire();
    if (isVisible) void Promise.resolve(asking).then(refresh);
  });
  return {
    state: () => state,
    setVisible(now) {
      isVisible = now;
      if (now) void refresh();
      else clearTimeout(timer);
    },
    refresh,
    loadMore,
    async remove(renderId) {
      const answer = await askCli(tools, {
        args: ['cloud', 'delete', renderId, '--no-confirm'],
        cwd: tools.extensionPath,
      });
      if ('error' in answer && answer.error.code !== 'framework_render_not_found') return answer.error.message;
      if ('list' in state) show({ ...state, list: without(state.list, renderId) });
      return undefined;
    },
    onDidChange: changed.event,
    dispose() {
      clearTimeout(timer);
      changed.dispose();
      listening.dispose();
    },
  };
}
