// What the status bar says of the renders that are under way.
import { l10n } from 'vscode';

/** One by its name, several by their number, both with the part that is done. */
export function statusText(running: readonly { name: string; percent: number }[]): string {
  const percent = Math.floor(running.reduce((sum, one) => sum + one.percent, 0) / running.length);
  const [first] = running;
  return running.length === 1 && first
    ? l10n.t('Rendering {0}: {1} %', first.name, percent)
    : l10n.t('{0} renders: {1} %', running.length, percent);
}
