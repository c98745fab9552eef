// The Renders view: this workspace's history, the account's renders and those on AWS, kept up to date while they are seen.
import { commands, type Disposable, l10n, Uri, workspace } from 'vscode';
import type { Account } from '../account/account.ts';
import type { Tools } from '../tools.ts';
import { batchNodes } from './batchNodes.ts';
import { isRunning } from './cloudList.ts';
import { createCloudRenders } from './cloudRenders.ts';
import { createLogDocuments } from './logDocuments.ts';
import { changedNodes, type ViewNode } from './node.ts';
import { createRemoteEntries } from './remoteEntries.ts';
import { createRenderActions } from './renderActions.ts';
import { renderNodes } from './renderNodes.ts';
import { createTree } from './tree.ts';

/** Progress comes many times a second; nobody reads that fast, and who clicks must not miss what is drawn anew. */
const drawMs = 700;

export function createRendersView(tools: Tools, account: Account): Disposable[] {
  const { history } = tools;
  const cloud = createCloudRenders(tools, account, createRemoteEntries(tools));
  let shown: readonly ViewNode[] = [];
  const rows = () => renderNodes({ entries: history.entries(), cloud: cloud.state(), now: Date.now() });
  const tree = createTree('framework.renders', (node) => {
    if (node) return batchRows(node);
    shown = rows();
    return shown;
  });

  async function batchRows({ entryId, output }: ViewNode): Promise<ViewNode[]> {
    const entry = history.entries().find(({ id }) => id === entryId);
    if (!entry || output === undefined) return [];
    const bytes = await workspace.fs.readFile(Uri.file(output)).then(
      (read) => read,
      () => new Uint8Array(),
    );
    return batchNodes(entry, new TextDecoder().decode(bytes));
  }
  let isDrawing: ReturnType<typeof setTimeout> | undefined;
  function draw(): void {
    isDrawing ??= setTimeout(() => {
      isDrawing = undefined;
      showBadge();
      const next = rows();
      const changed = changedNodes(shown, next);
      if (changed) tree.update(changed);
      else tree.refresh();
      shown = next;
    }, drawMs);
  }
  let hadRunning: boolean | undefined;
  function showBadge(): void {
    const local = history.entries().filter(({ state }) => state === 'running');
    const known = new Set(local.flatMap(({ remoteId }) => remoteId ?? []));
    const state = cloud.state();
    const records = 'list' in state ? state.list.records : [];
    const value = local.length + records.filter((one) => isRunning(one) && !known.has(one.render_id)).length;
    const tooltip = value === 1 ? l10n.t('1 render under way') : l10n.t('{0} renders under way', value);
    tree.view.badge = value === 0 ? undefined : { value, tooltip };
    const hasRunning = value > 0;
    if (hadRunning !== hasRunning) void commands.executeCommand('setContext', 'framework.renders.running', hasRunning);
    hadRunning = hasRunning;
  }
  showBadge();
  return [
    tree,
    cloud,
    history.onDidChange((entry) => {
      draw();
      // What this window has sent is in the account's list too.
      if (entry?.kind === 'cloud' && entry.remoteId !== undefined && entry.state !== 'running' && tree.view.visible)
        void cloud.refresh();
    }),
    cloud.onDidChange(draw),
    tree.view.onDidChangeVisibility(({ visible }) => cloud.setVisible(visible)),
    ...createRenderActions(tools, cloud, createLogDocuments(history)),
    { dispose: () => clearTimeout(isDrawing) },
  ];
}
