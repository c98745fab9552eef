// The browser and ffmpeg of the settings, as CLI options.
import { workspace } from 'vscode';

/** `names`: the options that the command has. */
export function programOptions(names: readonly ('browser' | 'ffmpeg')[] = ['browser', 'ffmpeg']): string[] {
  const settings = workspace.getConfiguration('framework');
  return names.flatMap((name) => {
    const path = settings.get<string>(`${name}Path`) ?? '';
    return path === '' ? [] : [`--${name}=${path}`];
  });
}
