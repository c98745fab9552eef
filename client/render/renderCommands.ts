// The render commands: they find the composition, prompt for its values, and start the render.
import { commands, type Disposable, l10n, Uri, window } from 'vscode';
import type { CompositionInfo } from '../../server/protocol.ts';
import { compositionName } from '../compositionName.ts';
import type { Values } from '../draftValues.ts';
import type { ExtensionServices } from '../extensionServices.ts';
import type { VariableForms } from '../form/variableForms.ts';
import { resultOrMessage, showWarning } from '../serverResult.ts';
import { createBatchCommands } from './batchCommands.ts';
import { chosenFile, nameOf } from './chosenFile.ts';
import { promptToSave } from './promptToSave.ts';
import type { RemoteRenders } from './remoteRenders.ts';
import { promptForStack } from './stackChoice.ts';
import { registerTasks } from './taskProvider.ts';

export function createRenderCommands(services: ExtensionServices, forms: VariableForms): Disposable[] {
  const { renders, values: drafts, context } = services;
  const render = async (composition: CompositionInfo, values: Values): Promise<void> => {
    if (await promptToSave(composition)) await renders.run(composition, values);
  };
  /** A render in the cloud or on AWS, with the defaults or with the draft values. */
  const renderRemotely = (run: RemoteRenders['runInCloud']) => async (given: unknown) => {
    const composition = await compositionOf(given, services);
    const values = composition && (await chooseValues(composition, drafts.get(Uri.parse(composition.uri))));
    if (!values || !(await promptToSave(composition))) return;
    const isDraft = Object.keys(values).length > 0;
    await run(composition, values, isDraft ? { set: await forms.setOf(composition) } : {});
  };
  return [
    ...createBatchCommands(services, forms),
    registerTasks(services),
    commands.registerCommand('framework.render', async (given: unknown) => {
      const composition = await compositionOf(given, services);
      if (composition) await render(composition, {});
    }),
    commands.registerCommand('framework.renderWithVariables', async (given: unknown) => {
      const composition = await compositionOf(given, services);
      if (composition) forms.open(composition);
    }),
    // For the button of the variables form; not in the Command Palette.
    commands.registerCommand('framework.renderTried', async (given: unknown) => {
      const composition = await compositionOf(given, services);
      if (!composition) return;
      const set = await forms.setOf(composition);
      await renders.runWithValues(composition, drafts.get(Uri.parse(composition.uri)), { set });
    }),
    commands.registerCommand('framework.renderCloud', renderRemotely(renders.runInCloud)),
    commands.registerCommand('framework.renderServerless', renderRemotely(renders.runServerless)),
    commands.registerCommand('framework.chooseSize', () => services.videoSize.choose()),
    commands.registerCommand('framework.chooseStack', () => promptForStack(context.workspaceState)),
  ];
}

/** Undefined when the user cancels. Does not prompt when there are no draft values. */
async function chooseValues(composition: CompositionInfo, drafts: Values): Promise<Values | undefined> {
  const names = Object.keys(drafts);
  if (names.length === 0) return {};
  const items = [
    { label: l10n.t('With the values of the Variables view'), description: names.join(', '), values: drafts },
    { label: l10n.t('With the defaults'), values: {} },
  ];
  return (await window.showQuickPick(items, { title: l10n.t('Render {0}', compositionName(composition)) }))?.values;
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
