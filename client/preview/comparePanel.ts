// The panel that compares two sets of values of a composition: their previews next to each other.
import { type Disposable, env, l10n, RelativePattern, Uri, type WebviewPanel, workspace } from 'vscode';
import type { FromPage } from '../../preview/messages.ts';
import type { CompositionInfo } from '../../server/protocol.ts';
import { debounced } from '../debounced.ts';
import { type Values, valueDelayMs } from '../draftValues.ts';
import type { ExtensionServices } from '../extensionServices.ts';
import { listSets, loadSet } from '../form/setFiles.ts';
import { setsFolder } from '../form/variableSets.ts';
import { showPage } from '../webviewPage.ts';
import {
  type ComparedValues,
  type FromCompare,
  type Side,
  type Sides,
  sides,
  type ToCompare,
} from './compareMessages.ts';
import { previewBlock } from './previewBlock.ts';
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

/** Disposing it does not close the webview. */
export function createComparePanel(
  { webview, title }: WebviewPanel,
  composition: CompositionInfo,
  { services, previews, setOf }: ComparePanelOptions,
): Disposable {
  const { context, host, log, values } = services;
  let chosen: Sides<ComparedValues> | undefined;
  let views: PreviewViews | undefined;
  /** Sent when the script of the page is ready. */
  let content: ToCompare | undefined;
  let isReady = false;
  /** The number of the newest update. */
  let updates = 0;
  const post = (message: ToCompare) => isReady && void webview.postMessage(message);
  const load = (message: ToCompare, origin?: string) => {
    content = message;
    isReady = false;
    showPage(webview, context.extensionUri, {
      name: 'compare',
      title,
      ...(origin === undefined ? {} : { frames: origin }),
    });
  };

  async function open(): Promise<void> {
    views?.dispose();
    const block = previewBlock(Uri.parse(composition.uri), host.startCli !== undefined);
    if (block) return load({ type: 'notice', notice: block });
    views = previews.openViews(composition, {
      onStop: (reason) => load({ type: 'notice', notice: stoppedNotice(reason) }),
      onRestart: () => void open(),
    });
    try {
      const [address] = await Promise.all([views.url, update()]);
      await showFrames(address);
    } catch (error) {
      load({ type: 'notice', notice: stoppedNotice(error instanceof Error ? error.message : String(error)) });
    }
  }
  async function showFrames(address: string): Promise<void> {
    const external = await env.asExternalUri(Uri.parse(new URL(address).origin));
    const { url, origin } = previewAddress(address, external.toString(true), composition.path);
    // Two soundtracks at the same time would be noise.
    const urls = { left: `${url}&view=left`, right: `${url}&view=right&muted` };
    const strings = {
      play: l10n.t('Play'),
      pause: l10n.t('Pause'),
      time: l10n.t('Time'),
      left: l10n.t('Left'),
      right: l10n.t('Right'),
    };
    load({ type: 'frames', urls, origin, strings, texts: translatedTexts() }, origin);
  }
  /** Reads the sets, and shows the values of both sides. */
  async function update(): Promise<void> {
    const current = ++updates;
    const names = await listSets(composition);
    chosen ??= firstChoice(
      names,
      await setOf(composition),
      Object.keys(values.get(Uri.parse(composition.uri))).length > 0,
    );
    const choices = [
      { value: 'defaults' as const, label: l10n.t('Defaults') },
      { value: 'current' as const, label: l10n.t('Current Values') },
      ...names.map((name) => ({ value: `set ${name}` as const, label: name })),
    ];
    const { left, right } = chosen;
    const shown = { left: await valuesOf(left), right: await valuesOf(right) };
    // A newer update has read newer sets and choices.
    if (current !== updates) return;
    post({ type: 'choices', choices, chosen });
    for (const side of sides) views?.show(side, shown[side]);
  }
  async function valuesOf(value: ComparedValues): Promise<Values> {
    if (value === 'defaults') return {};
    if (value === 'current') return values.get(Uri.parse(composition.uri));
    try {
      const read = await loadSet(composition, value.slice('set '.length));
      return 'values' in read ? read.values : {};
    } catch (error) {
      // The set was deleted.
      log.warn(String(error));
      return {};
    }
  }
  const choose = (side: Side, value: ComparedValues) => {
    if (chosen) chosen = { ...chosen, [side]: value };
    return update();
  };
  function receive(message: FromCompare): Promise<void> | undefined {
    if (message.type === 'choose') return choose(message.side, message.value);
    if (message.type === 'action') return act();
    if (message.type === 'page') return reveal(message.message);
    isReady = true;
    if (content) post(content);
    return update();
  }
  async function act(): Promise<void> {
    const action = content?.type === 'notice' ? content.notice.button?.action : undefined;
    if (action === undefined || action === 'restart') await open();
    else await runAction(action);
  }
  async function reveal(message: FromPage): Promise<void> {
    if (message.type === 'reveal') await showSource(composition, message);
    if (message.type === 'open') await showSource(composition, message.place);
  }
  const changedValues = debounced(valueDelayMs, () => run(update()));
  const run = (done: Promise<void> | undefined) => void done?.catch((error) => log.error(String(error)));
  const folder = Uri.joinPath(Uri.parse(composition.projectUri), setsFolder(composition.path));
  const setFiles = workspace.createFileSystemWatcher(new RelativePattern(folder, '*.json'));
  const subscriptions = [
    webview.onDidReceiveMessage((message: FromCompare) => run(receive(message))),
    setFiles,
    ...[setFiles.onDidCreate, setFiles.onDidChange, setFiles.onDidDelete].map((event) => event(() => run(update()))),
    workspace.onDidGrantWorkspaceTrust(() => run(open())),
    changedValues,
    values.onDidChange((uri) => {
      if (uri.toString() === Uri.parse(composition.uri).toString()) changedValues.schedule();
    }),
  ];
  run(open());
  return {
    dispose() {
      views?.dispose();
      for (const subscription of subscriptions) subscription.dispose();
    },
  };
}

/** What differs most likely: the set or values in use, and otherwise two sets. */
function firstChoice(names: readonly string[], used: string | undefined, hasValues: boolean): Sides<ComparedValues> {
  const [first, second] = names;
  if (used !== undefined) return { left: 'defaults', right: `set ${used}` };
  if (hasValues) return { left: first === undefined ? 'defaults' : `set ${first}`, right: 'current' };
  if (first === undefined) return { left: 'defaults', right: 'current' };
  return second === undefined
    ? { left: 'defaults', right: `set ${first}` }
    : { left: `set ${first}`, right: `set ${second}` };
}
