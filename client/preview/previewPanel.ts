// The preview panel of one composition: shows the preview's page in a frame and exchanges messages with it.
import { commands, env, l10n, Uri, ViewColumn, type WebviewPanel, window } from 'vscode';
import type { FromPage, PreviewState, ToPage } from '../../preview/messages.ts';
import type { CompositionInfo } from '../../server/protocol.ts';
import { compositionName } from '../compositions/compositionName.ts';
import type { ExtensionServices } from '../extensionServices.ts';
import { panelIcon } from '../panelIcon.ts';
import { showPage } from '../webviewPage.ts';
import type { FromPanel, PanelAction, PanelNotice, SavedPanel, ToPanel } from './previewMessages.ts';
import { translatedTexts } from './previewStrings.ts';

export type PreviewPanel = {
  panel: WebviewPanel;
  composition(): CompositionInfo;
  /** Updates the facts of the composition; the panel stays open. */
  update(composition: CompositionInfo): void;
  /** Loads or reloads the page when its address is known. */
  show(url: Promise<string>): Promise<void>;
  notice(notice: PanelNotice): void;
  post(message: ToPage): void;
  /** The state that the page reported; undefined before it is loaded. */
  state(): PreviewState | undefined;
};

export type PanelEvents = {
  onPage(message: FromPage): void;
  onAction(action: PanelAction): void;
};

export const viewType = 'framework.preview';

export function makeWebviewPanel(composition: CompositionInfo, viewColumn = ViewColumn.Beside): WebviewPanel {
  const where = { viewColumn, preserveFocus: true };
  // A hidden page that is discarded would lose its time and zoom.
  return window.createWebviewPanel(viewType, titleOf(composition), where, { retainContextWhenHidden: true });
}

const titleOf = (composition: CompositionInfo): string => l10n.t('Preview {0}', compositionName(composition));

export function createPreviewPanel(
  panel: WebviewPanel,
  first: CompositionInfo,
  { context, log }: ExtensionServices,
  { onPage, onAction }: PanelEvents,
): PreviewPanel {
  panel.title = titleOf(first);
  panel.iconPath = panelIcon;
  const document = createPanelDocument(panel, context.extensionUri);
  let composition = first;
  let state: PreviewState | undefined;
  let loads = 0;
  let hasNotice = false;
  const notice = (shown: PanelNotice): void => {
    state = undefined;
    hasNotice = true;
    document.load({ type: 'notice', notice: shown });
  };
  const showAddress = async (address: string): Promise<void> => {
    const external = await env.asExternalUri(Uri.parse(new URL(address).origin));
    const { url, origin } = previewAddress(address, external.toString(true), composition.path);
    log.debug(`The preview of ${composition.path} is at ${origin}.`);
    hasNotice = false;
    document.load({ type: 'frame', url, origin, title: panel.title, failed: unreachableNotice(origin) }, origin);
  };
  const onPageMessage = (message: FromPage): void => {
    if (message.type === 'state') state = message.state;
    if (message.type === 'loaded')
      document.post({ type: 'page', message: { framework: 'preview', type: 'strings', texts: translatedTexts() } });
    onPage(message);
  };
  panel.webview.onDidReceiveMessage((message: FromPanel) => {
    if (message.type === 'ready') document.start({ uri: composition.uri });
    if (message.type === 'action') onAction(message.action);
    if (message.type === 'page') onPageMessage(message.message);
  });
  return {
    panel,
    composition: () => composition,
    update(changed) {
      composition = changed;
    },
    async show(url) {
      const current = ++loads;
      // The process may take a while to start, and what the notice says is over.
      if (hasNotice) notice({ text: l10n.t('The preview is starting…') });
      try {
        const address = await url;
        if (current === loads) await showAddress(address);
      } catch (error) {
        if (current === loads) notice(stoppedNotice(error instanceof Error ? error.message : String(error)));
      }
    },
    notice,
    post: (message) => document.isReady() && document.post({ type: 'page', message }),
    state: () => state,
  };
}

/** The document of the panel around the preview's page. */
type PanelDocument = {
  /** Loads a new document, which gets `content` when its script is ready. `origin` is the only one that it may show. */
  load(content: ToPanel, origin?: string): void;
  /** Called when the script of the document is ready. */
  start(saved: SavedPanel): void;
  isReady(): boolean;
  post(message: ToPanel): void;
};

function createPanelDocument(panel: WebviewPanel, extensionUri: Uri): PanelDocument {
  const { webview } = panel;
  let content: ToPanel | undefined;
  let isReady = false;
  const post = (message: ToPanel) => void webview.postMessage(message);
  return {
    load(message, origin) {
      content = message;
      // The content security policy allows one origin, so another origin needs a new document.
      isReady = false;
      const frames = origin === undefined ? {} : { frames: origin };
      showPage(webview, extensionUri, { name: 'preview', title: panel.title, ...frames });
    },
    start(saved) {
      isReady = true;
      if (!content) return;
      post(content);
      post({ type: 'saveState', state: saved });
    },
    isReady: () => isReady,
    post,
  };
}

export function stoppedNotice(reason: string): PanelNotice {
  return {
    text: l10n.t('The preview has stopped.'),
    detail: reason,
    button: { label: l10n.t('Restart'), action: 'restart' },
  };
}

function unreachableNotice(origin: string): PanelNotice {
  return {
    text: l10n.t('The preview could not be loaded.'),
    detail: l10n.t('This window cannot connect to {0}. Check that the port is forwarded.', origin),
    button: { label: l10n.t('Restart'), action: 'restart' },
  };
}

/** Runs the action of a notice's button. The owner of the process handles `restart`. */
export async function runAction(action: Exclude<PanelAction, 'restart'>): Promise<void> {
  const command = { trust: 'workbench.trust.manage', save: 'workbench.action.files.save' }[action];
  await commands.executeCommand(command);
}

/**
 * The address of the preview's page as the window reaches it. `url` is the local address. `external` is VS Code's external URI
 * of the server: the same origin, another port, or another host with a path prefix. `origin` is for the content security policy.
 */
export function previewAddress(url: string, external: string, composition: string): { url: string; origin: string } {
  const [page, outside] = [new URL(url), new URL(external)];
  const path = outside.pathname.replace(/\/$/, '') + page.pathname;
  const query = new URLSearchParams([...page.searchParams, ...outside.searchParams, ['composition', composition]]);
  // URLSearchParams encodes a space as `+`, which a file path does not decode.
  return { url: `${outside.origin}${path}?${String(query).replaceAll('+', '%20')}`, origin: outside.origin };
}
