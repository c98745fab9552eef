// The commands that render a composition: from what was clicked to a checked composition, its values, and the render itself.
import { commands, type Disposable, window } from 'vscode';
import type { CompositionInfo } from '../../server/protocol.ts';
import { askValues } from '../form/askValues.ts';
import { changedValues, type Value } from '../form/valueText.ts';
import type { Tools } from '../tools.ts';
import { createBatchCommands } from './batchCommands.ts';
import { answerOf, chosenFile, nameOf, refuse } from './chosenFile.ts';
import { createRenders } from './renders.ts';
import { saveBefore } from './saveBefore.ts';

/** Disposing them ends the renders that are under way. */
export function createRenderCommands(tools: Tools): Disposable[] {
  const renders = createRenders(tools);
  return [
    renders,
    ...createBatchCommands(tools, renders),
    commands.registerCommand('framework.render', async (given: unknown) => {
      const composition = await compositionOf(given, tools);
      if (composition && (await saveBefore(composition))) await renders.run(composition, {});
    }),
    commands.registerCommand('framework.renderWithVariables', async (given: unknown) => {
      const composition = await compositionOf(given, tools);
      if (!composition) return;
      const values = await valuesFor(composition);
      if (values && (await saveBefore(composition))) await renders.run(composition, values);
    }),
  ];
}

async function valuesFor({ variables, path }: CompositionInfo): Promise<Record<string, Value> | undefined> {
  if (variables.length === 0) {
    const render = 'Render';
    const message = `${path} declares no variables.`;
    return (await window.showInformationMessage(message, render)) === render ? {} : undefined;
  }
  const values = await askValues(variables, `Render ${path}`);
  return values && changedValues(variables, values);
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
