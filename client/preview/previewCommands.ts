// The preview commands, and the restoration of preview panels after a window reload.
import { commands, type Disposable, Uri, ViewColumn, window, workspace } from 'vscode';
import { askedComposition } from '../compositions/commandArgument.ts';
import { openDocument } from '../compositions/dataFiles.ts';
import type { ExtensionServices } from '../extensionServices.ts';
import { resultOrMessage } from '../language/serverResult.ts';
import type { SavedPanel } from './previewMessages.ts';
import { viewType } from './previewPanel.ts';
import type { Previews } from './previews.ts';
import { showDocument } from './showSource.ts';

export function createPreviewCommands(services: ExtensionServices, previews: Previews): Disposable[] {
  return [
    commands.registerCommand('framework.preview', async (given: unknown, options: unknown) => {
      const found = await askedComposition(given, services);
      if (found) previews.open(found, options === 'playOnce');
    }),
    commands.registerCommand('framework.previewAt', (given: PreviewAt) => previewAt(given, services, previews)),
    commands.registerCommand('framework.compareSizes', async (given: unknown) => {
      const found = await askedComposition(given, services);
      if (found) previews.compareSizes(found);
    }),
    commands.registerCommand('framework.designLayout', () => designLayout(services, previews)),
    commands.registerCommand('framework.previewScreenshot', () => previews.saveFrame()),
    commands.registerCommand('framework.restartPreview', () => previews.restart()),
    window.registerWebviewPanelSerializer(viewType, {
      deserializeWebviewPanel: (panel, saved: SavedPanel | undefined) => previews.restore(panel, saved),
    }),
  ];
}

/** A time of a composition in seconds, with the values of a row of a data file. */
export type PreviewAt = { uri: string; time: number; row?: { uri: string; index: number } };

async function previewAt(
  { uri, time, row }: PreviewAt,
  services: ExtensionServices,
  previews: Previews,
): Promise<void> {
  const found = await askedComposition({ uri }, services);
  if (!found) return;
  if (row) {
    // The language server answers only for open documents.
    await openDocument(Uri.parse(row.uri));
    const params = { uri: row.uri, row: row.index };
    const batch = await resultOrMessage(services.server.request('framework/batch', params), services.log);
    if (batch?.row) services.values.set(Uri.parse(found.uri), batch.row.variables);
    if (batch?.row) previews.findings.showRow(found.uri, row.index);
  }
  previews.openAt(found, time);
}

/** The text on the left, its preview on the right, and the form in the sidebar. Reuses what is open. */
async function designLayout(services: ExtensionServices, previews: Previews): Promise<void> {
  const found = await askedComposition(undefined, services);
  if (!found) return;
  const document = await workspace.openTextDocument(Uri.parse(found.uri));
  await showDocument(document, found.uri);
  previews.open(found);
  await commands.executeCommand('framework.variables.focus');
  await window.showTextDocument(document, { viewColumn: window.activeTextEditor?.viewColumn ?? ViewColumn.One });
}
