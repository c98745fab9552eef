// The commands that render a composition: from what was clicked to a checked composition, its values, and the render itself.
import { commands, type Disposable, l10n, Uri, window } from 'vscode';
import type { CompositionInfo } from '../../server/protocol.ts';
import type { VariableForms } from '../form/variableForms.ts';
import type { Tools } from '../tools.ts';
import type { Values } from '../values.ts';
import { createBatchCommands } from './batchCommands.ts';
import { answerOf, chosenFile, nameOf, refuse } from './chosenFile.ts';
import { createRenders } from './renders.ts';
import { saveBefore } from './saveBefore.ts';

/** Disposing them ends the renders that are under way. */
export function createRenderCommands(tools: Tools, forms: VariableForms): Disposable[] {
  const renders = createRenders(tools);
  const render = async (composition: CompositionInfo, values: Values): Promise<void> => {
    if (await saveBefore(composition)) await renders.run(composition, values);
  };
  return [
    renders,
    ...createBatchCommands(tools, renders),
    commands.registerCommand('framework.render', async (given: unknown) => {
      const composition = await compositionOf(given, tools);
      if (composition) await render(composition, {});
    }),
    commands.registerCommand('framework.renderWithVariables', async (given: unknown) => {
      const composition = await compositionOf(given, tools);
      if (!composition) return;
      if (composition.variables.length > 0) return forms.open(composition);
      if (await agreesWithout(composition)) await render(composition, {});
    }),
    // Not in the palette: the form's button.
    commands.registerCommand('framework.renderTried', async (given: unknown) => {
      const composition = await compositionOf(given, tools);
      if (composition) await render(composition, tools.values.get(Uri.parse(composition.uri)));
    }),
  ];
}

async function agreesWithout({ path }: CompositionInfo): Promise<boolean> {
  const render = l10n.t('Render');
  return (await window.showInformationMessage(l10n.t('{0} declares no variables.', path), render)) === render;
}

/** The composition that a command is for, or undefined after a message that says why there is none to render. */
async function compositionOf(given: unknown, tools: Tools): Promise<CompositionInfo | undefined> {
  const uri = await chosenFile(given, 'a composition first: an HTML file with a data-composition-id.', tools);
  if (!uri) return undefined;
  const composition = await answerOf(tools.server.ask('framework/composition', { uri: uri.toString() }));
  if (composition === null)
    return refuse(`${nameOf(uri)} is no composition: no element in it has a data-composition-id.`);
  return composition;
}
