// *Compare Sets…*: one panel for each composition.
import { commands, Disposable, l10n, ViewColumn, type WebviewPanel, window, workspace } from 'vscode';
import type { CompositionInfo } from '../../server/protocol.ts';
import { followPanel } from '../compositions/activeComposition.ts';
import { askedComposition } from '../compositions/commandArgument.ts';
import { compositionName } from '../compositions/compositionName.ts';
import { movedIn } from '../compositions/moves.ts';
import { panelIcon } from '../panelIcon.ts';
import type { ComparePanelOptions } from './comparePanel.ts';

export function createCompareCommand(options: ComparePanelOptions): Disposable {
  const { services } = options;
  const panels = new Map<string, WebviewPanel>();
  async function open(composition: CompositionInfo): Promise<void> {
    const existing = panels.get(composition.uri);
    if (existing) return existing.reveal();
    const title = l10n.t('Compare {0}', compositionName(composition));
    const panel = window.createWebviewPanel('framework.compare', title, ViewColumn.Active, {
      retainContextWhenHidden: true,
    });
    panel.iconPath = panelIcon;
    followPanel(panel, composition, services.active);
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
      const found = await askedComposition(given, services);
      if (found) void open(found).catch((error) => services.log.error(String(error)));
    }),
    workspace.onDidRenameFiles(({ files }) => {
      const moved = movedIn(files);
      for (const [uri, panel] of [...panels]) if (moved(uri) !== uri) panel.dispose();
    }),
    {
      dispose() {
        for (const panel of panels.values()) panel.dispose();
      },
    },
  );
}
