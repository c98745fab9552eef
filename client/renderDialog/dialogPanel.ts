// The render dialog of one composition: the variables form with options of the video, estimates, and the commands that follow.
import { commands, env, l10n, Uri, type Webview, window } from 'vscode';
import { rowNumber } from '../../renderer-core/plan/numberRanges.ts';
import type { CompositionInfo } from '../../server/protocol.ts';
import { compositionName } from '../compositions/compositionName.ts';
import type { ExtensionServices } from '../extensionServices.ts';
import type { ChosenSets } from '../form/chosenSets.ts';
import { createFormPage, type FormPage } from '../form/formPage.ts';
import { renderShellCommand, shellOf } from '../form/renderShellCommand.ts';
import { defaultTemplate } from '../render/batch/batchText.ts';
import { promptToSave } from '../render/promptToSave.ts';
import { folderOf } from '../render/renderJobs.ts';
import { shownValues } from '../render/shownValues.ts';
import { knownStack, promptForStack } from '../render/stackChoice.ts';
import { checkChoice } from './checkChoice.ts';
import type { CheckResult, DialogState, FromDialog, ToDialog } from './dialogMessages.ts';
import { dialogStrings } from './dialogStrings.ts';
import { commandOf, extensionOf, otherOptions, type RenderChoice, videoOf, withExtension } from './renderChoice.ts';
import { rowList } from './rowList.ts';
import { type Batch, batchOf, createRowPanel, type RowPanel, receiveRows, setTemplate, showRows } from './rowPanel.ts';
import { choicesOf, storeChoice } from './storedChoices.ts';

/** Delay after the last change before the command line checks it, in milliseconds. */
const checkDelayMs = 300;

export type RenderDialog = FormPage & {
  /** Shows the rows of a data file. */
  showRows(file: string): void;
};

type Dialog = {
  services: ExtensionServices;
  sets: ChosenSets;
  rows: RowPanel;
  form: FormPage;
  post(message: ToDialog): void;
  shown?: CompositionInfo | undefined;
  choice: RenderChoice;
  /** The path that the user has typed; empty for the suggestion. */
  typed: string;
  suggestion: string;
  isReady: boolean;
  timer?: ReturnType<typeof setTimeout>;
  checking: AbortController;
};

/** Disposing the dialog does not close the webview. */
export function createRenderDialog(
  webview: Webview,
  { services, sets, title }: { services: ExtensionServices; sets: ChosenSets; title: string },
): RenderDialog {
  const { values, history, log } = services;
  const post = (message: ToDialog) => void webview.postMessage(message);
  const renderShown = (composition: CompositionInfo) => render(dialog, composition);
  const dialog: Dialog = {
    services,
    sets,
    rows: createRowPanel(services, { post, onChange: () => refresh(dialog) }),
    form: createFormPage(webview, { services, sets, location: 'panel', title, render: renderShown }),
    post,
    choice: { target: 'local', video: {} },
    typed: '',
    suggestion: '',
    isReady: false,
    checking: new AbortController(),
  };
  const subscriptions = [
    dialog.form,
    dialog.rows,
    webview.onDidReceiveMessage((message: FromDialog) => {
      if (dialog.shown) receive(dialog, message, dialog.shown).catch((error) => log.error(String(error)));
    }),
    values.onDidChange((uri) => {
      if (uri.toString() === (dialog.shown && Uri.parse(dialog.shown.uri).toString())) refresh(dialog);
    }),
    sets.onDidChange(() => refresh(dialog)),
    // A finished render is a new measurement, and its file takes the suggested name.
    history.onDidChange((entry) => {
      if (entry?.state === 'completed' && entry.composition === dialog.shown?.uri) refresh(dialog);
    }),
  ];
  return {
    show: (composition) => show(dialog, composition),
    showRows(file) {
      dialog.choice = { ...dialog.choice, batch: file };
      dialog.typed = '';
      if (dialog.shown && dialog.isReady) void showRows(dialog.rows, dialog.shown, file);
    },
    dispose() {
      clearTimeout(dialog.timer);
      dialog.checking.abort();
      for (const subscription of subscriptions) subscription.dispose();
    },
  };
}

function refresh(dialog: Dialog): void {
  if (dialog.shown && dialog.isReady) void send(dialog, dialog.shown);
}

function show(dialog: Dialog, composition: CompositionInfo | undefined): void {
  const { services, rows, form } = dialog;
  if (composition && composition.uri !== dialog.shown?.uri) {
    const first = { target: 'local' as const, video: services.videoSize.current() };
    dialog.choice = choicesOf(services.context.workspaceState).get(composition.uri) ?? first;
  }
  dialog.shown = composition;
  form.show(composition);
  if (composition && dialog.isReady) void showRows(rows, composition, rows.file);
  refresh(dialog);
}

async function receive(dialog: Dialog, message: FromDialog, composition: CompositionInfo): Promise<void> {
  switch (message.type) {
    case 'dialogReady':
      dialog.isReady = true;
      dialog.post({ type: 'dialogStart', strings: dialogStrings() });
      void showRows(dialog.rows, composition, dialog.choice.batch ?? '');
      return send(dialog, composition);
    case 'dialogChoice':
      dialog.choice = message.choice;
      dialog.typed = message.output;
      remember(dialog, composition);
      return send(dialog, composition);
    case 'rowsFile':
      dialog.typed = '';
      receiveRows(dialog.rows, message);
      return remember(dialog, composition);
    case 'dialogRender':
      return render(dialog, composition);
    case 'dialogCopy':
      return copy(dialog, composition);
    case 'dialogChooseStack':
      if (await promptForStack(dialog.services.context.workspaceState)) await send(dialog, composition);
      return;
    default:
      receiveRows(dialog.rows, message);
  }
}

function remember(dialog: Dialog, { uri }: CompositionInfo): void {
  const { batch: _, ...own } = dialog.choice;
  const { file } = dialog.rows;
  dialog.choice = file === '' ? own : { ...own, batch: file };
  storeChoice(dialog.services.context.workspaceState, uri, dialog.choice);
}

async function send(dialog: Dialog, composition: CompositionInfo): Promise<void> {
  const { services, sets, rows } = dialog;
  const set = await sets.nameOf(composition);
  const extension = extensionOf(dialog.choice.video);
  const batch = batchOf(rows);
  dialog.suggestion = batch
    ? withExtension(defaultTemplate(batch.info.path, batch.info.hasNames), extension)
    : await services.renders.suggestOutput(composition, shownValues(composition, services.values), { set, extension });
  if (!dialog.isReady || composition !== dialog.shown) return;
  if (batch) setTemplate(rows, outputOf(dialog));
  rows.images.setSize(dialog.choice.video);
  dialog.post({ type: 'dialogState', state: stateOf(dialog, composition, batch !== undefined) });
  checkSoon(dialog, composition);
}

function stateOf(dialog: Dialog, composition: CompositionInfo, isBatch: boolean): DialogState {
  const { width, height, fps, duration } = composition;
  const stack = knownStack(dialog.services.context.workspaceState);
  return {
    name: compositionName(composition),
    choice: dialog.choice,
    output: dialog.typed,
    suggestion: dialog.suggestion,
    isBatch,
    own: {
      size: width === null || height === null ? '' : `${width} × ${height}`,
      fps: String(fps ?? 30),
      duration: duration === null ? '' : String(duration),
    },
    stack: stack ? [stack.region, stack.name || 'framework-render'].filter((part) => part !== '').join(' · ') : '',
  };
}

const outputOf = ({ typed, suggestion }: Dialog): string => typed || suggestion;

/** The choice for the rows, which are rendered on this computer. */
const chosenOf = ({ rows, choice }: Dialog): RenderChoice =>
  batchOf(rows) ? { target: 'local', video: choice.video } : choice;

function checkSoon(dialog: Dialog, composition: CompositionInfo): void {
  dialog.checking.abort();
  clearTimeout(dialog.timer);
  dialog.post({ type: 'dialogCheck', result: { state: 'checking' } });
  dialog.timer = setTimeout(() => void check(dialog, composition), checkDelayMs);
}

async function check(dialog: Dialog, composition: CompositionInfo): Promise<CheckResult | undefined> {
  const { services, rows, post } = dialog;
  dialog.checking.abort();
  dialog.checking = new AbortController();
  const { signal } = dialog.checking;
  const batch = batchOf(rows);
  const own = batch ? { values: {}, rows: batch.chosen.length } : { values: shownValues(composition, services.values) };
  const video = { choice: chosenOf(dialog), folder: folderOf(composition), composition, output: outputOf(dialog) };
  const result = (batch && rowError(batch)) ?? (await checkChoice({ ...video, ...own }, services, signal));
  if (result) post({ type: 'dialogCheck', result });
  return result;
}

async function render(dialog: Dialog, composition: CompositionInfo): Promise<void> {
  clearTimeout(dialog.timer);
  if (dialog.rows.file !== '') return renderRows(dialog, composition);
  const { renders, values } = dialog.services;
  const drafts = shownValues(composition, values);
  const set = await dialog.sets.nameOf(composition);
  if (!(await promptToSave(composition))) return;
  const { target } = dialog.choice;
  const video = videoOf(dialog.choice);
  const result = await check(dialog, composition);
  if (result?.state === 'invalid') return;
  const { typed } = dialog;
  const options = { video, set, ...(typed === '' ? { extension: extensionOf(video) } : { output: typed }) };
  const run = { local: renders.run, cloud: renders.runInCloud, aws: renders.runServerless }[target];
  await run(composition, drafts, options);
}

async function renderRows(dialog: Dialog, composition: CompositionInfo): Promise<void> {
  const { services, rows } = dialog;
  await rows.edits;
  if (!(await promptToSave(composition))) return;
  const batch = batchOf(rows);
  const result = batch && (await check(dialog, composition));
  if (!batch || result?.state === 'invalid') return;
  await services.renders.runBatch({
    uri: batch.uri,
    info: batch.info,
    template: outputOf(dialog),
    video: dialog.choice.video,
    ...rowsOption(batch),
    // The check marks are the decision.
    invalidRows: 'defaults',
    outputs: batch.chosen.flatMap(({ output }) => output ?? []),
  });
}

async function copy(dialog: Dialog, composition: CompositionInfo): Promise<void> {
  const { context, values } = dialog.services;
  const shell = shellOf(env.shell);
  const batch = batchOf(dialog.rows);
  const choice = chosenOf(dialog);
  const stack = knownStack(context.workspaceState);
  const video = {
    folder: folderOf(composition),
    composition: composition.path,
    values: batch ? {} : shownValues(composition, values),
    size: videoOf(choice),
    command: commandOf[choice.target].join(' '),
    options: [...batchOptions(batch), ...otherOptions(choice, outputOf(dialog), stack)],
  };
  await env.clipboard.writeText(renderShellCommand(video, shell));
  const terminal = l10n.t('Open Terminal');
  const copied =
    shell === 'posix'
      ? l10n.t('Copied the command to the clipboard.')
      : l10n.t('Copied the command for PowerShell to the clipboard.');
  if ((await window.showInformationMessage(copied, terminal)) === terminal)
    await commands.executeCommand('workbench.action.terminal.focus');
}

/** Without the option, all rows are rendered. */
function rowsOption({ all, chosen }: Batch): { rows?: string } {
  return all.length === chosen.length ? {} : { rows: rowList(chosen.map(({ index }) => index)) };
}

/** The options of a copied command. */
function batchOptions(batch: Batch | undefined): string[] {
  if (!batch) return [];
  const { rows } = rowsOption(batch);
  return [`--batch=${batch.uri.fsPath}`, ...(rows === undefined ? [] : [`--rows=${rows}`])];
}

function rowError({ all, chosen }: Batch): CheckResult | undefined {
  const invalid = (message: string, hint = '') => ({ state: 'invalid' as const, message, hint });
  if (all.length === 0) return invalid(l10n.t('The file has no rows.'));
  if (chosen.length === 0) return invalid(l10n.t('No row is chosen.'));
  const wrong = chosen.filter(({ problems }) => problems.some(({ isError }) => isError));
  const [first] = wrong;
  if (!first) return undefined;
  const message = first.problems.find(({ isError }) => isError)?.message ?? '';
  return invalid(
    l10n.t('Row {0}: {1}', rowNumber(first.index), message),
    wrong.length === 1
      ? l10n.t('Correct the row, or remove its check mark.')
      : l10n.t('{0} rows have errors. Correct them, or remove their check marks.', wrong.length),
  );
}
