// One run of the command line, from the start to what came of it. Shows nothing: whoever starts it is told.
import { type LogOutputChannel, l10n, Uri, workspace } from 'vscode';
import type { CliBatchReport, CliError, CliEvent, CliReport, CliRun } from '../cli/cliEvents.ts';
import { inSettings } from '../editorWords.ts';
import type { Host } from '../host.ts';
import type { FailedRow } from './batchResult.ts';
import type { CliJob } from './jobs.ts';
import { progressPercent, progressText } from './renderText.ts';

/** What came of a run that did its work. */
export type Done = {
  /** Of a render on this machine. */
  report?: CliReport | CliBatchReport;
  /** The JSON document of a render elsewhere. */
  answer?: unknown;
  /** Rows of a batch. */
  failed: readonly FailedRow[];
  warnings: number;
};

export type Outcome = Done | { error: CliError } | 'cancelled';

export type Following = {
  /** `percent` is missing where an event says nothing about it. It may go back: a capture can begin anew. */
  onProgress(message: string, percent: number | undefined): void;
  onLine(line: string): void;
  /** The render is known elsewhere under this name. */
  onRemote(id: string): void;
  /** The program is there. */
  onStart(cli: CliRun): void;
  isCancelled(): boolean;
};

type Tools = { extensionPath: string; host: Host; log: LogOutputChannel };

/** Never throws. */
export async function runJob(
  { args, folder, stdin, isLocal }: CliJob,
  { extensionPath, host, log }: Tools,
  following: Following,
): Promise<Outcome> {
  const seen = createSeen(following, log);
  const all = [...args, '--progress=ndjson', ...(isLocal ? programs(folder) : [])];
  log.info(`framework ${all.join(' ')} (in ${folder})${stdin === '' ? '' : `, values: ${stdin}`}`);
  let printed = '';
  const cli = host.startCli?.(extensionPath, {
    args: all,
    cwd: folder,
    stdin,
    onEvent: seen.onEvent,
    onText(line) {
      log.warn(line);
      following.onLine(line);
    },
    onOutput(text) {
      if (!isLocal) printed += text;
    },
  });
  if (!cli) return 'cancelled';
  following.onStart(cli);
  try {
    const status = await cli.status;
    const { report, error, failed, warnings } = seen;
    // A batch with failed rows has a status of its own, and a report all the same.
    if (report && (status === 0 || 'manifest' in report)) return { report, failed, warnings };
    if (status === 0 && printed !== '') return { answer: JSON.parse(printed), failed, warnings };
    if (following.isCancelled() || error?.code === 'cancelled') return 'cancelled';
    return { error: error ?? remoteError(printed) ?? ended(status) };
  } catch (error) {
    return { error: { code: 'not_started', message: l10n.t('The renderer could not be started: {0}', `${error}`) } };
  }
}

function ended(status: number | null): CliError {
  return { code: 'ended', message: l10n.t('The render ended with status {0} and no word.', `${status}`) };
}

/** AWS tells failures in the document that also tells success. */
function remoteError(printed: string): CliError | undefined {
  try {
    const { errors } = JSON.parse(printed) as { errors?: readonly { error: string; cause: string }[] };
    const [first] = errors ?? [];
    return first && { code: 'render_failed', message: `${first.cause || first.error}` };
  } catch {
    return undefined;
  }
}

type Seen = {
  report?: CliReport | CliBatchReport;
  error?: CliError;
  failed: FailedRow[];
  warnings: number;
  onEvent(event: CliEvent): void;
};

function createSeen({ onProgress, onLine, onRemote }: Following, log: LogOutputChannel): Seen {
  const seen: Seen = {
    failed: [],
    warnings: 0,
    onEvent(event) {
      if (event.type === 'done' && event.report) seen.report = event.report;
      if (event.type === 'error') seen.error = event.error;
      if (event.type === 'submitted') onRemote(event.renderId);
      if (event.type === 'started') onRemote(event.executionArn);
      if (event.type === 'warning') seen.warnings += 1;
      if (event.type === 'warning') log.warn(event.message);
      if (event.type === 'stage' || event.type === 'retry') log.info(event.message);
      if (event.type === 'stage' || event.type === 'warning' || event.type === 'retry') onLine(event.message);
      if (event.type === 'row' && event.status === 'failed' && event.error) {
        seen.failed.push({ index: event.index, error: event.error });
        onLine(l10n.t('Row {0} failed: {1}', event.index, event.error.message));
      }
      const message = progressText(event);
      if (message !== undefined) onProgress(message, progressPercent(event));
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
