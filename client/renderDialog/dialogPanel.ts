// The render dialog of one composition: the variables form with options of the video, estimates, and the commands that follow.
import { commands, env, l10n, Uri, type Webview, window } from 'vscode';
import type { CompositionInfo } from '../../server/protocol.ts';
import { compositionName } from '../compositionName.ts';
import type { ExtensionServices } from '../extensionServices.ts';
import type { ChosenSets } from '../form/chosenSets.ts';
import { onlyChanged } from '../form/formModel.ts';
import { createFormPage, type FormPage } from '../form/formPage.ts';
import { renderShellCommand, shellOf } from '../form/renderShellCommand.ts';
import { promptToSave } from '../render/promptToSave.ts';
import { folderOf } from '../render/renderJobs.ts';
import { knownStack, promptForStack } from '../render/stackChoice.ts';
import { checkChoice } from './checkChoice.ts';
import { createChoiceStore } from './choiceStore.ts';
import type { CheckResult, DialogState, FromDialog, ToDialog } from './dialogMessages.ts';
import { dialogStrings } from './dialogStrings.ts';
import { commandOf, extensionOf, otherOptions, type RenderChoice, videoOf } from './renderChoice.ts';

/** Delay after the last change before the command line checks it, in milliseconds. */
const checkDelayMs = 300;

/** Disposing the dialog does not close the webview. */
export function createRenderDialog(
  webview: Webview,
  { services, sets, title }: { services: ExtensionServices; sets: ChosenSets; title: string },
): FormPage {
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
  const draftsOf = ({ uri, variables }: CompositionInfo) => onlyChanged(variables, values.get(Uri.parse(uri)));

  async function send(composition: CompositionInfo): Promise<void> {
    const named = { set: await sets.nameOf(composition), extension: extensionOf(choice.video) };
    suggestion = await services.renders.suggestOutput(composition, draftsOf(composition), named);
    if (!isReady || composition !== shown) return;
    const stack = knownStack(context.workspaceState);
    post({ type: 'dialogState', state: stateOf(composition, { choice, output: typed, suggestion, stack }) });
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
    const checked = { choice, values: draftsOf(composition), folder: folderOf(composition), composition, output };
    const result = await checkChoice(checked, services, signal);
    if (result) post({ type: 'dialogCheck', result });
    return result;
  }
  async function render(composition: CompositionInfo): Promise<void> {
    clearTimeout(timer);
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
  async function copy(composition: CompositionInfo): Promise<void> {
    const shell = shellOf(env.shell);
    const stack = knownStack(context.workspaceState);
    const command = renderShellCommand(
      {
        folder: folderOf(composition),
        composition: composition.path,
        values: draftsOf(composition),
        size: videoOf(choice),
        command: commandOf[choice.target].join(' '),
        options: otherOptions(choice, typed || suggestion, stack),
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
        return send(composition);
      case 'dialogChoice':
        choice = message.choice;
        typed = message.output;
        store.set(composition.uri, choice);
        return send(composition);
      case 'dialogRender':
        return render(composition);
      case 'dialogCopy':
        return copy(composition);
      case 'dialogChooseStack':
        if (await promptForStack(context.workspaceState)) await send(composition);
    }
  }
  const form = createFormPage(webview, { services, sets, location: 'panel', title, render });
  const refresh = () => shown && isReady && void send(shown);
  const subscriptions = [
    form,
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
      refresh();
    },
    dispose() {
      clearTimeout(timer);
      checking.abort();
      for (const subscription of subscriptions) subscription.dispose();
    },
  };
}

function stateOf(
  composition: CompositionInfo,
  { stack, ...rest }: Pick<DialogState, 'choice' | 'output' | 'suggestion'> & { stack: ReturnType<typeof knownStack> },
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
