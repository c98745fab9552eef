// The preview commands, and the restoration of preview panels after a window reload.
import { commands, type Disposable, l10n, Uri, window } from 'vscode';
import { activeFile } from '../activeFile.ts';
import type { ExtensionServices } from '../extensionServices.ts';
import { resultOrMessage } from '../serverResult.ts';
import type { SavedPanel } from './previewMessages.ts';
import { viewType } from './previewPanel.ts';
import { createPreviews } from './previews.ts';

export function createPreviewCommands(services: ExtensionServices): Disposable[] {
  const previews = createPreviews(services);
  return [
    previews,
    commands.registerCommand('framework.preview', async (given: unknown) => {
      const uri = uriOf(given) ?? activeFile()?.toString() ?? services.active.current()?.uri;
      const request = uri === undefined ? null : services.server.request('framework/composition', { uri });
      const found = request && (await resultOrMessage(request, services.log));
      if (found) previews.open(found);
      if (found === null) await window.showWarningMessage(noCompositionMessage(uri));
    }),
    commands.registerCommand('framework.previewScreenshot', () => previews.saveFrame()),
    commands.registerCommand('framework.restartPreview', () => previews.restart()),
    window.registerWebviewPanelSerializer(viewType, {
      deserializeWebviewPanel: (panel, saved: SavedPanel | undefined) => previews.restore(panel, saved),
    }),
  ];
}

function noCompositionMessage(uri: string | undefined): string {
  if (uri === undefined) return l10n.t('Open a composition first: an HTML file that contains data-composition-id.');
  const name = Uri.parse(uri).path.split('/').pop() ?? uri;
  return l10n.t('{0} is not a composition: no element has data-composition-id.', name);
}

/** The explorer passes a `Uri`; other callers pass JSON. */
function uriOf(given: unknown): string | undefined {
  if (given instanceof Uri) return given.toString();
  const text = typeof given === 'object' && given !== null && 'uri' in given ? given.uri : given;
  return typeof text === 'string' && text !== '' ? text : undefined;
}
