// The variables form in one webview, in the sidebar or in a panel. It is synchronized with the draft values.
import { type Disposable, Range, Uri, ViewColumn, type Webview, window } from 'vscode';
import type { CompositionInfo } from '../../server/protocol.ts';
import { compositionName } from '../compositionName.ts';
import type { ExtensionServices } from '../extensionServices.ts';
import { sizeText } from '../render/jobArguments.ts';
import { showPage } from '../webviewPage.ts';
import type { ChosenSets } from './chosenSets.ts';
import type { FormAction, FormLocation, FromForm, ToForm } from './formMessages.ts';
import { formStrings } from './formStrings.ts';
import { copyCommand, renderDraft, writeDefaults } from './valueActions.ts';

export type FormPage = Disposable & {
  /** Shows a composition or updates it; undefined shows the empty state. */
  show(composition: CompositionInfo | undefined): void;
};

/** `title` is for screen readers. Disposing the page does not close the webview. */
export function createFormPage(
  webview: Webview,
  {
    services,
    sets,
    location,
    title,
    render = renderDraft,
  }: {
    services: ExtensionServices;
    sets: ChosenSets;
    location: FormLocation;
    title: string;
    /** For Ctrl+Enter. */
    render?(composition: CompositionInfo): Promise<void>;
  },
): FormPage {
  let shown: CompositionInfo | undefined;
  let isReady = false;
  let edit = 0;
  let sends = 0;
  const post = (message: ToForm) => void webview.postMessage(message);

  async function send(): Promise<void> {
    if (!isReady) return;
    if (!shown) return post({ type: 'empty' });
    const [composition, current] = [shown, ++sends];
    const found = await sets.of(composition);
    if (current !== sends || composition !== shown) return;
    const { uri, variables, declarationsProblem } = composition;
    const problem = declarationsProblem && {
      message: declarationsProblem.message,
      line: declarationsProblem.position.line + 1,
    };
    const values = services.values.get(Uri.parse(uri));
    const size = sizeText(services.videoSize.current());
    post({
      type: 'state',
      state: {
        uri,
        name: compositionName(composition),
        declarations: variables,
        ...(problem && { problem }),
        values,
        size,
        sets: found,
        edit,
      },
    });
  }
  async function act(action: FormAction, composition: CompositionInfo): Promise<void> {
    if (action === 'saveSet') await sets.save(composition);
    if (action === 'deleteSet') await sets.remove(composition);
    if (action === 'writeDefaults') await writeDefaults(composition, services);
    if (action === 'copyCommand') await copyCommand(composition, services);
    if (action === 'addVariable') {
      // Loaded lazily, because it is rarely used.
      const { addVariable } = await import('./addVariable.ts');
      await addVariable(composition, services);
    }
    if (action === 'chooseSize') await services.videoSize.choose();
    if (action === 'render') await render(composition);
  }
  function receive(message: FromForm): void {
    if (message.type === 'ready') {
      isReady = true;
      post({ type: 'start', location, strings: formStrings() });
      return void send();
    }
    // A late message can belong to the previous composition.
    if (!shown || message.uri !== shown.uri) return;
    if (message.type === 'values') {
      edit = message.edit;
      services.values.set(Uri.parse(message.uri), message.values);
    }
    if (message.type === 'refresh') void send();
    if (message.type === 'goToProblem') void goToProblem(shown);
    if (message.type === 'chooseSet') void sets.use(shown, message.name);
    if (message.type === 'action') void act(message.action, shown).catch((error) => services.log.error(String(error)));
  }
  const subscriptions = [
    webview.onDidReceiveMessage(receive),
    sets.onDidChange(() => void send()),
    services.videoSize.onDidChange(() => void send()),
    services.values.onDidChange((uri) => {
      if (uri.toString() === (shown && Uri.parse(shown.uri).toString())) void send();
    }),
  ];
  showPage(webview, services.context.extensionUri, { name: location === 'panel' ? 'renderDialog' : 'form', title });
  return {
    show(composition) {
      if (composition?.uri !== shown?.uri) edit = 0;
      shown = composition;
      void send();
    },
    dispose() {
      for (const subscription of subscriptions) subscription.dispose();
    },
  };
}

async function goToProblem({ uri, declarationsProblem }: CompositionInfo): Promise<void> {
  if (!declarationsProblem) return;
  const { line, character } = declarationsProblem.position;
  const visible = window.visibleTextEditors.find(
    ({ document }) => document.uri.toString() === Uri.parse(uri).toString(),
  );
  await window.showTextDocument(Uri.parse(uri), {
    selection: new Range(line, character, line, character),
    viewColumn: visible?.viewColumn ?? ViewColumn.One,
  });
}
