// The button that mends a failure for want of a browser or ffmpeg: it downloads one, and then what failed begins again.
import { commands, l10n } from 'vscode';
import type { CliError } from '../cli/cliEvents.ts';
import type { Way } from '../render/renderResult.ts';
import { namedPrograms } from './askDoctor.ts';
import { bytesText } from './doctorPage.ts';

const programOf: Record<string, string> = {
  browser_not_found: 'browser',
  browser_failed: 'browser',
  ffmpeg_not_found: 'ffmpeg',
  ffmpeg_failed: 'ffmpeg',
};

/** Nothing for other failures, and where a setting names the program: that goes before anything that is downloaded. */
export function setUpWays(error: CliError, again: () => unknown): Way[] {
  const program = programOf[error.code];
  if (program === undefined || namedPrograms().includes(program)) return [];
  const { setup, bytes } = error.details ?? {};
  // A browser that is there and fails is mended by the doctor: it may lack libraries that another one would lack too.
  if (setup !== program || typeof bytes !== 'number')
    return [{ title: l10n.t('Run Doctor'), go: () => commands.executeCommand('framework.doctor') }];
  const title = l10n.t('Download ({0})', bytesText(bytes));
  return [
    {
      title,
      async go() {
        // Its size was on the button. Where the other one is missing too, the next failure says so.
        const isDone = await commands.executeCommand('framework.setUp', { programs: [program], isConfirmed: true });
        if (isDone === true) await again();
      },
    },
  ];
}
