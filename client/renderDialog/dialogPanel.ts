// The render dialog of one composition: the variables form with options of the video, estimates, and the commands that follow.
import { commands, type Disposable, env, l10n, type Memento, Uri, type Webview, window } from 'vscode';
import { rowNumber } from '../../renderer-core/plan/numberRanges.ts';
import type { CompositionInfo } from '../../server/protocol.ts';
import { compositionName } from '../compositionName.ts';
import type { ExtensionServices } from '../extensionServices.ts';
import type { ChosenSets } from '../form/chosenSets.ts';
import { createFormPage, type FormPage } from '../form/formPage.ts';
import { renderShellCommand, shellOf } from '../form/renderShellCommand.ts';
import { defaultTemplate } from '../render/batchText.ts';
import { promptToSave } from '../render/promptToSave.ts';
import { folderOf } from '../render/renderJobs.ts';
import { shownValues } from '../render/shownValues.ts';
import { knownStack, promptForStack } from '../render/stackChoice.ts';
import { checkChoice } from './checkChoice.ts';
import type { CheckResult, DialogState, FromDialog, ToDialog } from './dialogMessages.ts';
import { dialogStrings } from './dialogStrings.ts';
import { commandOf, extensionOf, otherOptions, type RenderChoice, videoOf, withExtension } from './renderChoice.ts';
import { rowList } from './rowList.ts';
import { type ChosenRows, createRowPanel, type RowPanel } from './rowPanel.ts';

/** Delay after the last change before the command line checks it, in milliseconds. */
const checkDelayMs = 300;

export type RenderDialog = FormPage & {
  /** Shows the rows of a data file. */
  showRows(file: string): void;
};

type Dialog = {
  services: ExtensionServices;
  sets: ChosenSets;
  store: ChoiceStore;
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
  const post = (message: ToDialog) => void webview.postMessage(message);
  const renderShown = (composition: CompositionInfo) => render(dialog, composition);
  const dialog: Dialog = {
    services,
    sets,
    store: createChoiceStore(services.context.workspaceState),
    rows: createRowPanel(services, { post, onChange: () => refresh(dialog) }),
    form: createFormPage(webview, { services, sets, location: 'panel', title, render: renderShown }),
    post,
    choice: { target: 'local', video: {} },
    typed: '',
    suggestion: '',
    isReady: false,
    checking: new AbortController(),
  };
  const subscriptions = [dialog.form, dialog.rows, ...follow(dialog, webview)];
  return {
    show: (composition) => show(dialog, composition),
    showRows(file) {
      dialog.choice = { ...dialog.choice, batch: file };
      dialog.typed = '';
      if (dialog.shown && dialog.isReady) void dialog.rows.show(dialog.shown, file);
    },
    dispose() {
      clearTimeout(dialog.timer);
      dialog.checking.abort();
      for (const subscription of subscriptions) subscription.dispose();
    },
  };
}

function follow(dialog: Dialog, webview: Webview): Disposable[] {
  const { values, history, log } = dialog.services;
  return [
    webview.onDidReceiveMessage((message: FromDialog) => {
      if (dialog.shown) receive(dialog, message, dialog.shown).catch((error) => log.error(String(error)));
    }),
    values.onDidChange(
      (uri) => uri.toString() === (dialog.shown && Uri.parse(dialog.shown.uri).toString()) && refresh(dialog),
    ),
    dialog.sets.onDidChange(() => refresh(dialog)),
    // A finished render is a new measurement, and its file takes the suggested name.
    history.onDidChange(
      (entry) => entry?.state === 'completed' && entry.composition === dialog.shown?.uri && refresh(dialog),
    ),
  ];
}

const refresh = (dialog: Dialog) => dialog.shown && dialog.isReady && void send(dialog, dialog.shown);

function show(dialog: Dialog, composition: CompositionInfo | undefined): void {
  const { services, store, rows, form } = dialog;
  if (composition && composition.uri !== dialog.shown?.uri)
    dialog.choice = store.get(composition.uri) ?? { target: 'local', video: services.videoSize.current() };
  dialog.shown = composition;
  form.show(composition);
  if (composition && dialog.isReady) void rows.show(composition, rows.file());
  refresh(dialog);
}

async function receive(dialog: Dialog, message: FromDialog, composition: CompositionInfo): Promise<void> {
  switch (message.type) {
    case 'dialogReady':
      dialog.isReady = true;
      dialog.post({ type: 'dialogStart', strings: dialogStrings() });
      void dialog.rows.show(composition, dialog.choice.batch ?? '');
      return send(dialog, composition);
    case 'dialogChoice':
      dialog.choice = message.choice;
      dialog.typed = message.output;
      remember(dialog, composition);
      return send(dialog, composition);
    case 'rowsFile':
      dialog.typed = '';
      dialog.rows.receive(message);
      return remember(dialog, composition);
    case 'dialogRender':
      return render(dialog, composition);
    case 'dialogCopy':
      return copy(dialog, composition);
    case 'dialogChooseStack':
      if (await promptForStack(dialog.services.context.workspaceState)) await send(dialog, composition);
      return;
    default:
      dialog.rows.receive(message);
  }
}

function remember(dialog: Dialog, composition: CompositionInfo): void {
  const { batch: _, ...own } = dialog.choice;
  const file = dialog.rows.file();
  dialog.choice = file === '' ? own : { ...own, batch: file };
  dialog.store.set(composition.uri, dialog.choice);
}

async function send(dialog: Dialog, composition: CompositionInfo): Promise<void> {
  const { services, sets, rows } = dialog;
  const set = await sets.nameOf(composition);
  const extension = extensionOf(dialog.choice.video);
  const batch = rows.current();
  dialog.suggestion = batch
    ? withExtension(defaultTemplate(batch.info.path, batch.info.hasNames), extension)
    : await services.renders.suggestOutput(composition, draftsOf(dialog, composition), { set, extension });
  if (!dialog.isReady || composition !== dialog.shown) return;
  if (batch) rows.setTemplate(outputOf(dialog));
  rows.setSize(dialog.choice.video);
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

const draftsOf = ({ services }: Dialog, composition: CompositionInfo) => shownValues(composition, services.values);

const outputOf = ({ typed, suggestion }: Dialog): string => typed || suggestion;

/** The choice for the rows, which are rendered on this computer. */
const chosenOf = ({ rows, choice }: Dialog): RenderChoice =>
  rows.current() ? { target: 'local', video: choice.video } : choice;

function checkSoon(dialog: Dialog, composition: CompositionInfo): void {
  dialog.checking.abort();
  clearTimeout(dialog.timer);
  dialog.post({ type: 'dialogCheck', result: { state: 'checking' } });
  dialog.timer = setTimeout(() => void check(dialog, composition), checkDelayMs);
}

async function check(dialog: Dialog, composition: CompositionInfo): Promise<CheckResult | undefined> {
  dialog.checking.abort();
  dialog.checking = new AbortController();
  const { signal } = dialog.checking;
  const output = outputOf(dialog);
  const batch = dialog.rows.current();
  const own = batch ? { values: {}, rows: batch.chosen.length } : { values: draftsOf(dialog, composition) };
  const checked = { choice: chosenOf(dialog), folder: folderOf(composition), composition, output, ...own };
  const result = (batch && rowError(batch)) ?? (await checkChoice(checked, dialog.services, signal));
  if (result) dialog.post({ type: 'dialogCheck', result });
  return result;
}

async function render(dialog: Dialog, composition: CompositionInfo): Promise<void> {
  clearTimeout(dialog.timer);
  if (dialog.rows.file() !== '') return renderRows(dialog, composition);
  const drafts = draftsOf(dialog, composition);
  const set = await dialog.sets.nameOf(composition);
  if (!(await promptToSave(composition))) return;
  const { target } = dialog.choice;
  const video = videoOf(dialog.choice);
  const result = await check(dialog, composition);
  if (result?.state === 'invalid') return;
  const { typed } = dialog;
  const options = { video, set, ...(typed === '' ? { extension: extensionOf(video) } : { output: typed }) };
  const { renders } = dialog.services;
  const run = { local: renders.run, cloud: renders.runInCloud, aws: renders.runServerless }[target];
  await run(composition, drafts, options);
}

async function renderRows(dialog: Dialog, composition: CompositionInfo): Promise<void> {
  const { services, rows } = dialog;
  await rows.settled();
  if (!(await promptToSave(composition))) return;
  const batch = rows.current();
  const result = batch && (await check(dialog, composition));
  if (!batch || result?.state === 'invalid') return;
  const { uri, info } = batch;
  await services.renders.runBatch({
    uri,
    info,
    template: outputOf(dialog),
    video: dialog.choice.video,
    ...rowsOption(batch),
    // The check marks are the decision.
    invalidRows: 'defaults',
    outputs: batch.chosen.flatMap(({ output }) => output ?? []),
  });
}

async function copy(dialog: Dialog, composition: CompositionInfo): Promise<void> {
  const shell = shellOf(env.shell);
  await env.clipboard.writeText(renderShellCommand(commandFor(dialog, composition), shell));
  const terminal = l10n.t('Open Terminal');
  const copied =
    shell === 'posix'
      ? l10n.t('Copied the command to the clipboard.')
      : l10n.t('Copied the command for PowerShell to the clipboard.');
  if ((await window.showInformationMessage(copied, terminal)) === terminal)
    await commands.executeCommand('workbench.action.terminal.focus');
}

function commandFor(dialog: Dialog, composition: CompositionInfo): Parameters<typeof renderShellCommand>[0] {
  const choice = chosenOf(dialog);
  const batch = dialog.rows.current();
  const stack = knownStack(dialog.services.context.workspaceState);
  return {
    folder: folderOf(composition),
    composition: composition.path,
    values: batch ? {} : draftsOf(dialog, composition),
    size: videoOf(choice),
    command: commandOf[choice.target].join(' '),
    options: [...batchOptions(batch), ...otherOptions(choice, outputOf(dialog), stack)],
  };
}

/** Without the option, all rows are rendered. */
function rowsOption({ all, chosen }: ChosenRows): { rows?: string } {
  return all.length === chosen.length ? {} : { rows: rowList(chosen.map(({ index }) => index)) };
}

/** The options of a copied command. */
function batchOptions(batch: ChosenRows | undefined): string[] {
  if (!batch) return [];
  const { rows } = rowsOption(batch);
  return [`--batch=${batch.uri.fsPath}`, ...(rows === undefined ? [] : [`--rows=${rows}`])];
}

function rowError({ all, chosen }: ChosenRows): CheckResult | undefined {
  const wrong = chosen.filter(({ problems }) => problems.some(({ isError }) => isError));
  if (chosen.length === 0)
    return {
      state: 'invalid',
      message: all.length === 0 ? l10n.t('The file has no rows.') : l10n.t('No row is chosen.'),
      hint: '',
    };
  if (wrong.length === 0) return undefined;
  const first = wrong[0]?.problems.find(({ isError }) => isError)?.message ?? '';
  return {
    state: 'invalid',
    message: l10n.t('Row {0}: {1}', rowNumber(wrong[0]?.index ?? 0), first),
    hint:
      wrong.length === 1
        ? l10n.t('Correct the row, or remove its check mark.')
        : l10n.t('{0} rows have errors. Correct them, or remove their check marks.', wrong.length),
  };
}

/** Remembers what was chosen, for each composition. */
type ChoiceStore = {
  /** Undefined until a choice was made for the composition with this URI. */
  get(composition: string): RenderChoice | undefined;
  set(composition: string, choice: RenderChoice): void;
};

const choicesKey = 'framework.renderChoices';
/** Only the compositions whose choices were changed last are kept. */
const maxCompositions = 50;

function createChoiceStore(memento: Pick<Memento, 'get' | 'update'>): ChoiceStore {
  const kept = new Map(Object.entries(memento.get<Record<string, RenderChoice>>(choicesKey, {})));
  return {
    get: (composition) => kept.get(composition),
    set(composition, choice) {
      kept.delete(composition);
      kept.set(composition, choice);
      void memento.update(choicesKey, Object.fromEntries([...kept].slice(-maxCompositions)));
    },
  };
}
