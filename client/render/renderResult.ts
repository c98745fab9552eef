// The messages at the end of a render: the video with its actions, or the error with its location.
import { commands, env, type LogOutputChannel, l10n, Position, Range, Uri, window } from 'vscode';
import type { CompositionInfo } from '../../server/protocol.ts';
import type { CliError, SourceLocation } from '../cli/cliEvents.ts';
import { editorError } from '../errorMessages.ts';
import { openOutput, revealOutput } from './openOutput.ts';
import { canOpen } from './outputKind.ts';
import { folderOf } from './renderJobs.ts';
import { errorLocation, firstSentence, warnedText } from './renderText.ts';

/** A button of a notification. */
export type MessageAction = { title: string; run: () => unknown };

/** `facts`: a short text for the parentheses, such as `10 s, 1.2 MB`. */
export type RenderedFile = { output: string; facts: string; warnings: number };

/** `actions` are added after the standard actions. */
export async function offerResult(
  { output, facts, warnings }: RenderedFile,
  composition: CompositionInfo,
  log: LogOutputChannel,
  actions: readonly MessageAction[] = [],
): Promise<void> {
  const name = shortPath(output, composition);
  log.info(`Rendered ${output}: ${facts}`);
  const buttons: MessageAction[] = [
    ...(canOpen(output) ? [{ title: l10n.t('Open'), run: () => openOutput(output) }] : []),
    { title: l10n.t('Reveal'), run: () => revealOutput(output) },
    { title: l10n.t('Copy Path'), run: () => env.clipboard.writeText(output) },
    ...actions,
    ...(warnings > 0 ? [showLogAction(log)] : []),
  ];
  const message = l10n.t('Rendered {0} ({1}){2}.', name, facts, warnedText(warnings));
  await showWithActions(buttons, (...titles) => window.showInformationMessage(message, ...titles));
}

/** Relative to the project folder when the file is in it. */
function shortPath(path: string, composition: CompositionInfo): string {
  const folder = folderOf(composition);
  const isInside = path.startsWith(folder) && /^[\\/]/.test(path.slice(folder.length));
  return isInside ? path.slice(folder.length + 1).replaceAll('\\', '/') : path;
}

/** `actions` are added after the location, before the setting and the log. */
export async function showFailure(
  failure: CliError,
  composition: CompositionInfo,
  log: LogOutputChannel,
  actions: readonly MessageAction[] = [],
): Promise<void> {
  const { message, hint, setting } = editorError(failure);
  const location = errorLocation(failure, folderOf(composition));
  log.error([message, ...(location ? [`at ${locationText(location)}`] : []), ...(hint ? [hint] : [])].join('\n'));
  const buttons: MessageAction[] = [
    ...(location
      ? [{ title: l10n.t('Go to {0}', locationText(location)), run: () => goToLocation(location, composition, log) }]
      : []),
    ...actions,
    ...(setting ? [{ title: l10n.t('Open Setting'), run: () => openSetting(setting) }] : []),
    showLogAction(log),
  ];
  const sentence = firstSentence(message);
  const text = hint ? `${sentence} ${hint}` : sentence;
  await showWithActions(buttons, (...titles) => window.showErrorMessage(text, ...titles));
}

/** Shows a message with buttons and runs the chosen one. */
export async function showWithActions(
  actions: readonly MessageAction[],
  show: (...titles: string[]) => Thenable<string | undefined>,
): Promise<void> {
  const chosen = await show(...actions.map(({ title }) => title));
  await actions.find(({ title }) => title === chosen)?.run();
}

const showLogAction = (log: LogOutputChannel): MessageAction => ({ title: l10n.t('Show Log'), run: () => log.show() });

/** Paths of programs are machine settings, which a remote window stores on the remote machine. */
export async function openSetting(query: string): Promise<void> {
  const which = env.remoteName === undefined ? 'openSettings' : 'openRemoteSettings';
  await commands.executeCommand(`workbench.action.${which}`, { query });
}

function locationText({ file, line }: SourceLocation): string {
  return line === undefined ? file : `${file}:${line}`;
}

async function goToLocation(
  { file, line = 1, column = 1 }: SourceLocation,
  { projectUri }: CompositionInfo,
  log: LogOutputChannel,
): Promise<void> {
  const position = new Position(Math.max(0, line - 1), Math.max(0, column - 1));
  try {
    const isAbsolute = /^(?:[\\/]|[a-z]:)/i.test(file);
    const uri = isAbsolute ? Uri.file(file) : Uri.joinPath(Uri.parse(projectUri), file);
    await window.showTextDocument(uri, { selection: new Range(position, position) });
  } catch (error) {
    log.error(`Could not open ${file}: ${error}`);
  }
}
