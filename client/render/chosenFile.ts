// The file that a command of rendering is for, or a message that says why it cannot be.
import { commands, Uri, window } from 'vscode';
import { activeFile } from '../activeFile.ts';
import { currentBlock } from '../languageStatus.ts';
import type { Tools } from '../tools.ts';

/** The file that was clicked, else the one in front; undefined after a message. `what` is what should be open. */
export async function chosenFile(given: unknown, what: string, { host }: Tools): Promise<Uri | undefined> {
  const block = currentBlock(host.startCli !== undefined);
  if (block) return refuse(block.message, block.way);
  const uri = uriOf(given) ?? activeFile();
  if (!uri) return refuse(`Open ${what}`);
  if (uri.scheme === 'untitled') {
    return refuse('Save this file first: a render reads files from the disk.', {
      title: 'Save',
      command: 'workbench.action.files.save',
    });
  }
  if (uri.scheme !== 'file')
    return refuse(`A render reads files from a disk, and this one (${uri.scheme}:) is not on one.`);
  return uri;
}

/** What the language server answers, or undefined after a message where it is not there. */
export async function answerOf<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await asked;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return refuse(`The language server, which knows the composition, is not there: ${reason}`, {
      title: 'Restart It',
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
