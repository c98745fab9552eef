// The browser and ffmpeg of the settings, as CLI options.
import { workspace } from 'vscode';

export function programOptions(): string[] {
  const settings = workspace.getConfiguration('framework');
  return (['browser', 'ffmpeg'] as const).flatMap((name) => {
    const path = settings.get<string>(`${name}Path`) ?? '';
    return path === '' ? [] : [`--${name}=${path}`];
  });
}
