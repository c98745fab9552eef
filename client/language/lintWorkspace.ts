// The commands that choose whose problems are shown: those of all compositions, or those of open files only.
import { commands, type Disposable, l10n, ProgressLocation, window } from 'vscode';
import type { LintSummary } from '../../server/protocol.ts';
import type { ExtensionServices } from '../extensionServices.ts';
import { resultOrMessage } from './serverResult.ts';

type Services = Pick<ExtensionServices, 'server' | 'log'>;

export function createLintCommands(services: Services): Disposable[] {
  const { server, log } = services;
  return [
    commands.registerCommand('framework.lintWorkspace', () => lintWorkspace(services)),
    commands.registerCommand('framework.lintOpenFiles', () =>
      resultOrMessage(server.request('framework/lintOpenFiles', null), log),
    ),
  ];
}

async function lintWorkspace(services: Services): Promise<void> {
  const summary = await requestWithProgress(services);
  // The user cancelled it, or the error has been shown.
  if (!summary) return;
  if (summary.problems === 0) {
    await window.showInformationMessage(summaryText(summary));
    return;
  }
  const show = l10n.t('Show Problems');
  const chosen = await window.showInformationMessage(summaryText(summary), show);
  if (chosen === show) await commands.executeCommand('workbench.actions.view.problems');
}

function requestWithProgress({ server, log }: Services): Thenable<LintSummary | null | undefined> {
  const options = {
    location: ProgressLocation.Notification,
    title: l10n.t('Linting compositions'),
    cancellable: true,
  };
  return window.withProgress(options, async (progress, token) => {
    let shown = 0;
    const listener = server.onLintProgress(({ done, total }) => {
      const percent = (100 * done) / total;
      progress.report({ increment: percent - shown, message: l10n.t('{0} of {1}', done, total) });
      shown = percent;
    });
    try {
      const request = server.request('framework/lintWorkspace', null, token).catch((error: unknown) => {
        if (token.isCancellationRequested) return null;
        throw error;
      });
      return await resultOrMessage(request, log);
    } finally {
      listener.dispose();
    }
  });
}

function summaryText({ compositions, problems }: LintSummary): string {
  const files = compositions === 1 ? l10n.t('1 composition') : l10n.t('{0} compositions', compositions);
  if (problems === 0) return l10n.t('No problems found in {0}.', files);
  return problems === 1
    ? l10n.t('1 problem found in {0}.', files)
    : l10n.t('{0} problems found in {1}.', problems, files);
}
