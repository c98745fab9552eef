// What the command line says, in the words of the editor: settings in place of options.
import type { CliError } from './cli/cliEvents.ts';

/** Options that are settings here: the name behind `framework.`. */
export const inSettings: Record<string, string> = { browser: 'browserPath', ffmpeg: 'ffmpegPath' };

/** The setting that mends an error, if one does. */
export type EditorError = CliError & { setting?: string };

const programErrors: Record<string, { setting: string; missing: string }> = {
  browser_not_found: {
    setting: 'framework.browserPath',
    missing: 'Install Chrome, or set framework.browserPath to a Chrome or Chromium on this computer.',
  },
  browser_failed: { setting: 'framework.browserPath', missing: '' },
  ffmpeg_not_found: {
    setting: 'framework.ffmpegPath',
    missing: 'Install ffmpeg, or set framework.ffmpegPath to one on this computer.',
  },
  ffmpeg_failed: { setting: 'framework.ffmpegPath', missing: '' },
};

export function editorError(error: CliError): EditorError {
  const message = withSettings(error.message);
  const hint = error.hint === undefined ? undefined : withSettings(error.hint);
  const program = programErrors[error.code];
  if (!program) return { ...error, message, ...(hint === undefined ? {} : { hint }) };
  // A path that was set and is wrong has a better hint of its own than that something must be installed.
  const named = message !== error.message;
  const shown = named || program.missing === '' ? hint : program.missing;
  return { ...error, message, ...(shown === undefined ? {} : { hint: shown }), setting: program.setting };
}

function withSettings(text: string): string {
  return Object.entries(inSettings).reduce(
    (result, [option, setting]) =>
      result
        .replaceAll(new RegExp(` or FRAMEWORK_${option.toUpperCase()}\\b`, 'g'), '')
        .replaceAll(new RegExp(`--${option}\\b`, 'g'), `framework.${setting}`),
    text,
  );
}
