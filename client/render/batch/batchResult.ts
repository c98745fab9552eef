// Shows the result of a batch: the output folder, the failed rows, and the offer to continue a cancelled batch.
import { type LogOutputChannel, l10n, type QuickPickItem, Selection, type Uri, window } from 'vscode';
import { rowNumber } from '../../../renderer-core/plan/numberRanges.ts';
import type { BatchInfo } from '../../../server/protocol.ts';
import type { CliBatchReport, CliError } from '../../cli/cliEvents.ts';
import type { LanguageServer } from '../../language/languageServer.ts';
import { resultOrMessage } from '../../language/serverResult.ts';
import type { RenderEntry } from '../history.ts';
import { revealOutput } from '../output/openOutput.ts';
import { warnedText } from '../renderText.ts';
import { batchReportText } from './batchText.ts';

/** `resume`: skip the rows that an earlier run completed. `task`: the command-line arguments of a task. */
export type BatchJob = {
  uri: Uri;
  info: BatchInfo;
  template: string;
  resume?: boolean;
  task?: RenderEntry['task'];
  /** Only these rows: `1,3-5`. */
  rows?: string;
  /** The paths of their videos in the project folder. Without it, the videos of the earlier batch may be replaced. */
  outputs?: readonly string[];
  video?: RenderEntry['video'];
  /** What the user has decided about invalid rows; undefined if nothing yet. */
  invalidRows?: 'defaults' | 'skip';
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
  for (const { index, error } of failed) log.error(`Row ${rowNumber(index)} failed: ${error.message}`);
  const [openFolder, showFailed, showLog] = [l10n.t('Open Folder'), l10n.t('Show Failed Rows'), l10n.t('Show Log')];
  const showInvalid = l10n.t('Show Invalid Rows');
  const invalid = invalidRowsOf(info);
  const { usedDefaults = 0 } = report;
  const isDoubtful = failed.length > 0 || usedDefaults > 0;
  const buttons = [
    ...(failed.length > 0 ? [showFailed] : []),
    ...(usedDefaults > 0 && invalid.length > 0 ? [showInvalid] : []),
    openFolder,
    ...(warnings > 0 ? [showLog] : []),
  ];
  const show = isDoubtful ? window.showWarningMessage : window.showInformationMessage;
  const chosen = await show(l10n.t('{0}: {1}{2}.', info.path, text, warnedText(warnings)), ...buttons);
  if (chosen === openFolder) await revealOutput(report.manifest);
  if (chosen === showFailed) await showRows(uri, failed, l10n.t('Failed Rows'), { server, log });
  if (chosen === showInvalid) await showRows(uri, invalid, l10n.t('Invalid Rows'), { server, log });
  if (chosen === showLog) log.show();
}

/** Offers to render the remaining rows. Resolves to true when the user accepts. */
export async function offerRest({ info }: BatchJob): Promise<boolean> {
  const rest = l10n.t('Render Remaining Rows');
  return (await window.showInformationMessage(l10n.t('The batch {0} was cancelled.', info.path), rest)) === rest;
}

/** The rows with values that do not fit, each with the message of the first one. */
const invalidRowsOf = ({ misfits }: BatchInfo): ListedRow[] =>
  [...new Map(misfits.toReversed().map((misfit) => [misfit.row, misfit])).values()]
    .toReversed()
    .map(({ row, message }) => ({ index: row, error: { message } }));

type ListedRow = { index: number; error: { message: string } };

async function showRows(
  uri: Uri,
  rows: readonly ListedRow[],
  title: string,
  { server, log }: { server: LanguageServer; log: LogOutputChannel },
): Promise<void> {
  const items = rows.map(({ index, error }): QuickPickItem & { index: number } => ({
    index,
    label: l10n.t('Row {0}', rowNumber(index)),
    detail: error.message,
  }));
  const chosen = await window.showQuickPick(items, { title, matchOnDetail: true });
  if (!chosen) return;
  const editor = await window.showTextDocument(uri);
  const params = { uri: uri.toString(), row: chosen.index };
  const info = await resultOrMessage(server.request('framework/batch', params), log);
  if (!info?.row) return;
  const { start, end } = info.row.range;
  editor.selection = new Selection(start.line, start.character, end.line, end.character);
  editor.revealRange(editor.selection);
}
