// The variables form in the sidebar and in panels, and its commands.
import { commands, type Disposable, l10n, Uri, window } from 'vscode';
import type { CompositionInfo } from '../../server/protocol.ts';
import { askedComposition } from '../compositions/commandArgument.ts';
import type { MovedUri } from '../compositions/moves.ts';
import type { ExtensionServices } from '../extensionServices.ts';
import { createRenderDialogs, type RenderDialogs } from '../renderDialog/renderDialogs.ts';
import { createChosenSets } from './chosenSets.ts';
import { createFormPage } from './formPage.ts';
import { copyCommand, writeDefaults } from './valueActions.ts';

export type VariableForms = Disposable & {
  open: RenderDialogs['open'];
  /** The set whose unchanged values the form shows. */
  setOf(composition: CompositionInfo): Promise<string | undefined>;
  move(moved: MovedUri): void;
};

export function createVariableForms(services: ExtensionServices): VariableForms {
  const sets = createChosenSets(services);
  const dialogs = createRenderDialogs(services, sets);
  const subscriptions = [
    sets,
    dialogs,
    window.registerWebviewViewProvider('framework.variables', {
      resolveWebviewView(view) {
        const page = createFormPage(view.webview, { services, sets, location: 'sidebar', title: l10n.t('Variables') });
        const following = services.active.onDidChange((composition) => page.show(composition));
        page.show(services.active.current());
        view.onDidDispose(() => {
          following.dispose();
          page.dispose();
        });
      },
    }),
    ...createCommands(services, sets),
  ];
  return {
    open: dialogs.open,
    setOf: sets.nameOf,
    move(moved) {
      sets.move(moved);
      dialogs.move(moved);
    },
    dispose() {
      for (const subscription of subscriptions) subscription.dispose();
    },
  };
}

function createCommands(services: ExtensionServices, sets: ReturnType<typeof createChosenSets>): Disposable[] {
  const forActive = (act: (composition: CompositionInfo) => Promise<void>) => async () => {
    const composition = await askedComposition(undefined, services);
    if (composition) await act(composition);
  };
  const write = forActive((composition) => writeDefaults(composition, services));
  const copy = forActive((composition) => copyCommand(composition, services));
  const add = forActive(async (composition) => {
    // Loaded lazily, because it is rarely used.
    const { addVariable } = await import('./addVariable.ts');
    await addVariable(composition, services);
  });
  const reset = forActive(async ({ uri }) => services.values.set(Uri.parse(uri), {}));
  return [
    commands.registerCommand('framework.showVariables', () => commands.executeCommand('framework.variables.focus')),
    commands.registerCommand('framework.saveVariableSet', forActive(sets.save)),
    commands.registerCommand('framework.useVariableSet', forActive(sets.choose)),
    commands.registerCommand('framework.deleteVariableSet', forActive(sets.remove)),
    commands.registerCommand('framework.addVariable', add),
    commands.registerCommand('framework.writeDefaults', write),
    commands.registerCommand('framework.copyRenderCommand', copy),
    commands.registerCommand('framework.resetVariables', reset),
  ];
}
