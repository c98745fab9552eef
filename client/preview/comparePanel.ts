// The panel that compares two sets of values of a composition: their previews next to each other.
import { type Disposable, env, l10n, RelativePattern, Uri, type WebviewPanel, workspace } from 'vscode';
import type { FromPage } from '../../preview/messages.ts';
import type { CompositionInfo } from '../../server/protocol.ts';
import { type Values, valueDelayMs } from '../compositions/draftValues.ts';
import { debounced } from '../debounced.ts';
import type { ExtensionServices } from '../extensionServices.ts';
import { listSets, loadSet } from '../form/setFiles.ts';
import { setsFolder } from '../form/variableSets.ts';
import { showPage } from '../webviewPage.ts';
import { type ComparedValues, type FromCompare, type Sides, sides, type ToCompare } from './compareMessages.ts';
import { previewBlock } from './previewBlock.ts';
import type { PanelNotice } from './previewMessages.ts';
import { previewAddress, runAction, stoppedNotice } from './previewPanel.ts';
import { translatedTexts } from './previewStrings.ts';
import type { Previews, PreviewViews } from './previews.ts';
import { showSource } from './showSource.ts';

export type ComparePanelOptions = {
  services: ExtensionServices;
  previews: Previews;
  /** The name of the set whose values are in the form. */
  setOf(composition: CompositionInfo): Promise<string | undefined>;
};

type Panel = ComparePanelOptions & {
  webview: WebviewPanel['webview'];
  title: string;
  composition: CompositionInfo;
  chosen?: Sides<ComparedValues>;
  views?: PreviewViews;
  /** Sent when the script of the page is ready. */
  content?: ToCompare;
  isReady: boolean;
  /** The number of the newest update. */
  updates: number;
};

/** Disposing it does not close the webview. */
export function createComparePanel(
  { webview, title }: WebviewPanel,
  composition: CompositionInfo,
  options: ComparePanelOptions,
): Disposable {
  const { values, log } = options.services;
  const panel: Panel = { ...options, webview, title, composition, isReady: false, updates: 0 };
  const run = (done: Promise<void>) => void done.catch((error) => log.error(String(error)));
  const runUpdate = () => run(update(panel));
  const changedValues = debounced(valueDelayMs, runUpdate);
  const folder = Uri.joinPath(Uri.parse(composition.projectUri), setsFolder(composition.path));
  const setFiles = workspace.createFileSystemWatcher(new RelativePattern(folder, '*.json'));
  const subscriptions = [
    webview.onDidReceiveMessage((message: FromCompare) => run(receive(panel, message))),
    setFiles,
    ...[setFiles.onDidCreate, setFiles.onDidChange, setFiles.onDidDelete].map((event) => event(runUpdate)),
    workspace.onDidGrantWorkspaceTrust(() => run(open(panel))),
    changedValues,
    values.onDidChange((uri) => {
      if (uri.toString() === Uri.parse(composition.uri).toString()) changedValues.schedule();
    }),
  ];
  run(open(panel));
  return {
    dispose() {
      panel.views?.dispose();
      for (const subscription of subscriptions) subscription.dispose();
    },
  };
}

async function open(panel: Panel): Promise<void> {
  const { services, previews, composition } = panel;
  const showNotice = (notice: PanelNotice) => load(panel, { type: 'notice', notice });
  panel.views?.dispose();
  const block = previewBlock(Uri.parse(composition.uri), services.host.startCli !== undefined);
  if (block) return showNotice(block);
  panel.views = previews.openViews(composition, {
    onStop: (reason) => showNotice(stoppedNotice(reason)),
    onRestart: () => void open(panel),
  });
  const [address, updated] = await Promise.allSettled([panel.views.url, update(panel)]);
  if (address.status === 'rejected') return showNotice(stoppedNotice(reasonOf(address.reason)));
  if (updated.status === 'rejected') return showNotice(unreadNotice(reasonOf(updated.reason)));
  await showFrames(panel, address.value).catch((error) => showNotice(stoppedNotice(reasonOf(error))));
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

function unreadNotice(reason: string): PanelNotice {
  return {
    text: l10n.t('The value sets could not be read.'),
    detail: reason,
    button: { label: l10n.t('Try Again'), action: 'restart' },
  };
}

async function showFrames(panel: Panel, address: string): Promise<void> {
  const external = await env.asExternalUri(Uri.parse(new URL(address).origin));
  const { url, origin } = previewAddress(address, external.toString(true), panel.composition.path);
  // Two soundtracks at the same time would be noise.
  const urls = { left: `${url}&view=left`, right: `${url}&view=right&muted` };
  const strings = {
    play: l10n.t('Play'),
    pause: l10n.t('Pause'),
    time: l10n.t('Time'),
    left: l10n.t('Left'),
    right: l10n.t('Right'),
  };
  load(panel, { type: 'frames', urls, origin, strings, texts: translatedTexts() }, origin);
}

function load(panel: Panel, message: ToCompare, origin?: string): void {
  panel.content = message;
  panel.isReady = false;
  const frames = origin === undefined ? {} : { frames: origin };
  showPage(panel.webview, panel.services.context.extensionUri, { name: 'compare', title: panel.title, ...frames });
}

const post = ({ webview, isReady }: Panel, message: ToCompare) => isReady && void webview.postMessage(message);

/** Reads the sets, and shows the values of both sides. */
async function update(panel: Panel): Promise<void> {
  const { composition, services } = panel;
  const current = ++panel.updates;
  const names = await listSets(composition);
  const hasValues = Object.keys(services.values.get(Uri.parse(composition.uri))).length > 0;
  panel.chosen ??= firstChoice(names, await panel.setOf(composition), hasValues);
  const choices = [
    { value: 'defaults' as const, label: l10n.t('Defaults') },
    { value: 'current' as const, label: l10n.t('Current Values') },
    ...names.map((name) => ({ value: `set ${name}` as const, label: name })),
  ];
  const { chosen } = panel;
  const shown = { left: await valuesOf(panel, chosen.left), right: await valuesOf(panel, chosen.right) };
  // A newer update has read newer sets and choices.
  if (current !== panel.updates) return;
  post(panel, { type: 'choices', choices, chosen });
  for (const side of sides) panel.views?.show(side, shown[side]);
}

async function valuesOf({ composition, services }: Panel, value: ComparedValues): Promise<Values> {
  if (value === 'defaults') return {};
  if (value === 'current') return services.values.get(Uri.parse(composition.uri));
  try {
    const read = await loadSet(composition, value.slice('set '.length));
    return 'values' in read ? read.values : {};
  } catch (error) {
    // The set was deleted.
    services.log.warn(String(error));
    return {};
  }
}

async function receive(panel: Panel, message: FromCompare): Promise<void> {
  if (message.type === 'action') return act(panel);
  if (message.type === 'page') return reveal(panel.composition, message.message);
  if (message.type === 'choose' && panel.chosen) panel.chosen = { ...panel.chosen, [message.side]: message.value };
  if (message.type === 'ready') {
    panel.isReady = true;
    if (panel.content) post(panel, panel.content);
  }
  return update(panel);
}

async function act(panel: Panel): Promise<void> {
  const action = panel.content?.type === 'notice' ? panel.content.notice.button?.action : undefined;
  if (action === undefined || action === 'restart') await open(panel);
  else await runAction(action);
}

async function reveal(composition: CompositionInfo, message: FromPage): Promise<void> {
  if (message.type === 'reveal') await showSource(composition, message);
  if (message.type === 'open') await showSource(composition, message.place);
}

/** What differs most likely: the set or values in use, and otherwise two sets. */
function firstChoice(
  [first, second]: readonly string[],
  used: string | undefined,
  hasValues: boolean,
): Sides<ComparedValues> {
  const set = (name: string | undefined) => (name === undefined ? 'defaults' : (`set ${name}` as const));
  if (used !== undefined) return { left: 'defaults', right: set(used) };
  if (hasValues || first === undefined) return { left: set(first), right: 'current' };
  return second === undefined ? { left: 'defaults', right: set(first) } : { left: set(first), right: set(second) };
}
