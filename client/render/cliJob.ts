// Runs one job of the command line and returns its outcome. It has no user interface; the caller observes the progress.

import { type LogOutputChannel, l10n, Uri, workspace } from 'vscode';
import { rowNumber } from '../../renderer-core/plan/numberRanges.ts';
import type { CliBatchReport, CliError, CliEvent, CliReport, CliRun } from '../cli/cliEvents.ts';
import type { Host } from '../host.ts';
import { programPaths } from '../programOptions.ts';
import type { FailedRow } from './batch/batchResult.ts';
import type { CliJob } from './jobArguments.ts';
import { progressPercent, progressText } from './renderText.ts';

/** The result of a job that succeeded, or of a batch that ran to its end. */
export type JobResult = {
  /** The report of a local render. */
  report?: CliReport | CliBatchReport;
  /** The printed JSON document of a render in the cloud or on AWS. */
  remoteResult?: unknown;
  /** Failed rows of a batch. */
  failed: readonly FailedRow[];
  warnings: number;
};

export type Outcome = JobResult | { error: CliError } | 'cancelled';

export type JobObserver = {
  /** `percent` is undefined when the event has no progress. It decreases when a capture is restarted. */
  onProgress(message: string, percent: number | undefined): void;
  onLine(line: string): void;
  /** The render was accepted by the cloud or AWS under this id. */
  onRemote(id: string): void;
  /** The program was started. */
  onStart(cli: CliRun): void;
  isCancelled(): boolean;
};

type CliServices = { extensionPath: string; host: Host; log: LogOutputChannel };

/** Never throws. */
export async function runJob(
  { args, folder, stdin, isLocal }: CliJob,
  { extensionPath, host, log }: CliServices,
  observer: JobObserver,
): Promise<Outcome> {
  const progress = trackProgress(observer, log);
  const all = [...args, '--progress=ndjson', ...(isLocal ? machineOptions(folder) : [])];
  log.info(`framework ${all.join(' ')} (in ${folder})${stdin === '' ? '' : `, values: ${stdin}`}`);
  let printed = '';
  const cli = host.startCli?.(extensionPath, {
    args: all,
    cwd: folder,
    stdin,
    onEvent: progress.onEvent,
    onText(line) {
      log.warn(line);
      observer.onLine(line);
    },
    onOutput(text) {
      if (!isLocal) printed += text;
    },
  });
  if (!cli) return 'cancelled';
  observer.onStart(cli);
  try {
    const status = await cli.status;
    const { report, error, failed, warnings } = progress;
    // A batch with failed rows exits with another status and still has a report.
    if (report && (status === 0 || 'manifest' in report)) return { report, failed, warnings };
    if (status === 0 && printed !== '') return { remoteResult: JSON.parse(printed), failed, warnings };
    if (observer.isCancelled() || error?.code === 'cancelled') return 'cancelled';
    return { error: error ?? remoteError(printed) ?? endedError(status) };
  } catch (error) {
    return { error: { code: 'not_started', message: l10n.t('The renderer could not be started: {0}', `${error}`) } };
  }
}

function endedError(status: number | null): CliError {
  const message = l10n.t('The renderer exited with status {0} without an error message. See the log.', `${status}`);
  return { code: 'ended', message };
}

/** Failures on AWS are part of the printed result document. */
function remoteError(printed: string): CliError | undefined {
  try {
    const { errors } = JSON.parse(printed) as { errors?: readonly { error: string; cause: string }[] };
    const [first] = errors ?? [];
    return first && { code: 'render_failed', message: `${first.cause || first.error}` };
  } catch {
    return undefined;
  }
}

type JobProgress = {
  report?: CliReport | CliBatchReport;
  error?: CliError;
  failed: FailedRow[];
  warnings: number;
  onEvent(event: CliEvent): void;
};

function trackProgress({ onProgress, onLine, onRemote }: JobObserver, log: LogOutputChannel): JobProgress {
  const progress: JobProgress = {
    failed: [],
    warnings: 0,
    onEvent(event) {
      if (event.type === 'done' && event.report) progress.report = event.report;
      if (event.type === 'error') progress.error = event.error;
      if (event.type === 'submitted') onRemote(event.renderId);
      if (event.type === 'started') onRemote(event.executionArn);
      if (event.type === 'warning') progress.warnings += 1;
      if (event.type === 'warning') log.warn(event.message);
      if (event.type === 'stage' || event.type === 'note' || event.type === 'retry') log.info(event.message);
      if (['stage', 'warning', 'note', 'retry'].includes(event.type) && 'message' in event) onLine(event.message);
      if (event.type === 'row' && event.status === 'failed' && event.error) {
        progress.failed.push({ index: event.index, error: event.error });
        onLine(l10n.t('Row {0} failed: {1}', rowNumber(event.index), event.error.message));
      }
      const message = progressText(event);
      if (message !== undefined) onProgress(message, progressPercent(event));
    },
  };
  return progress;
}

function machineOptions(folder: string): string[] {
  const paths = programPaths(folder).map(([option, path]) => `--${option}=${path}`);
  const gpu = workspace.getConfiguration('framework', Uri.file(folder)).get<string>('gpu', 'auto');
  // `auto` is the default of single renders only.
  return gpu === 'auto' ? paths : [...paths, `--gpu=${gpu}`];
}
