// The commands that check what compositions show: with the values that the form shows, or with the rows of a data file.
import { commands, type Disposable, l10n, ProgressLocation, Uri, window } from 'vscode';
import type { CompositionInfo } from '../../server/protocol.ts';
import { runCliJson } from '../cli/runCliJson.ts';
import { askedComposition } from '../compositions/commandArgument.ts';
import { compositionName } from '../compositions/compositionName.ts';
import type { ExtensionServices } from '../extensionServices.ts';
import { currentBlock } from '../language/languageStatus.ts';
import { showWarning } from '../language/serverResult.ts';
import type { PreviewFindings } from '../preview/previewFindings.ts';
import { programOptions } from '../programOptions.ts';
import { batchOf } from '../render/batch/batchCommands.ts';
import { isOnDisk } from '../render/isOnDisk.ts';
import { promptToSave } from '../render/promptToSave.ts';
import { folderOf } from '../render/renderJobs.ts';
import { shownValues } from '../render/shownValues.ts';
import { type CheckDiagnostics, createCheckDiagnostics, type ShownReport } from './checkDiagnostics.ts';

export type Checks = Disposable & {
  check(given: unknown): Promise<void>;
  checkRows(given: unknown): Promise<void>;
};

/** `drawn`: the findings over the previews. */
export function createChecks(services: ExtensionServices, drawn: PreviewFindings): Checks {
  const diagnostics = createCheckDiagnostics();
  const shown = { diagnostics, drawn };
  return {
    async check(given) {
      const block = currentBlock(services.host.startCli !== undefined);
      if (block) return showWarning(block.message, block.action);
      const composition = await askedComposition(given, services);
      if (!composition || !(await isOnDisk(Uri.parse(composition.uri)))) return;
      if (await promptToSave(composition, 'check')) await check({ composition }, services, shown);
    },
    async checkRows(given) {
      const chosen = await batchOf(given, services);
      if (!chosen) return;
      const { uri, info } = chosen;
      if (await promptToSave(info.composition, 'check'))
        await check({ composition: info.composition, rowsUri: uri.toString() }, services, shown);
    },
    dispose: () => diagnostics.dispose(),
  };
}

type Task = { composition: CompositionInfo; rowsUri?: string };

async function check(
  { composition, rowsUri }: Task,
  services: ExtensionServices,
  { diagnostics, drawn }: { diagnostics: CheckDiagnostics; drawn: PreviewFindings },
): Promise<void> {
  drawn.set(composition, []);
  const values = JSON.stringify(shownValues(composition, services.values));
  const rows = rowsUri === undefined ? [] : [`--batch=${Uri.parse(rowsUri).fsPath}`];
  const args = ['check', '.', `--composition=${composition.path}`, '--variables-file=-', ...rows, ...programOptions()];
  const result = await withProgress(composition, (signal) =>
    runCliJson<ShownReport>(services, { args, cwd: folderOf(composition), stdin: values, signal }),
  );
  if (!result) return;
  const report = 'value' in result ? result.value : result.printed;
  if (!report?.findings || !report.rows || report.root === undefined || report.looked === undefined) {
    const message = 'error' in result ? result.error.message : '';
    const show = l10n.t('Show Log');
    services.log.error(message);
    if ((await window.showErrorMessage(l10n.t('The check failed: {0}', message), show)) === show) services.log.show();
    return;
  }
  const { root, findings, looked } = report;
  diagnostics.show({
    composition,
    report: { root, findings, looked, rows: report.rows },
    ...(rowsUri === undefined ? {} : { rowsUri }),
  });
  drawn.set(composition, findings);
  await showResult(report as ShownReport, services);
}

/** Undefined if the user cancels. */
function withProgress<Result>(
  composition: CompositionInfo,
  run: (signal: AbortSignal) => Promise<Result>,
): Thenable<Result | undefined> {
  const title = l10n.t('Checking {0}', compositionName(composition));
  return window.withProgress(
    { location: ProgressLocation.Notification, title, cancellable: true },
    async (_, token) => {
      const stop = new AbortController();
      const listening = token.onCancellationRequested(() => stop.abort());
      try {
        const result = await run(stop.signal);
        return token.isCancellationRequested ? undefined : result;
      } finally {
        listening.dispose();
      }
    },
  );
}

async function showResult({ findings, rows, looked }: ShownReport, { log }: ExtensionServices): Promise<void> {
  const failed = rows.filter(({ error }) => error !== null);
  for (const { index, error } of failed) log.error(l10n.t('Row {0} cannot be shown: {1}', index + 1, error ?? ''));
  const checked = rows.length === 0 ? l10n.t('{0} frames', looked) : l10n.t('{0} rows', rows.length);
  if (findings.length === 0 && failed.length === 0) {
    void window.showInformationMessage(l10n.t('No problems found in {0}.', checked));
    return;
  }
  const [show, showLog] = [l10n.t('Show Problems'), l10n.t('Show Log')];
  const found =
    findings.length === 1
      ? l10n.t('1 problem found in {0}.', checked)
      : l10n.t('{0} problems found in {1}.', findings.length, checked);
  const text = failed.length === 0 ? found : `${found} ${l10n.t('{0} rows cannot be shown.', failed.length)}`;
  const chosen = await window.showWarningMessage(text, show, ...(failed.length === 0 ? [] : [showLog]));
  if (chosen === show) await commands.executeCommand('workbench.actions.view.problems');
  if (chosen === showLog) log.show();
}
