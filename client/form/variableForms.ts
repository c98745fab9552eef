// The variables form in its two places, and the commands that do the same from the palette.
import { commands, type Disposable, l10n, Uri, ViewColumn, type WebviewPanel, window } from 'vscode';
import type { CompositionInfo } from '../../server/protocol.ts';
import { activeFile } from '../activeFile.ts';
import { panelIcon } from '../panelIcon.ts';
import type { Tools } from '../tools.ts';
import { createChosenSets } from './chosenSets.ts';
import { createFormPage, type FormPage } from './formPage.ts';
import { copyCommand, writeDefaults } from './valueActions.ts';

export type VariableForms = Disposable & {
  /** The form of one composition in an editor panel, for a render; the panel that is there comes to the front. */
  open(composition: CompositionInfo): void;
};

export function createVariableForms(tools: Tools): VariableForms {
  const sets = createChosenSets(tools);
  const panels = new Map<string, { panel: WebviewPanel; page: FormPage }>();

  function open(composition: CompositionInfo): void {
    const there = panels.get(composition.uri);
    if (there) {
      there.panel.reveal();
      return;
    }
    const title = l10n.t('Render {0}', composition.path.slice(composition.path.lastIndexOf('/') + 1));
    const panel = window.createWebviewPanel('framework.renderForm', title, ViewColumn.Active, {});
    panel.iconPath = panelIcon;
    const page = createFormPage(panel.webview, { tools, sets, place: 'panel', title });
    page.show(composition);
    panels.set(composition.uri, { panel, page });
    panel.onDidDispose(() => {
      page.dispose();
      panels.delete(composition.uri);
    });
  }
  const subscriptions = [
    sets,
    window.registerWebviewViewProvider('framework.variables', {
      resolveWebviewView(view) {
        const page = createFormPage(view.webview, { tools, sets, place: 'sidebar', title: l10n.t('Variables') });
        const following = tools.active.onDidChange((composition) => page.show(composition));
        page.show(tools.active.current());
        view.onDidDispose(() => {
          following.dispose();
          page.dispose();
        });
      },
    }),
    tools.active.onDidChange((composition) => panels.get(composition.uri)?.page.show(composition)),
    ...createCommands(tools, sets),
  ];
  return {
    open,
    dispose() {
      for (const subscription of subscriptions) subscription.dispose();
      for (const { panel } of panels.values()) panel.dispose();
    },
  };
}

function createCommands(tools: Tools, sets: ReturnType<typeof createChosenSets>): Disposable[] {
  const inFront = (act: (composition: CompositionInfo) => Promise<void>) => async () => {
    const composition = await compositionInFront(tools);
    if (composition) await act(composition);
  };
  const write = inFront((composition) => writeDefaults(composition, tools));
  const copy = inFront((composition) => copyCommand(composition, tools));
  const reset = inFront(async ({ uri }) => tools.values.set(Uri.parse(uri), {}));
  return [
    commands.registerCommand('framework.showVariables', () => commands.executeCommand('framework.variables.focus')),
    commands.registerCommand('framework.saveVariableSet', inFront(sets.save)),
    commands.registerCommand('framework.useVariableSet', inFront(sets.choose)),
    commands.registerCommand('framework.deleteVariableSet', inFront(sets.remove)),
    commands.registerCommand('framework.writeDefaults', write),
    commands.registerCommand('framework.copyRenderCommand', copy),
    commands.registerCommand('framework.resetVariables', reset),
  ];
}

/** The composition in front as it is now, else the one that was; undefined after a message. */
async function compositionInFront({ server, active }: Tools): Promise<CompositionInfo | undefined> {
  const uri = activeFile()?.toString() ?? active.current()?.uri;
  const found = uri === undefined ? null : await server.ask('framework/composition', { uri }).catch(() => null);
  if (found) return found;
  const known = active.current();
  if (known) return known;
  await window.showWarningMessage(l10n.t('Open a composition first: an HTML file with a data-composition-id.'));
  return undefined;
}
