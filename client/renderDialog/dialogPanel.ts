// The render dialog of one composition: the variables form with options of the video, estimates, and the commands that follow.
import { commands, env, l10n, type Memento, Uri, type Webview, window } from 'vscode';
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
import { type ChosenRows, createRowPanel } from './rowPanel.ts';

/** Delay after the last change before the command line checks it, in milliseconds. */
const checkDelayMs = 300;

export type RenderDialog = FormPage & {
  /** Shows the rows of a data file. */
  showRows(file: string): void;
};

/** Disposing the dialog does not close the webview. */
export function createRenderDialog(
  webview: Webview,
  { services, sets, title }: { services: ExtensionServices; sets: ChosenSets; title: string },
): RenderDialog {
  const { context, values, history, videoSize, log } = services;
  const store = createChoiceStore(context.workspaceState);
  let shown: CompositionInfo | undefined;
  let choice: RenderChoice = { target: 'local', video: {} };
  /** The path that the user has typed; empty for the suggestion. */
  let typed = '';
  let suggestion = '';
  let isReady = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let checking = new AbortController();
  const post = (message: ToDialog) => void webview.postMessage(message);
  const draftsOf = (composition: CompositionInfo) => shownValues(composition, values);
  const rows = createRowPanel(services, { post, onChange: () => refresh() });
  /** The choice for the rows, which are rendered on this computer. */
  const chosen = (): RenderChoice => (rows.current() ? { target: 'local', video: choice.video } : choice);

  async function send(composition: CompositionInfo): Promise<void> {
    const named = { set: await sets.nameOf(composition), extension: extensionOf(choice.video) };
    const batch = rows.current();
    suggestion = batch
      ? withExtension(defaultTemplate(batch.info.path, batch.info.hasNames), extensionOf(choice.video))
      : await services.renders.suggestOutput(composition, draftsOf(composition), named);
    if (!isReady || composition !== shown) return;
    if (batch) rows.setTemplate(typed || suggestion);
    rows.setSize(choice.video);
    const stack = knownStack(context.workspaceState);
    const isBatch = batch !== undefined;
    post({ type: 'dialogState', state: stateOf(composition, { choice, output: typed, suggestion, stack, isBatch }) });
    checkSoon(composition);
  }
  function checkSoon(composition: CompositionInfo): void {
    checking.abort();
    clearTimeout(timer);
    post({ type: 'dialogCheck', result: { state: 'checking' } });
    timer = setTimeout(() => void check(composition), checkDelayMs);
  }
  async function check(composition: CompositionInfo): Promise<CheckResult | undefined> {
    checking.abort();
    checking = new AbortController();
    const { signal } = checking;
    const output = typed || suggestion;
    const batch = rows.current();
    const own = batch ? { values: {}, rows: batch.chosen.length } : { values: draftsOf(composition) };
    const checked = { choice: chosen(), folder: folderOf(composition), composition, output, ...own };
    const result = (batch && rowError(batch)) ?? (await checkChoice(checked, services, signal));
    if (result) post({ type: 'dialogCheck', result });
    return result;
  }
  async function render(composition: CompositionInfo): Promise<void> {
    clearTimeout(timer);
    if (rows.file() !== '') return renderRows(composition);
    const drafts = draftsOf(composition);
    const set = await sets.nameOf(composition);
    if (!(await promptToSave(composition))) return;
    const { target } = choice;
    const video = videoOf(choice);
    const result = await check(composition);
    if (result?.state === 'invalid') return;
    const options = { video, set, ...(typed === '' ? { extension: extensionOf(video) } : { output: typed }) };
    const { renders } = services;
    const run = { local: renders.run, cloud: renders.runInCloud, aws: renders.runServerless }[target];
    await run(composition, drafts, options);
  }
  async function renderRows(composition: CompositionInfo): Promise<void> {
    await rows.settled();
    if (!(await promptToSave(composition))) return;
    const batch = rows.current();
    const result = batch && (await check(composition));
    if (!batch || result?.state === 'invalid') return;
    const { uri, info } = batch;
    await services.renders.runBatch({
      uri,
      info,
      template: typed || suggestion,
      video: choice.video,
      ...rowsOption(batch),
      // The check marks are the decision.
      invalidRows: 'defaults',
      outputs: batch.chosen.flatMap(({ output }) => output ?? []),
    });
  }
  async function copy(composition: CompositionInfo): Promise<void> {
    const shell = shellOf(env.shell);
    const batch = rows.current();
    const stack = knownStack(context.workspaceState);
    const command = renderShellCommand(
      {
        folder: folderOf(composition),
        composition: composition.path,
        values: batch ? {} : draftsOf(composition),
        size: videoOf(chosen()),
        command: commandOf[chosen().target].join(' '),
        options: [...batchOptions(batch), ...otherOptions(chosen(), typed || suggestion, stack)],
      },
      shell,
    );
    await env.clipboard.writeText(command);
    const terminal = l10n.t('Open Terminal');
    const copied =
      shell === 'posix'
        ? l10n.t('Copied the command to the clipboard.')
        : l10n.t('Copied the command for PowerShell to the clipboard.');
    if ((await window.showInformationMessage(copied, terminal)) === terminal)
      await commands.executeCommand('workbench.action.terminal.focus');
  }
  async function receive(message: FromDialog, composition: CompositionInfo): Promise<void> {
    switch (message.type) {
      case 'dialogReady':
        isReady = true;
        post({ type: 'dialogStart', strings: dialogStrings() });
        void rows.show(composition, choice.batch ?? '');
        return send(composition);
      case 'dialogChoice':
        choice = message.choice;
        typed = message.output;
        remember(composition);
        return send(composition);
      case 'rowsFile':
        typed = '';
        rows.receive(message);
        return remember(composition);
      case 'dialogRender':
        return render(composition);
      case 'dialogCopy':
        return copy(composition);
      case 'dialogChooseStack':
        if (await promptForStack(context.workspaceState)) await send(composition);
        return;
      default:
        rows.receive(message);
    }
  }
  function remember(composition: CompositionInfo): void {
    const { batch: _, ...own } = choice;
    choice = rows.file() === '' ? own : { ...own, batch: rows.file() };
    store.set(composition.uri, choice);
  }
  const form = createFormPage(webview, { services, sets, location: 'panel', title, render });
  const refresh = () => shown && isReady && void send(shown);
  const subscriptions = [
    form,
    rows,
    webview.onDidReceiveMessage((message: FromDialog) => {
      if (shown) receive(message, shown).catch((error) => log.error(String(error)));
    }),
    values.onDidChange((uri) => uri.toString() === (shown && Uri.parse(shown.uri).toString()) && refresh()),
    sets.onDidChange(refresh),
    // A finished render is a new measurement, and its file takes the suggested name.
    history.onDidChange((entry) => entry?.state === 'completed' && entry.composition === shown?.uri && refresh()),
  ];
  return {
    show(composition) {
      if (composition && composition.uri !== shown?.uri)
        choice = store.get(composition.uri) ?? { target: 'local', video: videoSize.current() };
      shown = composition;
      form.show(composition);
      if (composition && isReady) void rows.show(composition, rows.file());
      refresh();
    },
    showRows(file) {
      choice = { ...choice, batch: file };
      typed = '';
      if (shown && isReady) void rows.show(shown, file);
    },
    dispose() {
      clearTimeout(timer);
      checking.abort();
      for (const subscription of subscriptions) subscription.dispose();
    },
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

function stateOf(
  composition: CompositionInfo,
  {
    stack,
    ...rest
  }: Pick<DialogState, 'choice' | 'output' | 'suggestion' | 'isBatch'> & { stack: ReturnType<typeof knownStack> },
): DialogState {
  const { width, height, fps, duration } = composition;
  return {
    name: compositionName(composition),
    ...rest,
    own: {
      size: width === null || height === null ? '' : `${width} × ${height}`,
      fps: String(fps ?? 30),
      duration: duration === null ? '' : String(duration),
    },
    stack: stack ? [stack.region, stack.name || 'framework-render'].filter((part) => part !== '').join(' · ') : '',
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
