// The variables form in one webview, in the sidebar or in a panel. It is synchronized with the draft values.
import { type Disposable, Range, Uri, ViewColumn, type Webview, window } from 'vscode';
import type { CompositionInfo } from '../../server/protocol.ts';
import { compositionName } from '../compositions/compositionName.ts';
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

type Options = {
  services: ExtensionServices;
  sets: ChosenSets;
  location: FormLocation;
  /** For screen readers. */
  title: string;
  /** For Ctrl+Enter. */
  render?(composition: CompositionInfo): Promise<void>;
};

type Page = Options & {
  post(message: ToForm): void;
  shown?: CompositionInfo | undefined;
  isReady: boolean;
  /** The number of the newest edit in the form. */
  edit: number;
  sends: number;
};

/** Disposing the page does not close the webview. */
export function createFormPage(webview: Webview, options: Options): FormPage {
  const { services, sets, location, title } = options;
  const post = (message: ToForm) => void webview.postMessage(message);
  const page: Page = { ...options, post, isReady: false, edit: 0, sends: 0 };
  const subscriptions = [
    webview.onDidReceiveMessage((message: FromForm) => receive(page, message)),
    sets.onDidChange(() => void send(page)),
    services.videoSize.onDidChange(() => void send(page)),
    services.values.onDidChange((uri) => {
      if (uri.toString() === (page.shown && Uri.parse(page.shown.uri).toString())) void send(page);
    }),
  ];
  showPage(webview, services.context.extensionUri, { name: location === 'panel' ? 'renderDialog' : 'form', title });
  return {
    show(composition) {
      if (composition?.uri !== page.shown?.uri) page.edit = 0;
      page.shown = composition;
      void send(page);
    },
    dispose() {
      for (const subscription of subscriptions) subscription.dispose();
    },
  };
}

async function send(page: Page): Promise<void> {
  const { services, sets, shown: composition, post } = page;
  if (!page.isReady) return;
  if (!composition) return post({ type: 'empty' });
  const current = ++page.sends;
  const found = await sets.of(composition);
  if (current !== page.sends || composition !== page.shown) return;
  const { uri, variables, declarationsProblem: problem } = composition;
  post({
    type: 'state',
    state: {
      uri,
      name: compositionName(composition),
      declarations: variables,
      ...(problem && { problem: { message: problem.message, line: problem.position.line + 1 } }),
      values: services.values.get(Uri.parse(uri)),
      size: sizeText(services.videoSize.current()),
      sets: found,
      edit: page.edit,
    },
  });
}

function receive(page: Page, message: FromForm): void {
  const { services, sets, location, shown } = page;
  if (message.type === 'ready') {
    page.isReady = true;
    page.post({ type: 'start', location, strings: formStrings() });
    return void send(page);
  }
  // A late message can belong to the previous composition.
  if (!shown || message.uri !== shown.uri) return;
  if (message.type === 'values') {
    page.edit = message.edit;
    services.values.set(Uri.parse(message.uri), message.values);
  }
  if (message.type === 'refresh') void send(page);
  if (message.type === 'goToProblem') void goToProblem(shown);
  if (message.type === 'chooseSet') void sets.use(shown, message.name);
  if (message.type === 'action') act(message.action, shown, page).catch((error) => services.log.error(String(error)));
}

async function act(
  action: FormAction,
  composition: CompositionInfo,
  { services, sets, render = renderDraft }: Options,
): Promise<void> {
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
