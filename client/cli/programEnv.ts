// The programs that the settings name, as the command line reads them from its environment.
import { Uri, workspace } from 'vscode';
import { inSettings } from '../editorWords.ts';

/** `folder` is an absolute path: settings may differ by folder. */
export function programEnv(folder: string): Record<string, string> {
  const settings = workspace.getConfiguration('framework', Uri.file(folder));
  const named = Object.entries(inSettings).flatMap(([option, setting]) => {
    const value = settings.get<string>(setting)?.trim();
    return value ? [[`FRAMEWORK_${option.toUpperCase()}`, value]] : [];
  });
  return Object.fromEntries(named);
}
