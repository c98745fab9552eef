// Opens the output of a render in VS Code when it can show it, or else reveals the file.
import { commands, env, FileType, UIKind, Uri, workspace } from 'vscode';
import { isVideo, openVideo } from '../video/videoEditor.ts';
import { opensInEditor } from './outputKind.ts';

/** `output` is the absolute path of a video, or of a folder of frames, whose first frame is opened. */
export async function openOutput(output: string): Promise<void> {
  if (isVideo(output)) return openVideo(output);
  const uri = Uri.file(output);
  if (opensInEditor(output)) return void (await commands.executeCommand('vscode.open', uri));
  const frame = await firstFrame(uri);
  if (frame) await commands.executeCommand('vscode.open', frame);
  else await revealOutput(output);
}

export async function revealOutput(output: string): Promise<void> {
  await commands.executeCommand(revealCommand(), Uri.file(output));
}

/** Remote windows and VS Code for the Web cannot use the file manager of the operating system. */
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
