// The end of a render: where the video is and what to do with it, or what went wrong and where.
import { commands, env, type LogOutputChannel, l10n, Position, Range, Uri, window } from 'vscode';
import type { CompositionInfo } from '../../server/protocol.ts';
import type { CliError, SourcePlace } from '../cli/cliEvents.ts';
import { editorError } from '../editorWords.ts';
import { openOutput, revealOutput } from './openOutput.ts';
import { canOpen } from './outputKind.ts';
import { errorPlace, firstSentence, warnedText } from './renderText.ts';
import { folderOf } from './underWay.ts';

/** A button of a notification and what it does. */
export type Way = { title: string; go: () => unknown };

/** What was made: `facts` are a few words for the parentheses. */
export type Made = { output: string; facts: string; warnings: number };

/** `ways` stand behind those that every result has. */
export async function offerResult(
  { output, facts, warnings }: Made,
  composition: CompositionInfo,
  log: LogOutputChannel,
  ways: readonly Way[] = [],
): Promise<void> {
  const name = shortPath(output, composition);
  log.info(`Rendered ${output}: ${facts}`);
  const buttons: Way[] = [
    ...(canOpen(output) ? [{ title: l10n.t('Open'), go: () => openOutput(output) }] : []),
    { title: l10n.t('Reveal'), go: () => revealOutput(output) },
    { title: l10n.t('Copy Path'), go: () => env.clipboard.writeText(output) },
    ...ways,
    ...(warnings > 0 ? [showLogWay(log)] : []),
  ];
  const message = l10n.t('Rendered {0} ({1}){2}.', name, facts, warnedText(warnings));
  await choose(buttons, (...titles) => window.showInformationMessage(message, ...titles));
}

/** The path in its project folder, for what is in it. */
function shortPath(path: string, composition: CompositionInfo): string {
  const folder = folderOf(composition);
  const isBelow = path.startsWith(folder) && /^[\\/]/.test(path.slice(folder.length));
  return isBelow ? path.slice(folder.length + 1).replaceAll('\\', '/') : path;
}

/** `ways` stand behind the place, before settings and the log. */
export async function showFailure(
  failure: CliError,
  composition: CompositionInfo,
  log: LogOutputChannel,
  ways: readonly Way[] = [],
): Promise<void> {
  const { message, hint, setting } = editorError(failure);
  const place = errorPlace(failure, folderOf(composition));
  log.error([message, ...(place ? [`at ${placeText(place)}`] : []), ...(hint ? [hint] : [])].join('\n'));
  const buttons: Way[] = [
    ...(place ? [{ title: l10n.t('Go to {0}', placeText(place)), go: () => goToPlace(place, composition, log) }] : []),
    ...ways,
    ...(setting ? [{ title: l10n.t('Open Setting'), go: () => openSettingOf(setting) }] : []),
    showLogWay(log),
  ];
  const sentence = firstSentence(message);
  const text = hint ? `${sentence} ${hint}` : sentence;
  await choose(buttons, (...titles) => window.showErrorMessage(text, ...titles));
}

/** Shows a message with these buttons and does what the chosen one says. */
export async function choose(
  ways: readonly Way[],
  show: (...titles: string[]) => Thenable<string | undefined>,
): Promise<void> {
  const chosen = await show(...ways.map(({ title }) => title));
  await ways.find(({ title }) => title === chosen)?.go();
}

const showLogWay = (log: LogOutputChannel): Way => ({ title: l10n.t('Show Log'), go: () => log.show() });

/** A path of a program is a setting of the machine that has the files. */
async function openSettingOf(query: string): Promise<void> {
  const which = env.remoteName === undefined ? 'openSettings' : 'openRemoteSettings';
  await commands.executeCommand(`workbench.action.${which}`, { query });
}

function placeText({ file, line }: SourcePlace): string {
  return line === undefined ? file : `${file}:${line}`;
}

async function goToPlace(
  { file, line = 1, column = 1 }: SourcePlace,
  { projectUri }: CompositionInfo,
  log: LogOutputChannel,
): Promise<void> {
  const at = new Position(Math.max(0, line - 1), Math.max(0, column - 1));
  try {
    const isAbsolute = /^(?:[\\/]|[a-z]:)/i.test(file);
    const uri = isAbsolute ? Uri.file(file) : Uri.joinPath(Uri.parse(projectUri), file);
    await window.showTextDocument(uri, { selection: new Range(at, at) });
  } catch (error) {
    log.error(`${file} cannot be opened: ${error}`);
  }
}
