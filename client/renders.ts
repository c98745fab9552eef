// Renders under way: each with its progress, a way to cancel it, and an end that offers what to do next.
import {
  type CancellationToken,
  type Disposable,
  type Progress,
  ProgressLocation,
  Uri,
  window,
  workspace,
} from 'vscode';
import type { CompositionInfo } from '../server/protocol.ts';
import type { CliError, CliEvent, CliReport, CliRun } from './cliEvents.ts';
import type { RenderTools } from './commands.ts';
import { inSettings } from './editorWords.ts';
import { offerResult, showFailure } from './renderResult.ts';
import { progressText } from './renderText.ts';
import type { Value } from './valueText.ts';

export type Renders = Disposable & {
  /** Ends after the render, not after what the user makes of its end. Never throws. */
  run(composition: CompositionInfo, values: Record<string, Value>): Promise<void>;
};

/** What came of one. */
type Outcome = { report: CliReport; warnings: number } | { error: CliError } | 'cancelled';

export function createRenders(tools: RenderTools): Renders {
  const underWay = new Map<string, CliRun>();
  async function run(composition: CompositionInfo, values: Record<string, Value>): Promise<void> {
    if (underWay.has(composition.uri)) {
      void window.showInformationMessage(`${composition.path} is being rendered already.`);
      return;
    }
    const outcome = await window.withProgress(
      { location: ProgressLocation.Notification, title: `Rendering ${composition.path}`, cancellable: true },
      async (progress, token) => {
        try {
          return await render(composition, values, tools, {
            progress,
            token,
            started: (cli) => underWay.set(composition.uri, cli),
          });
        } finally {
          underWay.delete(composition.uri);
        }
      },
    );
    if (outcome === 'cancelled') tools.log.info(`Cancelled: ${composition.path}`);
    else if ('error' in outcome) void showFailure(outcome.error, composition, tools.log);
    else void offerResult(outcome.report, outcome.warnings, composition, tools.log);
  }
  return {
    run,
    dispose() {
      for (const cli of underWay.values()) cli.cancel();
    },
  };
}

type Showing = {
  progress: Progress<{ message?: string; increment?: number }>;
  token: CancellationToken;
  started(cli: CliRun): void;
};

async function render(
  { path, projectUri }: CompositionInfo,
  values: Record<string, Value>,
  { extensionPath, host, log }: RenderTools,
  { progress, token, started }: Showing,
): Promise<Outcome> {
  const folder = Uri.parse(projectUri).fsPath;
  const seen: { report?: CliReport; error?: CliError; warnings: number; shown: number } = { warnings: 0, shown: 0 };
  const onEvent = (event: CliEvent): void => {
    if (event.type === 'done') seen.report = event.report;
    if (event.type === 'error') seen.error = event.error;
    if (event.type === 'warning') seen.warnings += 1;
    if (event.type === 'warning') log.warn(event.message);
    if (event.type === 'stage') log.info(event.message);
    const message = progressText(event);
    if (message === undefined) return;
    // The bar never goes back, not even when the capture begins anew.
    const percent = event.type === 'frames' ? (event.done / event.total) * 100 : 0;
    progress.report({ message, increment: Math.max(0, percent - seen.shown) });
    seen.shown = Math.max(seen.shown, percent);
  };
  const args = renderArguments(folder, path);
  log.info(`framework ${args.join(' ')} (in ${folder}), values: ${JSON.stringify(values)}`);
  const cli = host.startCli?.(extensionPath, {
    args,
    cwd: folder,
    stdin: JSON.stringify(values),
    onEvent,
    onText: (line) => log.warn(line),
  });
  if (!cli) return 'cancelled';
  started(cli);
  const listening = token.onCancellationRequested(() => cli.cancel());
  try {
    const status = await cli.status;
    if (status === 0 && seen.report) return { report: seen.report, warnings: seen.warnings };
    if (token.isCancellationRequested || seen.error?.code === 'cancelled') return 'cancelled';
    return { error: seen.error ?? { code: 'ended', message: `The render ended with status ${status} and no word.` } };
  } catch (error) {
    return { error: { code: 'not_started', message: `The renderer could not be started: ${error}` } };
  } finally {
    listening.dispose();
  }
}

/** Values come by standard input: no shell, no limit of length, and not in anybody's list of processes. */
function renderArguments(folder: string, path: string): string[] {
  const settings = workspace.getConfiguration('framework', Uri.file(folder));
  const programs = Object.entries(inSettings).flatMap(([option, setting]) => {
    const value = settings.get<string>(setting)?.trim();
    return value ? [`--${option}=${value}`] : [];
  });
  return ['render', folder, `--composition=${path}`, '--variables-file=-', '--progress=ndjson', '--quiet', ...programs];
}
