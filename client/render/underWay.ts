// Renders that are under way in this window: each in the history and in the status bar, each can be cancelled.
import { type Disposable, l10n, ProgressLocation, Uri, window } from 'vscode';
import type { CompositionInfo } from '../../server/protocol.ts';
import type { CliRun } from '../cli/cliEvents.ts';
import type { RenderTools } from '../tools.ts';
import type { Values } from '../values.ts';
import { type Outcome, runJob } from './cliJob.ts';
import type { RenderEntry } from './history.ts';
import { endOf } from './historyEnd.ts';
import type { CliJob } from './jobs.ts';
import { createStatusItem } from './statusItem.ts';

export type Work = {
  /** What must not be made twice at once. */
  key: string;
  /** What is rendered, for people. */
  name: string;
  title: string;
  kind: RenderEntry['kind'];
  composition: CompositionInfo;
  values: Values;
  batch?: RenderEntry['batch'];
  /** Of a task: its entry keeps what the command line is given. */
  isTask?: boolean;
  job: CliJob;
  /** The entry of the history that goes on, in place of a new one. */
  entry?: string;
};

/** `id` is that of the entry in the history. */
export type Followed = { id: string; outcome: Outcome };

export type Report = (message: string, percent: number | undefined) => void;

export type UnderWay = Disposable & {
  /** With its progress in a notification. Undefined, after a message, where the same thing is being rendered already. */
  follow(work: Work): Promise<Followed | undefined>;
  /** The same without a notification; `onStart` gives the way to cancel it. */
  start(
    work: Work,
    shown: { report: Report; onLine?(line: string): void; onStart(cancel: () => void): void },
  ): Promise<Followed>;
  isRunning(key: string): boolean;
  /** Whether this window waits for the render of an entry of the history. */
  has(id: string): boolean;
  /** By the entry of the history. False where it is not under way here. */
  cancel(id: string): boolean;
};

/** The history is not told more often. Milliseconds. */
const tellEvery = 200;

export function createUnderWay(tools: RenderTools): UnderWay {
  const { history } = tools;
  const running = new Map<string, { key: string; name: string; percent: number; cancel(): void }>();
  const status = createStatusItem();
  const showStatus = () => status.show([...running.values()]);

  const start: UnderWay['start'] = async (work, { report, onLine, onStart }) => {
    const { key, name } = work;
    const id = begin(work, tools);
    let isCancelled = false;
    let cli: CliRun | undefined;
    const one = {
      key,
      name,
      percent: 0,
      cancel() {
        isCancelled = true;
        cli?.cancel();
      },
    };
    running.set(id, one);
    showStatus();
    onStart(one.cancel);
    let toldAt = 0;
    const outcome = await runJob(work.job, tools, {
      isCancelled: () => isCancelled,
      onStart(started) {
        cli = started;
        if (isCancelled) cli.cancel();
      },
      onRemote: (remoteId) => history.update(id, { remoteId }),
      onLine(line) {
        history.update(id, {}, line);
        onLine?.(line);
      },
      onProgress(message, percent) {
        // The bar never goes back, not even when the capture begins anew.
        one.percent = Math.max(one.percent, percent ?? 0);
        report(message, percent === undefined ? undefined : one.percent);
        if (percent !== undefined && percent < 100 && Date.now() - toldAt < tellEvery) return;
        toldAt = Date.now();
        history.update(id, { message, percent: one.percent });
        showStatus();
      },
    });
    running.delete(id);
    showStatus();
    const remoteId = history.entries().find((entry) => entry.id === id)?.remoteId;
    const { lines, ...change } = endOf(outcome, remoteId);
    history.update(id, change.state === 'running' ? change : { ...change, endedAt: Date.now() }, ...lines);
    return { id, outcome };
  };

  return {
    start,
    isRunning: (key) => [...running.values()].some((one) => one.key === key),
    has: (id) => running.has(id),
    async follow(work) {
      if ([...running.values()].some(({ key }) => key === work.key)) {
        void window.showInformationMessage(l10n.t('{0} is being rendered already.', work.name));
        return undefined;
      }
      return window.withProgress(
        { location: ProgressLocation.Notification, title: work.title, cancellable: true },
        (progress, token) => {
          progress.report({ message: l10n.t('Starting') });
          let shown = 0;
          return start(work, {
            onStart: (cancel) => token.onCancellationRequested(cancel),
            report(message, percent = shown) {
              progress.report({ message, increment: percent - shown });
              shown = percent;
            },
          });
        },
      );
    },
    cancel(id) {
      const found = running.get(id);
      found?.cancel();
      return found !== undefined;
    },
    dispose() {
      status.dispose();
      for (const one of running.values()) one.cancel();
    },
  };
}

function begin({ entry, kind, name, composition, values, batch, isTask, job }: Work, { history }: RenderTools): string {
  if (entry !== undefined) {
    history.update(entry, { state: 'running' });
    return entry;
  }
  return history.add({
    kind,
    name,
    composition: composition.uri,
    project: composition.projectUri,
    values,
    ...(batch === undefined ? {} : { batch }),
    ...(isTask ? { task: { args: job.args, stdin: job.stdin } } : {}),
    startedAt: Date.now(),
    state: 'running',
    percent: 0,
  });
}

/** The project folder as a path of this machine. */
export function folderOf({ projectUri }: CompositionInfo): string {
  return Uri.parse(projectUri).fsPath;
}
