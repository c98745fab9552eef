// The file that a command of rendering is for, or a message that says why it cannot be.
import { commands, l10n, Uri, window } from 'vscode';
import { activeFile } from '../activeFile.ts';
import { currentBlock } from '../languageStatus.ts';
import type { Tools } from '../tools.ts';

/** The file that was clicked, else the one in front; undefined after a message. `open` says what to open first. */
export async function chosenFile(given: unknown, open: string, { host }: Tools): Promise<Uri | undefined> {
  const block = currentBlock(host.startCli !== undefined);
  if (block) return refuse(block.message, block.way);
  const uri = uriOf(given) ?? activeFile();
  if (!uri) return refuse(open);
  if (uri.scheme === 'untitled') {
    return refuse(l10n.t('Save this file first: a render reads files from the disk.'), {
      title: l10n.t('Save'),
      command: 'workbench.action.files.save',
    });
  }
  if (uri.scheme !== 'file')
    return refuse(l10n.t('A render reads files from a disk, and this one ({0}:) is not on one.', uri.scheme));
  return uri;
}

/** What the language server answers, or undefined after a message where it is not there. */
export async function answerOf<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await asked;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return refuse(l10n.t('The language server, which knows the composition, is not there: {0}', reason), {
      title: l10n.t('Restart It'),
      command: 'framework.restartServer',
    });
  }
}

/** From the explorer a `Uri` comes, from a code lens plain JSON, from a keybinding whatever its author wrote. */
function uriOf(given: unknown): Uri | undefined {
  if (given instanceof Uri) return given;
  const text = typeof given === 'object' && given !== null && 'uri' in given ? given.uri : given;
  return typeof text === 'string' && text !== '' ? Uri.parse(text) : undefined;
}

export function nameOf(uri: Uri): string {
  return uri.path.slice(uri.path.lastIndexOf('/') + 1);
}

export async function refuse(message: string, way?: { title: string; command: string }): Promise<undefined> {
  const chosen = await (way ? window.showWarningMessage(message, way.title) : window.showWarningMessage(message));
  if (way && chosen === way.title) await commands.executeCommand(way.command);
}
