// The command Insert Block.
import { commands, type Disposable } from 'vscode';
import type { ExtensionServices } from '../extensionServices.ts';
import type { Previews } from '../preview/previews.ts';

export function createBlockCommand(services: ExtensionServices, previews: Previews): Disposable {
  return commands.registerCommand('framework.insertBlock', async (given: unknown) => {
    // Loaded lazily, because it is rarely used.
    const { chooseAndInsert } = await import('./insertBlock.ts');
    await chooseAndInsert(services, previews, given);
  });
}
