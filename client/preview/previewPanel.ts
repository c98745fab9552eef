// The panel of one composition: the preview's page in a frame, and what goes between it and the editor.
import { commands, env, l10n, Uri, ViewColumn, type WebviewPanel, window } from 'vscode';
import type { FromPage, PreviewState, ToPage } from '../../renderer-core/preview/messages.ts';
import type { CompositionInfo } from '../../server/protocol.ts';
import { panelIcon } from '../panelIcon.ts';
import type { Tools } from '../tools.ts';
import { showPage } from '../webviewPage.ts';
import type { FromPanel, PanelAction, PanelNotice, ToPanel } from './previewMessages.ts';
import { previewTexts } from './previewStrings.ts';
import { previewAddress } from './previewUrl.ts';

export type PreviewPanel = {
  panel: WebviewPanel;
  composition(): CompositionInfo;
  /** As it is now; the panel stays. */
  follow(composition: CompositionInfo): void;
  /** Begins, or begins anew: waits for the page's address. */
  show(url: Promise<string>): Promise<void>;
  notice(notice: PanelNotice): void;
  post(message: ToPage): void;
  /** Of the frame that is shown, once it is. */
  state(): PreviewState | undefined;
};

export type PanelEvents = {
  onPage(message: FromPage): void;
  onAction(action: PanelAction): void;
};

export const viewType = 'framework.preview';

export function makeWebviewPanel({ path }: CompositionInfo): WebviewPanel {
  const where = { viewColumn: ViewColumn.Beside, preserveFocus: true };
  // A page that is loaded again has forgotten its time and its zoom.
  return window.createWebviewPanel(viewType, titleOf(path), where, { retainContextWhenHidden: true });
}

const titleOf = (path: string): string => l10n.t('Preview {0}', path.slice(path.lastIndexOf('/') + 1));

export function createPreviewPanel(
  panel: WebviewPanel,
  first: CompositionInfo,
  { context, log }: Tools,
  { onPage, onAction }: PanelEvents,
): PreviewPanel {
  const { webview } = panel;
  let composition = first;
  let state: PreviewState | undefined;
  /** What the panel is to show as soon as its script runs. */
  let content: ToPanel | undefined;
  let isReady = false;
  let begun = 0;
  const post = (message: ToPanel) => void webview.postMessage(message);
  const put = (message: ToPanel, origin?: string): void => {
    content = message;
    // The policy names the one page that may be in the frame, so another one needs another document.
    isReady = false;
    showPage(webview, context.extensionUri, {
      name: 'preview',
      title: panel.title,
      ...(origin === undefined ? {} : { frames: origin }),
    });
  };
  const notice = (shown: PanelNotice): void => {
    state = undefined;
    put({ type: 'notice', notice: shown });
  };
  const showAt = async (served: string): Promise<void> => {
    const { origin: own } = new URL(served);
    const external = await env.asExternalUri(Uri.parse(own));
    const { url, origin } = previewAddress(served, external.toString(true), composition.path);
    log.debug(`The preview of ${composition.path} is at ${origin}.`);
    put({ type: 'frame', url, origin, title: panel.title, failed: unreachable(origin) }, origin);
  };
  panel.title = titleOf(first.path);
  panel.iconPath = panelIcon;
  webview.onDidReceiveMessage((message: FromPanel) => {
    if (message.type === 'ready') {
      isReady = true;
      if (content) post(content);
      if (content) post({ type: 'keep', kept: { uri: composition.uri } });
    }
    if (message.type === 'action') onAction(message.action);
    if (message.type !== 'page') return;
    if (message.message.type === 'state') state = message.message.state;
    if (message.message.type === 'loaded')
      post({ type: 'page', message: { framework: 'preview', type: 'strings', texts: previewTexts() } });
    onPage(message.message);
  });
  return {
    panel,
    composition: () => composition,
    follow(changed) {
      composition = changed;
    },
    async show(url) {
      const turn = ++begun;
      try {
        const served = await url;
        if (turn === begun) await showAt(served);
      } catch (error) {
        if (turn === begun) notice(stopped(error instanceof Error ? error.message : String(error)));
      }
    },
    notice,
    post: (message) => isReady && post({ type: 'page', message }),
    state: () => state,
  };
}

export function stopped(reason: string): PanelNotice {
  return {
    text: l10n.t('The preview has ended.'),
    detail: reason,
    button: { label: l10n.t('Restart'), action: 'restart' },
  };
}

function unreachable(origin: string): PanelNotice {
  return {
    text: l10n.t('The page of the preview could not be loaded.'),
    detail: l10n.t('It is served at {0}, which this window cannot reach. Is the port forwarded?', origin),
    button: { label: l10n.t('Restart'), action: 'restart' },
  };
}

/** What the buttons of a notice do; a restart is up to whoever owns the process. */
export async function runAction(action: Exclude<PanelAction, 'restart'>): Promise<void> {
  const command = { trust: 'workbench.trust.manage', save: 'workbench.action.files.save' }[action];
  await commands.executeCommand(command);
}
