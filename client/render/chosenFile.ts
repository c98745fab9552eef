import { l10n, Uri } from 'vscode';
import { activeFile } from '../compositions/activeFile.ts';
import type { ExtensionServices } from '../extensionServices.ts';
import { currentBlock } from '../language/languageStatus.ts';
import { showWarning } from '../language/serverResult.ts';

/**
 * The file for a render command: the one in the command's argument, or else the active one. When it cannot be rendered, shows
 * the reason and returns undefined. `missing` is the message when there is no file.
 */
export async function chosenFile(
  given: unknown,
  missing: string,
  { host }: Pick<ExtensionServices, 'host'>,
): Promise<Uri | undefined> {
  const block = currentBlock(host.startCli !== undefined);
  if (block) return showWarning(block.message, block.action);
  const uri = uriOf(given) ?? activeFile();
  if (!uri) return showWarning(missing);
  if (uri.scheme === 'untitled') {
    return showWarning(l10n.t('Save this file first. Rendering reads files from disk.'), {
      title: l10n.t('Save'),
      command: 'workbench.action.files.save',
    });
  }
  if (uri.scheme !== 'file')
    return showWarning(l10n.t('Rendering reads files from disk, and this file ({0}:) is virtual.', uri.scheme));
  return uri;
}

/** The explorer passes a `Uri`, a code lens passes JSON, and a keybinding can pass anything. */
function uriOf(given: unknown): Uri | undefined {
  if (given instanceof Uri) return given;
  const text = typeof given === 'object' && given !== null && 'uri' in given ? given.uri : given;
  return typeof text === 'string' && text !== '' ? Uri.parse(text) : undefined;
}

export function nameOf(uri: Uri): string {
  return uri.path.slice(uri.path.lastIndexOf('/') + 1);
}
