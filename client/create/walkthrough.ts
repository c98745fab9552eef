// What somebody needs in the first hour: a composition to begin with, the walkthrough, and names for what was refactored.
import { commands, type Disposable, Position, Uri, window } from 'vscode';
import type { Commands } from '../../server/protocol.ts';
import type { Tools } from '../tools.ts';

/** Of the manifest: publisher and name of the extension, and the id of the walkthrough. */
const walkthrough = (extensionId: string): string => `${extensionId}#framework`;

export function createFirstHour(tools: Tools): Disposable[] {
  const { context, active, values, history } = tools;
  const reached = new Set<string>();
  // For a moment: a context that is true when the walkthrough is first loaded never completes a step.
  const reach = async (name: string) => {
    reached.add(name);
    await commands.executeCommand('setContext', name, true);
    await commands.executeCommand('setContext', name, false);
  };
  return [
    commands.registerCommand('framework.newComposition', async () => {
      // Rarely needed: loaded when it is.
      const { newComposition } = await import('./newComposition.ts');
      if (await newComposition(tools)) await reach('framework.hasOpenedComposition');
    }),
    commands.registerCommand('framework.openWalkthrough', async () => {
      // What is in front may have come before the language server.
      if (active.current()) reached.add('framework.hasOpenedComposition');
      await commands.executeCommand('workbench.action.openWalkthrough', walkthrough(context.extension.id), false);
      for (const name of reached) await reach(name);
    }),
    commands.registerCommand('framework.renameAt', renameAt),
    // Steps of the walkthrough wait for these.
    active.onDidChange(() => reach('framework.hasOpenedComposition')),
    values.onDidChange(() => reach('framework.hasTriedValues')),
    history.onDidChange((entry) => entry?.state === 'completed' && reach('framework.hasRendered')),
  ];
}

/** The editor's own rename, on the name that an edit has just put in. */
async function renameAt(given: Partial<Commands['framework.renameAt'][0]> | undefined): Promise<void> {
  const { uri, position } = given ?? {};
  if (uri === undefined || position === undefined) return;
  const file = Uri.parse(uri);
  const place = new Position(position.line, position.character);
  await window.showTextDocument(file);
  await commands.executeCommand('editor.action.rename', [file, place]);
}
