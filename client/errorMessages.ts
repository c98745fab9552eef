// Rewrites errors of the command line for VS Code: they name fields and settings instead of options.
import { l10n } from 'vscode';
import { editorHint, editorMessage } from '../renderer-core/reports/editorText.ts';
import type { ErrorJson as CliError } from '../renderer-core/reports/errorJson.ts';

/** Command-line options that have a setting: option name -> setting name without the prefix `framework.`. */
export const settingOfOption: Record<string, string> = { browser: 'browserPath', ffmpeg: 'ffmpegPath' };

/** `setting` is the setting that can fix the error. */
export type EditorError = CliError & { setting?: string };

const programSettings: Record<string, string> = {
  browser_not_found: 'framework.browserPath',
  browser_failed: 'framework.browserPath',
  ffmpeg_not_found: 'framework.ffmpegPath',
  ffmpeg_failed: 'framework.ffmpegPath',
};

export function editorError(error: CliError): EditorError {
  const message = editorMessage(error.message);
  const hint = error.hint === undefined ? undefined : editorHint(error.hint);
  const setting = programSettings[error.code];
  // When the configured path is wrong, the original hint is better than the advice to install something.
  const isNamed = setting !== undefined && message.includes(setting);
  const shown = isNamed ? hint : (hintOf(error.code) ?? hint);
  const { hint: _, ...rest } = error;
  return {
    ...rest,
    message,
    ...(shown === undefined || shown === '' ? {} : { hint: shown }),
    ...(setting === undefined ? {} : { setting }),
  };
}

/** A hint that replaces one that names a terminal command. Empty when a button already offers the action. */
function hintOf(code: string): string | undefined {
  switch (code) {
    case 'browser_not_found':
      return l10n.t('Install Chrome, or set framework.browserPath to the path of Chrome or Chromium.');
    case 'ffmpeg_not_found':
      return l10n.t('Install ffmpeg, or set framework.ffmpegPath to its path.');
    case 'signed_out':
      return '';
    case 'authentication_failed':
      return l10n.t('Sign in again.');
    case 'insufficient_credits':
      return l10n.t('Buy credits, wait until they reset, or render a smaller video.');
    case 'permission_denied':
      return l10n.t('Use an account that has permission for this.');
    case 'framework_project_too_large':
      return l10n.t('Exclude files that the video does not need with a .frameworkignore file.');
    case 'framework_project_invalid':
      return l10n.t('Fix the values or the project. The Problems view lists the errors.');
    case 'render_failed':
      return '';
    case 'aws_credentials_missing':
      return l10n.t(
        'Choose another AWS profile, or configure its credentials. Temporary credentials may have expired.',
      );
    case 'stack_not_found':
      return l10n.t('Choose another stack, or create it in a terminal with framework serverless deploy.');
    default:
      return undefined;
  }
}
