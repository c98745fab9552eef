// The render commands: they find the composition and start the render with the values that the preview and the form show.
import { commands, type Disposable, l10n } from 'vscode';
import type { CompositionInfo } from '../../server/protocol.ts';
import type { ExtensionServices } from '../extensionServices.ts';
import type { VariableForms } from '../form/variableForms.ts';
import { resultOrMessage, showWarning } from '../language/serverResult.ts';
import { createBatchCommands } from './batch/batchCommands.ts';
import { chosenFile, nameOf } from './chosenFile.ts';
import { promptToSave } from './promptToSave.ts';
import type { Renders } from './renders.ts';
import { shownValues } from './shownValues.ts';
import { promptForStack } from './stackChoice.ts';
import { registerTasks } from './tasks/taskProvider.ts';

export function createRenderCommands(services: ExtensionServices, forms: VariableForms): Disposable[] {
  const { renders, values: drafts, context } = services;
  const render = (run: Renders['run']) => async (given: unknown) => {
    const composition = await compositionOf(given, services);
    if (!composition) return;
    const [shown, set] = [shownValues(composition, drafts), await forms.setOf(composition)];
    if (await promptToSave(composition)) await run(composition, shown, { set });
  };
  /** Whether the menu of the play button offers the defaults too. */
  const updateMenu = () => {
    const composition = services.active.current();
    const hasValues = composition !== undefined && Object.keys(shownValues(composition, drafts)).length > 0;
    void commands.executeCommand('setContext', 'framework.hasValues', hasValues);
  };
  return [
    services.active.onDidChange(updateMenu),
    drafts.onDidChange(updateMenu),
    ...createBatchCommands(services, forms),
    registerTasks(services),
    commands.registerCommand('framework.render', render(renders.run)),
    commands.registerCommand('framework.renderDefaults', async (given: unknown) => {
      const composition = await compositionOf(given, services);
      if (composition && (await promptToSave(composition))) await renders.run(composition, {});
    }),
    commands.registerCommand('framework.renderWithVariables', async (given: unknown) => {
      const composition = await compositionOf(given, services);
      if (composition) forms.open(composition);
    }),
    commands.registerCommand('framework.renderCloud', render(renders.runInCloud)),
    commands.registerCommand('framework.renderServerless', render(renders.runServerless)),
    commands.registerCommand('framework.chooseSize', () => services.videoSize.choose()),
    commands.registerCommand('framework.chooseStack', () => promptForStack(context.workspaceState)),
  ];
}

/** The composition for a command. When there is none, shows the reason and returns undefined. */
async function compositionOf(given: unknown, services: ExtensionServices): Promise<CompositionInfo | undefined> {
  const missing = l10n.t('Open a composition first: an HTML file that contains data-composition-id.');
  const uri = await chosenFile(given, missing, services);
  if (!uri) return undefined;
  const composition = await resultOrMessage(
    services.server.request('framework/composition', { uri: uri.toString() }),
    services.log,
  );
  if (composition === null)
    return showWarning(l10n.t('{0} is not a composition: no element has data-composition-id.', nameOf(uri)));
  return composition;
}
