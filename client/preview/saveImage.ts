import { commands, env, l10n, Uri, window, workspace } from 'vscode';
import type { CompositionInfo } from '../../server/protocol.ts';
import { revealOutput } from '../render/openOutput.ts';

/** Saves a frame as a PNG file. `png`: the bytes of the file. `frame` starts at 0. */
export async function saveFrameImage(
  { projectUri, path }: CompositionInfo,
  { png, frame }: { png: Uint8Array; frame: number },
): Promise<void> {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.html?$/i, '');
  const uri = await window.showSaveDialog({
    title: l10n.t('Save Frame as Image'),
    defaultUri: Uri.joinPath(Uri.parse(projectUri), 'renders', `${name}-${frame}.png`),
    filters: { [l10n.t('Image')]: ['png'] },
  });
  if (!uri) return;
  await workspace.fs.writeFile(uri, png);
  const [open, reveal, copy] = [l10n.t('Open'), l10n.t('Reveal'), l10n.t('Copy Path')];
  const message = l10n.t('Saved frame {0} as {1}.', frame, workspace.asRelativePath(uri, false));
  const chosen = await window.showInformationMessage(message, open, reveal, copy);
  if (chosen === open) await commands.executeCommand('vscode.open', uri);
  if (chosen === reveal) await revealOutput(uri.fsPath);
  if (chosen === copy) await env.clipboard.writeText(uri.fsPath);
}
