// The browser and ffmpeg of the settings, for commands.
import { Uri, workspace } from 'vscode';
import { settingOfOption } from './errorMessages.ts';

/** Pairs of an option of the command line and the path in the settings of a folder, without empty ones. */
export function programPaths(folder?: string): [option: string, path: string][] {
  const settings = workspace.getConfiguration('framework', folder === undefined ? undefined : Uri.file(folder));
  return Object.entries(settingOfOption).flatMap(([option, setting]) => {
    const path = settings.get<string>(setting)?.trim();
    return path ? [[option, path]] : [];
  });
}

/** `names`: the options that the command has. */
export function programOptions(names: readonly ('browser' | 'ffmpeg')[] = ['browser', 'ffmpeg']): string[] {
  return programPaths().flatMap(([option, path]) =>
    names.some((name) => name === option) ? `--${option}=${path}` : [],
  );
}
