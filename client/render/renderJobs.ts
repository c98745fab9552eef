// The renders that run in this window. Each one is in the history and in the status bar, and can be cancelled.

import { type Disposable, l10n, ProgressLocation, Uri, window } from 'vscode';
import { given } from '../../renderer-core/model/variables/given.ts';
import type { CompositionInfo } from '../../server/protocol.ts';
import type { CliRun } from '../cli/cliEvents.ts';
import type { Values } from '../compositions/draftValues.ts';
import { type JobObserver, type Outcome, runJob } from './cliJob.ts';
import type { RenderEntry } from './history.ts';
import { endOf } from './historyEnd.ts';
import type { CliJob, VideoChoice } from './jobArguments.ts';
import type { RenderServices } from './renderServices.ts';
import { createStatusItem } from './statusItem.ts';

export type RenderJob = {
  /** Two jobs with the same key cannot run at the same time. */
  key: string;
  /** Display name of what is rendered. */
  name: string;
  /** Title of the progress notification. */
  title: string;
  kind: RenderEntry['kind'];
  composition: CompositionInfo;
  values: Values;
  batch?: RenderEntry['batch'];
  /** See `RenderEntry`. */
  wanted?: string;
  set?: string | undefined;
  /** The history entry of a task stores the command-line arguments. */
  isTask?: boolean;
  /** See `RenderEntry`. */
  video?: VideoChoice | undefined;
  cli: CliJob;
  /** The history entry to continue, instead of a new one. */
  entry?: string;
};

/** `id` is the id of the history entry. */
export type FinishedJob = { id: string; outcome: Outcome };

export type Report = (message: string, percent: number | undefined) => void;

export type RenderJobs = Disposable & {
  /** Shows the progress in a notification. When a job with the same key is running, shows a message and returns undefined. */
  runWithProgress(job: RenderJob): Promise<FinishedJob | undefined>;
  /** Runs a job without a notification. `onStart` receives a function that cancels it. */
  start(
    job: RenderJob,
    observer: { report: Report; onLine?(line: string): void; onStart(cancel: () => void): void },
  ): Promise<FinishedJob>;
  isRunning(key: string): boolean;
  /** Shows that a render is already running. */
  showRunning(name: string): void;
  /** Whether the render of a history entry runs in this window. */
  has(id: string): boolean;
  /** Cancels the render of a history entry. Returns false when it does not run in this window. */
  cancel(id: string): boolean;
};

/** Minimum time between two progress updates of the history, in milliseconds. */
const historyUpdateMs = 200;

export function createRenderJobs(services: RenderServices): RenderJobs {
  const { history, now } = services;
  const running = new Map<string, RunningJob>();
  const status = createStatusItem();
  const showStatus = () => status.show([...running.values()]);
  const isRunning = (key: string) => [...running.values()].some((job) => job.key === key);

  const start: RenderJobs['start'] = async (job, { onStart, ...observer }) => {
    const { key, name } = job;
    const id = begin(job, services);
    const entry: RunningJob = { key, name, percent: 0, isCancelled: false };
    running.set(id, entry);
    showStatus();
    onStart(() => cancelJob(entry));
    const outcome = await runJob(
      job.cli,
      services,
      observe(id, entry, services, { ...observer, onUpdate: showStatus }),
    );
    running.delete(id);
    showStatus();
    const remoteId = history.entries().find((known) => known.id === id)?.remoteId;
    const { lines, ...change } = endOf(outcome, remoteId);
    history.update(id, change.state === 'running' ? change : { ...change, endedAt: now() }, ...lines);
    return { id, outcome };
  };

  const showRunning = (name: string) =>
    void window.showInformationMessage(l10n.t('{0} is already being rendered.', name));
  return {
    start,
    isRunning,
    showRunning,
    has: (id) => running.has(id),
    async runWithProgress(job) {
      if (!isRunning(job.key)) return withNotification(job, start);
      showRunning(job.name);
      return undefined;
    },
    cancel(id) {
      const found = running.get(id);
      if (found) cancelJob(found);
      return found !== undefined;
    },
    dispose() {
      status.dispose();
      for (const job of running.values()) cancelJob(job);
    },
  };
}

type RunningJob = { key: string; name: string; percent: number; isCancelled: boolean; cli?: CliRun };

function cancelJob(job: RunningJob): void {
  job.isCancelled = true;
  job.cli?.cancel();
}

/** Forwards the progress of a job to its history entry and to the caller's observer. */
function observe(
  id: string,
  job: RunningJob,
  { history, now }: RenderServices,
  { report, onLine, onUpdate }: { report: Report; onLine?(line: string): void; onUpdate(): void },
): JobObserver {
  let lastUpdate = 0;
  return {
    isCancelled: () => job.isCancelled,
    onStart(cli) {
      job.cli = cli;
      if (job.isCancelled) cli.cancel();
    },
    onRemote: (remoteId) => history.update(id, { remoteId }),
    onLine(line) {
      history.update(id, {}, line);
      onLine?.(line);
    },
    onProgress(message, percent) {
      // The progress never decreases, also when the capture is restarted.
      job.percent = Math.max(job.percent, percent ?? 0);
      report(message, percent === undefined ? undefined : job.percent);
      if (percent !== undefined && percent < 100 && now() - lastUpdate < historyUpdateMs) return;
      lastUpdate = now();
      history.update(id, { message, percent: job.percent });
      onUpdate();
    },
  };
}

/** Runs a job with a progress notification, whose Cancel button cancels the job. */
function withNotification(job: RenderJob, start: RenderJobs['start']): Thenable<FinishedJob> {
  const options = { location: ProgressLocation.Notification, title: job.title, cancellable: true };
  return window.withProgress(options, (progress, token) => {
    progress.report({ message: l10n.t('Starting') });
    let shown = 0;
    return start(job, {
      onStart: (cancel) => token.onCancellationRequested(cancel),
      report(message, percent = shown) {
        progress.report({ message, increment: percent - shown });
        shown = percent;
      },
    });
  });
}

function begin(
  { entry, kind, name, composition, values, wanted, set, video, batch, isTask, cli }: RenderJob,
  { history, now }: RenderServices,
): string {
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
    ...given({ wanted, set, batch, video }),
    ...(isTask ? { task: { args: cli.args, stdin: cli.stdin } } : {}),
    startedAt: now(),
    state: 'running',
    percent: 0,
  });
}

/** Absolute path of the project folder. */
export function folderOf({ projectUri }: Pick<CompositionInfo, 'projectUri'>): string {
  return Uri.parse(projectUri).fsPath;
}
