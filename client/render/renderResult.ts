// The end of a render: where the video is and what to do with it, or what went wrong and where.
import { commands, env, type LogOutputChannel, Position, Range, UIKind, Uri, window } from 'vscode';
import type { CompositionInfo } from '../../server/protocol.ts';
import type { CliError, CliReport, SourcePlace } from '../cli/cliEvents.ts';
import { editorError } from '../editorWords.ts';
import { errorPlace, firstSentence, reportText } from './renderText.ts';

/** A button of a notification and what it does. */
export type Way = { title: string; go: () => unknown };

const showLog = 'Show Log';

export async function offerResult(
  report: CliReport,
  warnings: number,
  { projectUri }: CompositionInfo,
  log: LogOutputChannel,
): Promise<void> {
  const output = Uri.file(report.output);
  const folder = `${Uri.parse(projectUri).fsPath}/`;
  const name = report.output.startsWith(folder) ? report.output.slice(folder.length) : report.output;
  log.info(`Rendered ${report.output}: ${reportText(report)}`);
  const [open, reveal, copy] = ['Open', 'Reveal', 'Copy Path'];
  const warned = warnings === 0 ? '' : warnings === 1 ? ', with a warning' : `, with ${warnings} warnings`;
  const buttons = [open, reveal, copy, ...(warnings > 0 ? [showLog] : [])];
  const chosen = await window.showInformationMessage(`Rendered ${name} (${reportText(report)})${warned}.`, ...buttons);
  if (chosen === open) await commands.executeCommand('vscode.open', output);
  if (chosen === reveal) await commands.executeCommand(revealCommand(), output);
  if (chosen === copy) await env.clipboard.writeText(report.output);
  if (chosen === showLog) log.show();
}

/** A window on another machine's files has no folder window of the system to show them in. */
export function revealCommand(): string {
  return env.remoteName === undefined && env.uiKind === UIKind.Desktop ? 'revealFileInOS' : 'revealInExplorer';
}

/** `ways` stand before *Show Log*. */
export async function showFailure(
  failure: CliError,
  composition: CompositionInfo,
  log: LogOutputChannel,
  ways: readonly Way[] = [],
): Promise<void> {
  const { message, hint, setting } = editorError(failure);
  const place = errorPlace(failure, Uri.parse(composition.projectUri).fsPath);
  log.error([message, ...(place ? [`at ${placeText(place)}`] : []), ...(hint ? [hint] : [])].join('\n'));
  const goTo = place && `Go to ${placeText(place)}`;
  const openSetting = setting && 'Open Setting';
  const buttons = [goTo, ...ways.map(({ title }) => title), openSetting, showLog].filter(
    (button) => button !== undefined,
  );
  const sentence = firstSentence(message);
  const chosen = await window.showErrorMessage(hint ? `${sentence} ${hint}` : sentence, ...buttons);
  if (chosen === undefined) return;
  if (place && chosen === goTo) await goToPlace(place, composition, log);
  if (setting && chosen === openSetting) await openSettingOf(setting);
  if (chosen === showLog) log.show();
  await ways.find(({ title }) => title === chosen)?.go();
}

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
