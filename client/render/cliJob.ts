// One run of the command line with its progress in a notification, from the start to what came of it.
import { type CancellationToken, type LogOutputChannel, type Progress, Uri, workspace } from 'vscode';
import type { CliBatchReport, CliError, CliEvent, CliReport, CliRun } from '../cli/cliEvents.ts';
import { inSettings } from '../editorWords.ts';
import type { Host } from '../host.ts';
import type { FailedRow } from './batchResult.ts';
import { progressPercent, progressText } from './renderText.ts';

export type CliJob = {
  /** The project folder, where relative paths begin. */
  folder: string;
  /** What stands behind the folder. */
  options: readonly string[];
  stdin: string;
};

/** `failed` are rows of a batch. */
export type Outcome =
  | { report: CliReport | CliBatchReport; failed: FailedRow[]; warnings: number }
  | { error: CliError }
  | 'cancelled';

export type Showing = {
  progress: Progress<{ message?: string; increment?: number }>;
  token: CancellationToken;
  started(cli: CliRun): void;
};

type Tools = { extensionPath: string; host: Host; log: LogOutputChannel };

/** Never throws. */
export async function runJob(
  { folder, options, stdin }: CliJob,
  { extensionPath, host, log }: Tools,
  { progress, token, started }: Showing,
): Promise<Outcome> {
  const seen = createSeen(progress, log);
  const args = ['render', folder, ...options, '--progress=ndjson', '--quiet', ...programs(folder)];
  log.info(`framework ${args.join(' ')} (in ${folder})${stdin === '' ? '' : `, values: ${stdin}`}`);
  const onText = (line: string) => log.warn(line);
  const cli = host.startCli?.(extensionPath, { args, cwd: folder, stdin, onEvent: seen.onEvent, onText });
  if (!cli) return 'cancelled';
  started(cli);
  const listening = token.onCancellationRequested(() => cli.cancel());
  try {
    const status = await cli.status;
    const { report, error, failed, warnings } = seen;
    // A batch with failed rows has a status of its own, and a report all the same.
    if (report && (status === 0 || 'manifest' in report)) return { report, failed, warnings };
    if (token.isCancellationRequested || error?.code === 'cancelled') return 'cancelled';
    return { error: error ?? { code: 'ended', message: `The render ended with status ${status} and no word.` } };
  } catch (error) {
    return { error: { code: 'not_started', message: `The renderer could not be started: ${error}` } };
  } finally {
    listening.dispose();
  }
}

type Seen = {
  report?: CliReport | CliBatchReport;
  error?: CliError;
  failed: FailedRow[];
  warnings: number;
  onEvent(event: CliEvent): void;
};

function createSeen(progress: Showing['progress'], log: LogOutputChannel): Seen {
  let shown = 0;
  const seen: Seen = {
    failed: [],
    warnings: 0,
    onEvent(event) {
      if (event.type === 'done') seen.report = event.report;
      if (event.type === 'error') seen.error = event.error;
      if (event.type === 'warning') seen.warnings += 1;
      if (event.type === 'warning') log.warn(event.message);
      if (event.type === 'stage') log.info(event.message);
      if (event.type === 'row' && event.status === 'failed' && event.error)
        seen.failed.push({ index: event.index, error: event.error });
      const message = progressText(event);
      if (message === undefined) return;
      // The bar never goes back, not even when the capture begins anew.
      const percent = progressPercent(event) ?? 0;
      progress.report({ message, increment: Math.max(0, percent - shown) });
      shown = Math.max(shown, percent);
    },
  };
  return seen;
}

function programs(folder: string): string[] {
  const settings = workspace.getConfiguration('framework', Uri.file(folder));
  return Object.entries(inSettings).flatMap(([option, setting]) => {
    const value = settings.get<string>(setting)?.trim();
    return value ? [`--${option}=${value}`] : [];
  });
}
