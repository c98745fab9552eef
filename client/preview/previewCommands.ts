// The commands of the live preview, and its panels of the window before.
import { commands, type Disposable, l10n, Uri, window } from 'vscode';
import { activeFile } from '../activeFile.ts';
import type { Tools } from '../tools.ts';
import type { KeptPanel } from './previewMessages.ts';
import { viewType } from './previewPanel.ts';
import { createPreviews } from './previews.ts';

export function createPreviewCommands(tools: Tools): Disposable[] {
  const previews = createPreviews(tools);
  return [
    previews,
    commands.registerCommand('framework.preview', async (given: unknown) => {
      const uri = uriOf(given) ?? activeFile()?.toString() ?? tools.active.current()?.uri;
      const found = uri === undefined ? null : await tools.server.ask('framework/composition', { uri });
      if (found) previews.open(found);
      else await window.showWarningMessage(complaint(uri));
    }),
    commands.registerCommand('framework.previewScreenshot', () => previews.takePicture()),
    commands.registerCommand('framework.restartPreview', () => previews.restart()),
    window.registerWebviewPanelSerializer(viewType, {
      deserializeWebviewPanel: (panel, kept: KeptPanel | undefined) => previews.restore(panel, kept),
    }),
  ];
}

function complaint(uri: string | undefined): string {
  if (uri === undefined) return l10n.t('Open a composition first: an HTML file with a data-composition-id.');
  const name = Uri.parse(uri).path.split('/').pop() ?? uri;
  return l10n.t('{0} is no composition: no element in it has a data-composition-id.', name);
}

/** From the explorer a `Uri` comes, from elsewhere plain JSON. */
function uriOf(given: unknown): string | undefined {
  if (given instanceof Uri) return given.toString();
  const text = typeof given === 'object' && given !== null && 'uri' in given ? given.uri : given;
  return typeof text === 'string' && text !== '' ? text : undefined;
}
