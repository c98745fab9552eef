// What the command line says, in the words of the editor: settings in place of options.
import { l10n } from 'vscode';
import type { CliError } from './cli/cliEvents.ts';

/** Options that are settings here: the name behind `framework.`. */
export const inSettings: Record<string, string> = { browser: 'browserPath', ffmpeg: 'ffmpegPath' };

/** The setting that mends an error, if one does. */
export type EditorError = CliError & { setting?: string };

const programSettings: Record<string, string> = {
  browser_not_found: 'framework.browserPath',
  browser_failed: 'framework.browserPath',
  ffmpeg_not_found: 'framework.ffmpegPath',
  ffmpeg_failed: 'framework.ffmpegPath',
};

export function editorError(error: CliError): EditorError {
  const message = withSettings(error.message);
  const hint = error.hint === undefined ? undefined : withSettings(error.hint);
  const setting = programSettings[error.code];
  // A path that was set and is wrong has a better hint of its own than that something must be installed.
  const isNamed = setting !== undefined && message !== error.message;
  const shown = isNamed ? hint : (hintOf(error.code) ?? hint);
  const { hint: _, ...rest } = error;
  return {
    ...rest,
    message,
    ...(shown === undefined || shown === '' ? {} : { hint: shown }),
    ...(setting === undefined ? {} : { setting }),
  };
}

/** What to do, where the command line would name one of its commands. Empty where a button says it. */
function hintOf(code: string): string | undefined {
  switch (code) {
    case 'browser_not_found':
      return l10n.t('Install Chrome, or set framework.browserPath to a Chrome or Chromium on this computer.');
    case 'ffmpeg_not_found':
      return l10n.t('Install ffmpeg, or set framework.ffmpegPath to one on this computer.');
    case 'signed_out':
      return '';
    case 'authentication_failed':
      return l10n.t('Sign in again.');
    case 'insufficient_credits':
      return l10n.t('Buy credits or wait for the reset; a smaller video costs less.');
    case 'permission_denied':
      return l10n.t('This needs another account, or more rights.');
    case 'framework_project_too_large':
      return l10n.t('Leave out what the video does not need with a .frameworkignore file.');
    case 'framework_project_invalid':
      return l10n.t('Correct the values or the project: the Problems view shows what is wrong with it.');
    case 'render_failed':
      return '';
    case 'aws_credentials_missing':
      return l10n.t(
        'Choose another profile of your AWS configuration, or set up its credentials. Temporary ones may have ended.',
      );
    case 'stack_not_found':
      return l10n.t('Choose another stack, or make it from a terminal with framework serverless deploy.');
    default:
      return undefined;
  }
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
