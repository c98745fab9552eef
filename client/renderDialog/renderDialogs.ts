// The open render dialogs, one for each composition.
import { type Disposable, l10n, ViewColumn, type WebviewPanel, window } from 'vscode';
import type { CompositionInfo } from '../../server/protocol.ts';
import { followPanel } from '../compositions/activeComposition.ts';
import { compositionName } from '../compositions/compositionName.ts';
import { type MovedUri, movedComposition } from '../compositions/moves.ts';
import type { ExtensionServices } from '../extensionServices.ts';
import type { ChosenSets } from '../form/chosenSets.ts';
import { panelIcon } from '../panelIcon.ts';
import type { RenderDialog } from './dialogPanel.ts';
import { moveChoices } from './storedChoices.ts';

export type RenderDialogs = Disposable & {
  /** Opens or reveals the dialog of a composition, also with the rows of a data file. */
  open(composition: CompositionInfo, file?: string): void;
  /** Opens the dialogs of moved compositions again. */
  move(moved: MovedUri): void;
};

type OpenDialog = { composition: CompositionInfo; panel: WebviewPanel; page: Promise<RenderDialog> };

export function createRenderDialogs(services: ExtensionServices, sets: ChosenSets): RenderDialogs {
  const dialogs = new Map<string, OpenDialog>();
  const use = (page: Promise<RenderDialog> | undefined, act: (page: RenderDialog) => void) =>
    void page?.then(act).catch((error: unknown) => services.log.error(String(error)));

  function add(composition: CompositionInfo): OpenDialog {
    const title = l10n.t('Render {0}', compositionName(composition));
    const panel = window.createWebviewPanel('framework.renderForm', title, ViewColumn.Active, {});
    panel.iconPath = panelIcon;
    followPanel(panel, composition, services.active);
    const page = createPage(panel, title);
    use(page, (created) => created.show(composition));
    panel.onDidDispose(() => {
      dialogs.delete(composition.uri);
      use(page, (created) => created.dispose());
    });
    const dialog = { composition, panel, page };
    dialogs.set(composition.uri, dialog);
    return dialog;
  }

  async function createPage({ webview }: WebviewPanel, title: string): Promise<RenderDialog> {
    // Loaded lazily, because most windows never show it.
    const { createRenderDialog } = await import('./dialogPanel.ts');
    return createRenderDialog(webview, { services, sets, title });
  }

  const following = services.active.onDidChange(
    (composition) => composition && use(dialogs.get(composition.uri)?.page, (page) => page.show(composition)),
  );
  return {
    open(composition, file) {
      const existing = dialogs.get(composition.uri);
      existing?.panel.reveal();
      const { page } = existing ?? add(composition);
      if (file !== undefined) use(page, (shown) => shown.showRows(file));
    },
    move(moved) {
      moveChoices(services.context.workspaceState, moved);
      for (const { composition, panel } of [...dialogs.values()]) {
        const after = movedComposition(composition, moved);
        if (after === composition) continue;
        panel.dispose();
        if (after) add(after);
      }
    },
    dispose() {
      following.dispose();
      for (const { panel } of dialogs.values()) panel.dispose();
    },
  };
}
