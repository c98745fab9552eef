// Shows the result of a batch: the output folder, the failed rows, and the offer to continue a cancelled batch.
import { type LogOutputChannel, l10n, type QuickPickItem, Selection, type Uri, window } from 'vscode';
import type { BatchInfo } from '../../server/protocol.ts';
import type { CliBatchReport, CliError } from '../cli/cliEvents.ts';
import type { LanguageServer } from '../languageServer.ts';
import { resultOrMessage } from '../serverResult.ts';
import { batchReportText } from './batchText.ts';
import type { RenderEntry } from './history.ts';
import { revealOutput } from './openOutput.ts';
import { warnedText } from './renderText.ts';

/** `resume`: skip the rows that an earlier run completed. `task`: the command-line arguments of a task. */
export type BatchJob = {
  uri: Uri;
  info: BatchInfo;
  template: string;
  resume?: boolean;
  task?: RenderEntry['task'];
  /** Only these rows: `0,2-4`. */
  rows?: string;
  /** The paths of their videos in the project folder. Without it, the videos of the earlier batch may be replaced. */
  outputs?: readonly string[];
  video?: RenderEntry['video'];
};

export type FailedRow = { index: number; error: CliError };

/** The result of a batch that was not cancelled. */
export type BatchEnd = { report: CliBatchReport; failed: readonly FailedRow[]; warnings: number };

export async function offerBatchResult(
  { uri, info }: BatchJob,
  { report, failed, warnings }: BatchEnd,
  { server, log }: { server: LanguageServer; log: LogOutputChannel },
): Promise<void> {
  const text = batchReportText(report);
  log.info(`${info.path}: ${text}; ${report.manifest}`);
  for (const { index, error } of failed) log.error(`Row ${index} failed: ${error.message}`);
  const [openFolder, showFailed, showLog] = [l10n.t('Open Folder'), l10n.t('Show Failed Rows'), l10n.t('Show Log')];
  const buttons = [...(failed.length > 0 ? [showFailed] : []), openFolder, ...(warnings > 0 ? [showLog] : [])];
  const show = failed.length > 0 ? window.showWarningMessage : window.showInformationMessage;
  const chosen = await show(l10n.t('{0}: {1}{2}.', info.path, text, warnedText(warnings)), ...buttons);
  if (chosen === openFolder) await revealOutput(report.manifest);
  if (chosen === showFailed) await showFailedRows(uri, failed, { server, log });
  if (chosen === showLog) log.show();
}

/** Offers to render the remaining rows. Resolves to true when the user accepts. */
export async function offerRest({ info }: BatchJob): Promise<boolean> {
  const rest = l10n.t('Render Remaining Rows');
  return (await window.showInformationMessage(l10n.t('The batch {0} was cancelled.', info.path), rest)) === rest;
}

async function showFailedRows(
  uri: Uri,
  failed: readonly FailedRow[],
  { server, log }: { server: LanguageServer; log: LogOutputChannel },
): Promise<void> {
  const items = failed.map(({ index, error }): QuickPickItem & { index: number } => ({
    index,
    label: l10n.t('Row {0}', index),
    detail: error.message,
  }));
  const chosen = await window.showQuickPick(items, { title: l10n.t('Failed Rows'), matchOnDetail: true });
  if (!chosen) return;
  const editor = await window.showTextDocument(uri);
  const params = { uri: uri.toString(), row: chosen.index };
  const info = await resultOrMessage(server.request('framework/batch', params), log);
  if (!info?.row) return;
  const { start, end } = info.row.range;
  editor.selection = new Selection(start.line, start.character, end.line, end.character);
  editor.revealRange(editor.selection);
}
