// The picture of a frame, saved where the user wants it.
import { commands, env, l10n, Uri, window, workspace } from 'vscode';
import type { CompositionInfo } from '../../server/protocol.ts';
import { revealOutput } from '../render/openOutput.ts';

/** `png` are the file's bytes; `frame` counts from 0. */
export async function savePicture(
  { projectUri, path }: CompositionInfo,
  { png, frame }: { png: Uint8Array; frame: number },
): Promise<void> {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.html?$/i, '');
  const uri = await window.showSaveDialog({
    title: l10n.t('Save Frame as Picture'),
    defaultUri: Uri.joinPath(Uri.parse(projectUri), 'renders', `${name}-${frame}.png`),
    filters: { [l10n.t('Picture')]: ['png'] },
  });
  if (!uri) return;
  await workspace.fs.writeFile(uri, png);
  const [open, reveal, copy] = [l10n.t('Open'), l10n.t('Reveal'), l10n.t('Copy Path')];
  const told = l10n.t('Saved frame {0} as {1}.', frame, workspace.asRelativePath(uri, false));
  const chosen = await window.showInformationMessage(told, open, reveal, copy);
  if (chosen === open) await commands.executeCommand('vscode.open', uri);
  if (chosen === reveal) await revealOutput(uri.fsPath);
  if (chosen === copy) await env.clipboard.writeText(uri.fsPath);
}
