// The commands that render: from what was clicked to a checked composition, its values, and the render itself.
import { commands, type Disposable, l10n, Uri, window } from 'vscode';
import type { CompositionInfo } from '../../server/protocol.ts';
import type { VariableForms } from '../form/variableForms.ts';
import type { Tools } from '../tools.ts';
import type { Values } from '../values.ts';
import { createBatchCommands } from './batchCommands.ts';
import { answerOf, chosenFile, nameOf, refuse } from './chosenFile.ts';
import { saveBefore } from './saveBefore.ts';
import { askStack } from './stackChoice.ts';
import { registerTasks } from './taskProvider.ts';

export function createRenderCommands(tools: Tools, forms: VariableForms): Disposable[] {
  const { renders, values: tried, context } = tools;
  const render = async (composition: CompositionInfo, values: Values): Promise<void> => {
    if (await saveBefore(composition)) await renders.run(composition, values);
  };
  /** A render elsewhere, of the composition as it is or with the values that are being tried out. */
  const elsewhere =
    (run: (composition: CompositionInfo, values: Values) => Promise<void>) => async (given: unknown) => {
      const composition = await compositionOf(given, tools);
      const values = composition && (await chooseValues(composition, tried.get(Uri.parse(composition.uri))));
      if (values && (await saveBefore(composition))) await run(composition, values);
    };
  return [
    ...createBatchCommands(tools),
    registerTasks(tools),
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
      if (composition) await renders.runWithValues(composition, tried.get(Uri.parse(composition.uri)));
    }),
    commands.registerCommand('framework.renderCloud', elsewhere(renders.runInCloud)),
    commands.registerCommand('framework.renderServerless', elsewhere(renders.runServerless)),
    commands.registerCommand('framework.chooseStack', () => askStack(context.workspaceState)),
  ];
}

async function agreesWithout({ path }: CompositionInfo): Promise<boolean> {
  const render = l10n.t('Render');
  return (await window.showInformationMessage(l10n.t('{0} declares no variables.', path), render)) === render;
}

/** Undefined when the user gave up; not asked where nothing is being tried out. */
async function chooseValues({ path }: CompositionInfo, tried: Values): Promise<Values | undefined> {
  const names = Object.keys(tried);
  if (names.length === 0) return {};
  const items = [
    { label: l10n.t('With the values of the form'), description: names.join(', '), values: tried },
    { label: l10n.t('With the defaults'), values: {} },
  ];
  return (await window.showQuickPick(items, { title: l10n.t('Render {0}', path) }))?.values;
}

/** The composition that a command is for, or undefined after a message that says why there is none to render. */
async function compositionOf(given: unknown, tools: Tools): Promise<CompositionInfo | undefined> {
  const first = l10n.t('Open a composition first: an HTML file with a data-composition-id.');
  const uri = await chosenFile(given, first, tools);
  if (!uri) return undefined;
  const composition = await answerOf(tools.server.ask('framework/composition', { uri: uri.toString() }));
  if (composition === null)
    return refuse(l10n.t('{0} is no composition: no element in it has a data-composition-id.', nameOf(uri)));
  return composition;
}
