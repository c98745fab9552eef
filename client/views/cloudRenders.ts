// Loads the account's renders while the view is visible, and polls only while a render is running.
import { type Disposable, type Event, EventEmitter } from 'vscode';
import { type Account, canSignIn } from '../account/account.ts';
import { runCliJson } from '../cli/runCliJson.ts';
import type { ExtensionServices } from '../extensionServices.ts';
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
  setVisible(isVisible: boolean): void;
  refresh(): Promise<void>;
  loadMore(): Promise<void>;
  /** Deletes a render at the service. Resolves to an error message, or undefined. */
  remove(renderId: string): Promise<string | undefined>;
  onDidChange: Event<void>;
};

/** `others`: remote renders of this workspace, which are polled at the same interval. */
export function createCloudRenders(
  services: ExtensionServices,
  account: Account,
  others: { areRunning(): boolean; update(list: CloudList | undefined): Promise<void> },
): CloudRenders {
  const changed = new EventEmitter<void>();
  let state: CloudState = { kind: 'unknown' };
  let isVisible = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const loader = createPageLoader(services);
  /** At most one request at a time. */
  let pending: Promise<void> | undefined;

  const listOf = (): CloudList => ('list' in state ? state.list : { records: [], next: null });
  function show(next: CloudState): void {
    const isSame = JSON.stringify(next) === JSON.stringify(state);
    state = next;
    if (!isSame) changed.fire();
  }
  async function loadNewest(): Promise<void> {
    if (!canSignIn(services)) return show({ kind: 'off' });
    const known = account.state().kind === 'unknown' ? await account.readStored() : account.state();
    if (known.kind === 'signedIn') show(merged(await loader.load(`--limit=${refreshLimit(listOf())}`), withNewest));
    else show({ kind: 'signedOut' });
    await others.update('list' in state ? state.list : undefined);
  }
  function merged(result: PageResult, merge: (list: CloudList, page: CloudPage) => CloudList): CloudState {
    return 'page' in result ? { kind: 'ready', list: merge(listOf(), result.page) } : result.failure(listOf());
  }
  function schedule(): void {
    clearTimeout(timer);
    const hasRunning = listOf().records.some(isRunning) || others.areRunning();
    const delay = nextPollMs({ isVisible, isRunning: hasRunning, ...loader.failures() });
    if (delay !== undefined) timer = setTimeout(() => void refresh(), delay);
  }
  function refresh(): Promise<void> {
    clearTimeout(timer);
    pending ??= loadNewest().finally(() => {
      pending = undefined;
      schedule();
    });
    return pending;
  }
  async function loadMore(): Promise<void> {
    await pending;
    const list = listOf();
    if (list.next === null) return;
    show({ kind: 'loading', list });
    show(merged(await loader.load(`--limit=${pageSize}`, `--token=${list.next}`), withOlder));
    schedule();
  }
  const listening = account.onDidChange(() => {
    // The renders of another account are different.
    state = { kind: 'unknown' };
    changed.fire();
    if (isVisible) void Promise.resolve(pending).then(refresh);
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
      const result = await runCliJson(services, {
        args: ['cloud', 'delete', renderId, '--no-confirm'],
        cwd: services.extensionPath,
      });
      if ('error' in result && result.error.code !== 'framework_render_not_found') return result.error.message;
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

/** `failure` creates the state after an error; the loaded renders stay visible. */
type PageResult = { page: CloudPage } | { failure(list: CloudList): CloudState };

type PageLoader = {
  load(...options: string[]): Promise<PageResult>;
  /** Consecutive failures, and the seconds that the service asked to wait. */
  failures(): { failures: number; retryAfter: number | undefined };
};

function createPageLoader(services: ExtensionServices): PageLoader {
  let failures = 0;
  let retryAfter: number | undefined;
  return {
    async load(...options) {
      const args = ['cloud', 'list', ...options];
      const result = await runCliJson<CloudPage>(services, { args, cwd: services.extensionPath });
      failures = 'value' in result ? 0 : failures + 1;
      retryAfter = undefined;
      if ('value' in result) return { page: result.value };
      const { code, message, details } = result.error;
      const seconds = details?.retry_after_seconds;
      if (typeof seconds === 'number') retryAfter = seconds;
      services.log.warn(`The cloud renders could not be loaded: ${message}`);
      return { failure: (list) => (code === 'signed_out' ? { kind: 'signedOut' } : { kind: 'failed', list, message }) };
    },
    failures: () => ({ failures, retryAfter }),
  };
}
