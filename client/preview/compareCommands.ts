// *Compare Sets…*: one panel for each composition.
import { commands, Disposable, l10n, ViewColumn, type WebviewPanel, window } from 'vscode';
import type { CompositionInfo } from '../../server/protocol.ts';
import { activeFile } from '../activeFile.ts';
import { noCompositionMessage, uriOf } from '../commandArgument.ts';
import { compositionName } from '../compositionName.ts';
import { panelIcon } from '../panelIcon.ts';
import { resultOrMessage } from '../serverResult.ts';
import type { ComparePanelOptions } from './comparePanel.ts';

export function createCompareCommand(options: ComparePanelOptions): Disposable {
  const { services, previews } = options;
  const panels = new Map<string, WebviewPanel>();
  async function open(composition: CompositionInfo): Promise<void> {
    const existing = panels.get(composition.uri);
    if (existing) return existing.reveal();
    const title = l10n.t('Compare {0}', compositionName(composition));
    const panel = window.createWebviewPanel('framework.compare', title, ViewColumn.Active, {
      retainContextWhenHidden: true,
    });
    panel.iconPath = panelIcon;
    panels.set(composition.uri, panel);
    let page: Disposable | undefined;
    panel.onDidDispose(() => {
      panels.delete(composition.uri);
      page?.dispose();
    });
    // Loaded lazily, because most windows never show it.
    const { createComparePanel } = await import('./comparePanel.ts');
    if (panels.get(composition.uri) === panel) page = createComparePanel(panel, composition, options);
  }
  return Disposable.from(
    commands.registerCommand('framework.compareSets', async (given: unknown) => {
      const shown = previews.active()?.composition().uri;
      const uri = uriOf(given) ?? shown ?? activeFile()?.toString() ?? services.active.current()?.uri;
      const request = uri === undefined ? null : services.server.request('framework/composition', { uri });
      const found = request && (await resultOrMessage(request, services.log));
      if (found) void open(found).catch((error) => services.log.error(String(error)));
      if (found === null) await window.showWarningMessage(noCompositionMessage(uri));
    }),
    {
      dispose() {
        for (const panel of panels.values()) panel.dispose();
      },
    },
  );
}
