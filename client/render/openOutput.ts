// Shows what a render made inside the editor, where the editor can play it, else where it lies.
import { commands, env, FileType, UIKind, Uri, workspace } from 'vscode';
import { opensInside } from './outputKind.ts';

/** `output` is an absolute path: a video, or a folder of frames, of which the first is shown. */
export async function openOutput(output: string): Promise<void> {
  const uri = Uri.file(output);
  if (opensInside(output)) return void (await commands.executeCommand('vscode.open', uri));
  const frame = await firstFrame(uri);
  if (frame) await commands.executeCommand('vscode.open', frame);
  else await revealOutput(output);
}

export async function revealOutput(output: string): Promise<void> {
  await commands.executeCommand(revealCommand(), Uri.file(output));
}

/** A window on another machine's files has no folder window of the system to show them in. */
export function revealCommand(): string {
  return env.remoteName === undefined && env.uiKind === UIKind.Desktop ? 'revealFileInOS' : 'revealInExplorer';
}

async function firstFrame(folder: Uri): Promise<Uri | undefined> {
  try {
    const { type } = await workspace.fs.stat(folder);
    if ((type & FileType.Directory) === 0) return undefined;
    const names = (await workspace.fs.readDirectory(folder)).map(([name]) => name);
    const [first] = names.filter((name) => name.endsWith('.png')).sort();
    return first === undefined ? undefined : Uri.joinPath(folder, first);
  } catch {
    return undefined;
  }
}
