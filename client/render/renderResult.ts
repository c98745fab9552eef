// The messages at the end of a render: the video with its actions, or the error with its location.

import {
  commands,
  DiagnosticSeverity,
  env,
  type LogOutputChannel,
  l10n,
  languages,
  Position,
  Range,
  Uri,
  window,
} from 'vscode';
import type { SourceLocation } from '../../renderer-core/reports/errorJson.ts';
import type { CompositionInfo } from '../../server/protocol.ts';
import type { CliError } from '../cli/cliEvents.ts';
import { compositionName } from '../compositions/compositionName.ts';
import type { Values } from '../compositions/draftValues.ts';
import { editorError } from '../errorMessages.ts';
import { pathInProject } from '../preview/projectFiles.ts';
import { openOutput, revealOutput } from './output/openOutput.ts';
import { canOpen } from './output/outputKind.ts';
import { folderOf } from './renderJobs.ts';
import { errorLocation, firstSentence, shortLocation, warnedText } from './renderText.ts';
import { withValues } from './valuesText.ts';

/** A button of a notification. */
export type MessageAction = { title: string; run: () => unknown };

/** `facts`: a short text for the parentheses, such as `10 s, 1.2 MB`. */
export type RenderedFile = { output: string; facts: string; values: Values; warnings: number };

/** `actions` are added after the standard actions. */
export async function offerResult(
  { output, facts, values, warnings }: RenderedFile,
  composition: CompositionInfo,
  log: LogOutputChannel,
  actions: readonly MessageAction[] = [],
): Promise<void> {
  const name = withValues(shortPath(output, composition), values);
  log.info(`Rendered ${output}: ${facts}`);
  const buttons: MessageAction[] = [
    ...(canOpen(output) ? [{ title: l10n.t('Open'), run: () => openOutput(output) }] : []),
    { title: l10n.t('Reveal'), run: () => revealOutput(output) },
    // A notification has no room for more buttons; the Videos view copies the path too.
    ...(actions.length > 0 ? actions : [{ title: l10n.t('Copy Path'), run: () => env.clipboard.writeText(output) }]),
    ...(warnings > 0 ? [showLogAction(log)] : []),
  ];
  const message = l10n.t('Rendered {0} ({1}){2}.', name, facts, warnedText(warnings));
  await showWithActions(buttons, (...titles) => window.showInformationMessage(message, ...titles));
}

/** For a render with other values than the defaults: offers one with the defaults. */
export function defaultsAction(values: Values, run: () => unknown): MessageAction[] {
  return Object.keys(values).length === 0 ? [] : [{ title: l10n.t('Render with Defaults'), run }];
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
  const errors = allErrors(failure, composition);
  const buttons: MessageAction[] = [
    ...(location
      ? [
          { title: l10n.t('Go to {0}', locationText(location)), run: () => goToLocation(location, composition, log) },
          {
            title: l10n.t('Preview'),
            run: () => commands.executeCommand('framework.preview', Uri.parse(composition.uri)),
          },
        ]
      : []),
    ...(errors.length > 1
      ? [{ title: l10n.t('{0} Errors', errors.length), run: () => showErrors(errors, composition, log) }]
      : []),
    ...actions,
    ...(setting ? [{ title: l10n.t('Open Setting'), run: () => openSetting(setting) }] : []),
    // A notification has no room for more buttons.
    ...(errors.length > 1 ? [] : [showLogAction(log)]),
  ];
  const sentence = firstSentence(message);
  const text = hint ? `${sentence} ${hint}` : sentence;
  await showWithActions(buttons, (...titles) => window.showErrorMessage(text, ...titles));
}

type LocatedError = { message: string; place?: SourceLocation };

/** The problems of the render, and the errors of the linter in the project: a render stops at the first one. */
function allErrors(failure: CliError, { projectUri }: CompositionInfo): LocatedError[] {
  const folder = folderOf({ projectUri });
  const own = failure.problems?.length ? failure.problems : [{ message: failure.message, ...placeOf(failure) }];
  const found = languages.getDiagnostics().flatMap(([uri, diagnostics]) => {
    const file = pathInProject(projectUri, uri);
    if (file === undefined) return [];
    const errors = diagnostics.filter((one) => one.source === 'framework' && one.severity === DiagnosticSeverity.Error);
    return errors.map(({ message, range: { start } }) => ({
      message,
      place: { file, line: start.line + 1, column: start.character + 1 },
    }));
  });
  return withoutRepeats(
    [...own, ...found].map(({ message, place }) => ({
      message,
      ...(place ? { place: shortLocation(place, folder) } : {}),
    })),
  );
}

const placeOf = ({ place }: CliError): { place?: SourceLocation } => (place ? { place } : {});

/** The render and the linter report the same mistake in different words, but at the same location. */
function withoutRepeats(errors: readonly LocatedError[]): LocatedError[] {
  const key = ({ message, place }: LocatedError) => (place ? `${place.file}:${place.line}:${place.column}` : message);
  return [...new Map(errors.toReversed().map((error) => [key(error), error])).values()].toReversed();
}

async function showErrors(
  errors: readonly LocatedError[],
  composition: CompositionInfo,
  log: LogOutputChannel,
): Promise<void> {
  const items = errors.map(({ message, place }) => ({
    label: firstSentence(message),
    ...(place ? { description: locationText(place), place } : {}),
  }));
  const title = l10n.t('Errors of {0}', compositionName(composition));
  const chosen = await window.showQuickPick(items, { title, matchOnDescription: true });
  if (chosen?.place) await goToLocation(chosen.place, composition, log);
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
