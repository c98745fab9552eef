// The render commands: they find the composition and start the render with the values that the preview and the form show.
import { commands, type Disposable, Uri } from 'vscode';
import type { CompositionInfo } from '../../server/protocol.ts';
import { askedComposition } from '../compositions/commandArgument.ts';
import type { ExtensionServices } from '../extensionServices.ts';
import type { VariableForms } from '../form/variableForms.ts';
import { currentBlock } from '../language/languageStatus.ts';
import { showWarning } from '../language/serverResult.ts';
import { createBatchCommands } from './batch/batchCommands.ts';
import { isOnDisk } from './isOnDisk.ts';
import { promptToSave } from './promptToSave.ts';
import type { Renders } from './renders.ts';
import { shownValues } from './shownValues.ts';
import { promptForStack } from './stackChoice.ts';
import { registerTasks } from './tasks/taskProvider.ts';

export function createRenderCommands(services: ExtensionServices, forms: VariableForms): Disposable[] {
  const { renders, values: drafts, context } = services;
  const render = (run: Renders['run']) => async (given: unknown) => {
    const composition = await renderable(given, services);
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
      const composition = await renderable(given, services);
      if (composition && (await promptToSave(composition))) await renders.run(composition, {});
    }),
    commands.registerCommand('framework.renderWithVariables', async (given: unknown) => {
      const composition = await renderable(given, services);
      if (composition) forms.open(composition);
    }),
    commands.registerCommand('framework.renderCloud', render(renders.runInCloud)),
    commands.registerCommand('framework.renderServerless', render(renders.runServerless)),
    commands.registerCommand('framework.chooseSize', () => services.videoSize.choose()),
    commands.registerCommand('framework.chooseStack', () => promptForStack(context.workspaceState)),
  ];
}

/** The composition to render. When there is none, or it cannot be rendered, shows the reason and returns undefined. */
async function renderable(given: unknown, services: ExtensionServices): Promise<CompositionInfo | undefined> {
  const block = currentBlock(services.host.startCli !== undefined);
  if (block) return showWarning(block.message, block.action);
  const composition = await askedComposition(given, services);
  return composition && (await isOnDisk(Uri.parse(composition.uri))) ? composition : undefined;
}
