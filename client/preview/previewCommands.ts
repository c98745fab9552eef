// The preview commands, and the restoration of preview panels after a window reload.
import { commands, type Disposable, window } from 'vscode';
import { activeFile } from '../activeFile.ts';
import { noCompositionMessage, uriOf } from '../commandArgument.ts';
import type { ExtensionServices } from '../extensionServices.ts';
import { resultOrMessage } from '../serverResult.ts';
import type { SavedPanel } from './previewMessages.ts';
import { viewType } from './previewPanel.ts';
import type { Previews } from './previews.ts';

export function createPreviewCommands(services: ExtensionServices, previews: Previews): Disposable[] {
  return [
    commands.registerCommand('framework.preview', async (given: unknown, options: unknown) => {
      const uri = uriOf(given) ?? activeFile()?.toString() ?? services.active.current()?.uri;
      const request = uri === undefined ? null : services.server.request('framework/composition', { uri });
      const found = request && (await resultOrMessage(request, services.log));
      if (found) previews.open(found, options === 'playOnce');
      if (found === null) await window.showWarningMessage(noCompositionMessage(uri));
    }),
    commands.registerCommand('framework.previewScreenshot', () => previews.saveFrame()),
    commands.registerCommand('framework.restartPreview', () => previews.restart()),
    window.registerWebviewPanelSerializer(viewType, {
      deserializeWebviewPanel: (panel, saved: SavedPanel | undefined) => previews.restore(panel, saved),
    }),
  ];
}
