// Commands for getting started: New Composition, the walkthrough, and the rename after a refactoring.
import { commands, type Disposable, Position, Uri, window } from 'vscode';
import type { Commands } from '../../server/protocol.ts';
import type { ExtensionServices } from '../extensionServices.ts';

/** The id of the extension and the id of the walkthrough in the manifest. */
const walkthrough = (extensionId: string): string => `${extensionId}#framework`;

export function createWalkthrough(services: ExtensionServices): Disposable[] {
  const { context, active, values, history } = services;
  const completed = new Set<string>();
  // The key is true only briefly: one that is already true when the walkthrough loads does not complete its step.
  const complete = async (name: string) => {
    completed.add(name);
    await commands.executeCommand('setContext', name, true);
    await commands.executeCommand('setContext', name, false);
  };
  return [
    commands.registerCommand('framework.newComposition', async () => {
      // Loaded lazily, because it is rarely used.
      const { newComposition } = await import('./newComposition.ts');
      if (await newComposition(services)) await complete('framework.hasOpenedComposition');
    }),
    commands.registerCommand('framework.openWalkthrough', async () => {
      // The active composition may have been opened before the language server started.
      if (active.current()) completed.add('framework.hasOpenedComposition');
      await commands.executeCommand('workbench.action.openWalkthrough', walkthrough(context.extension.id), false);
      for (const name of completed) await complete(name);
    }),
    commands.registerCommand('framework.renameAt', renameAt),
    // These context keys complete steps of the walkthrough.
    active.onDidChange(() => complete('framework.hasOpenedComposition')),
    values.onDidChange(() => complete('framework.hasTriedValues')),
    history.onDidChange((entry) => entry?.state === 'completed' && complete('framework.hasRendered')),
  ];
}

/** Starts VS Code's rename at the name that a refactoring inserted. */
async function renameAt(given: Partial<Commands['framework.renameAt'][0]> | undefined): Promise<void> {
  const { uri, position } = given ?? {};
  if (uri === undefined || position === undefined) return;
  const file = Uri.parse(uri);
  const target = new Position(position.line, position.character);
  await window.showTextDocument(file);
  await commands.executeCommand('editor.action.rename', [file, target]);
}
