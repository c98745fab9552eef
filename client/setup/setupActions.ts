// The button for a render that failed because the browser or ffmpeg is missing: it downloads the program and renders again.
import { commands, l10n } from 'vscode';
import type { CliError } from '../cli/cliEvents.ts';
import type { MessageAction } from '../render/renderResult.ts';
import { bytesText } from './doctorPage.ts';
import { namedPrograms } from './runDoctor.ts';

const programOf: Record<string, string> = {
  browser_not_found: 'browser',
  browser_failed: 'browser',
  ffmpeg_not_found: 'ffmpeg',
  ffmpeg_failed: 'ffmpeg',
};

/** Empty for other errors, and when a setting names the program, because it takes precedence over a download. */
export function setupActions(error: CliError, again: () => unknown): MessageAction[] {
  const program = programOf[error.code];
  if (program === undefined || namedPrograms().includes(program)) return [];
  const { setup, bytes } = error.details ?? {};
  // An installed browser that fails may lack system libraries, which a downloaded one would lack too. The doctor names them.
  if (setup !== program || typeof bytes !== 'number')
    return [{ title: l10n.t('Run Doctor'), run: () => commands.executeCommand('framework.doctor') }];
  const title = l10n.t('Download ({0})', bytesText(bytes));
  return [
    {
      title,
      async run() {
        // Already confirmed: the button shows the size.
        const isDone = await commands.executeCommand('framework.setUp', { programs: [program], isConfirmed: true });
        if (isDone === true) await again();
      },
    },
  ];
}
