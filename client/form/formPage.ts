// One page of the variables form, in the sidebar or in a panel, kept in step with what is tried.
import { type Disposable, Uri, type Webview } from 'vscode';
import type { CompositionInfo } from '../../server/protocol.ts';
import type { Tools } from '../tools.ts';
import { showPage } from '../webviewPage.ts';
import type { ChosenSets } from './chosenSets.ts';
import type { FormAction, FormPlace, FromForm, ToForm } from './formMessages.ts';
import { formStrings } from './formStrings.ts';
import { copyCommand, renderTried, writeDefaults } from './valueActions.ts';

export type FormPage = Disposable & {
  /** Shows another composition, or the same as it is now; undefined: none. */
  show(composition: CompositionInfo | undefined): void;
};

/** `title` is for screen readers. Disposing it does not close the webview. */
export function createFormPage(
  webview: Webview,
  { tools, sets, place, title }: { tools: Tools; sets: ChosenSets; place: FormPlace; title: string },
): FormPage {
  let shown: CompositionInfo | undefined;
  let isReady = false;
  let turn = 0;
  let sending = 0;
  const post = (message: ToForm) => void webview.postMessage(message);

  async function send(): Promise<void> {
    if (!isReady) return;
    if (!shown) return post({ type: 'empty' });
    const [composition, order] = [shown, ++sending];
    const found = await sets.of(composition);
    if (order !== sending || composition !== shown) return;
    const { uri, path, variables } = composition;
    const values = tools.values.get(Uri.parse(uri));
    post({ type: 'state', state: { uri, path, declarations: variables, values, sets: found, turn } });
  }
  async function act(action: FormAction, composition: CompositionInfo): Promise<void> {
    if (action === 'saveSet') await sets.save(composition);
    if (action === 'deleteSet') await sets.remove(composition);
    if (action === 'writeDefaults') await writeDefaults(composition, tools);
    if (action === 'copyCommand') await copyCommand(composition, tools);
    if (action === 'render') await renderTried(composition);
  }
  function receive(message: FromForm): void {
    if (message.type === 'ready') {
      isReady = true;
      post({ type: 'start', place, strings: formStrings() });
      return void send();
    }
    // A page that is behind may still speak of the composition before.
    if (!shown || message.uri !== shown.uri) return;
    if (message.type === 'values') {
      turn = message.turn;
      tools.values.set(Uri.parse(message.uri), message.values);
    }
    if (message.type === 'refresh') void send();
    if (message.type === 'chooseSet') void sets.use(shown, message.name);
    if (message.type === 'action') void act(message.action, shown).catch((error) => tools.log.error(String(error)));
  }
  const subscriptions = [
    webview.onDidReceiveMessage(receive),
    sets.onDidChange(() => void send()),
    tools.values.onDidChange((uri) => {
      if (uri.toString() === (shown && Uri.parse(shown.uri).toString())) void send();
    }),
  ];
  showPage(webview, tools.context.extensionUri, { name: 'form', title });
  return {
    show(composition) {
      if (composition?.uri !== shown?.uri) turn = 0;
      shown = composition;
      void send();
    },
    dispose() {
      for (const subscription of subscriptions) subscription.dispose();
    },
  };
}
