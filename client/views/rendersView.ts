// The Videos view: the history of this workspace, the account's cloud renders, and executions on AWS.
import { commands, type Disposable, l10n, Uri, workspace } from 'vscode';
import type { Account } from '../account/account.ts';
import type { ExtensionServices } from '../extensionServices.ts';
import { batchNodes } from './batchNodes.ts';
import { isRunning } from './cloudList.ts';
import { createCloudRenders } from './cloudRenders.ts';
import { createLogDocuments } from './logDocuments.ts';
import { createRemoteEntries } from './remoteEntries.ts';
import { createRenderActions } from './renderActions.ts';
import { renderNodes } from './renderNodes.ts';
import type { Thumbnails } from './thumbnails.ts';
import { createTree } from './tree.ts';
import { changedNodes, type ViewNode } from './viewNode.ts';

/** Minimum time between two updates, in milliseconds. Progress changes many times a second, and a redraw can disturb a click. */
const drawIntervalMs = 700;

export function createRendersView(services: ExtensionServices, account: Account, thumbnails: Thumbnails): Disposable[] {
  const { history, now } = services;
  const cloud = createCloudRenders(services, account, createRemoteEntries(services));
  let shown: readonly ViewNode[] = [];
  const rows = () => renderNodes({ entries: history.entries(), cloud: cloud.state(), now: now() });
  const tree = createTree('framework.renders', thumbnails, (node) => {
    if (node) return batchRows(node);
    shown = rows();
    return shown;
  });

  async function batchRows({ entryId, output }: ViewNode): Promise<ViewNode[]> {
    const entry = history.entries().find(({ id }) => id === entryId);
    if (!entry || output === undefined) return [];
    const bytes = await workspace.fs.readFile(Uri.file(output)).then(
      (read) => read,
      // The manifest has not been written yet, or was deleted.
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
    }, drawIntervalMs);
  }
  let hadRunning: boolean | undefined;
  function showBadge(): void {
    const local = history.entries().filter(({ state }) => state === 'running');
    const known = new Set(local.flatMap(({ remoteId }) => remoteId ?? []));
    const state = cloud.state();
    const records = 'list' in state ? state.list.records : [];
    const value = local.length + records.filter((record) => isRunning(record) && !known.has(record.render_id)).length;
    const tooltip = value === 1 ? l10n.t('1 render in progress') : l10n.t('{0} renders in progress', value);
    tree.view.badge = value === 0 ? undefined : { value, tooltip };
    const hasRunning = value > 0;
    if (hadRunning !== hasRunning) void commands.executeCommand('setContext', 'framework.renders.running', hasRunning);
    hadRunning = hasRunning;
  }
  /** Commands for finished entries are hidden while there are none. */
  let hadFinished: boolean | undefined;
  function showFinished(): void {
    const hasFinished = history.entries().some(({ state }) => state !== 'running');
    if (hadFinished === hasFinished) return;
    hadFinished = hasFinished;
    void commands.executeCommand('setContext', 'framework.renders.finished', hasFinished);
  }
  showBadge();
  showFinished();
  return [
    tree,
    cloud,
    history.onDidChange((entry) => {
      draw();
      showFinished();
      // The account's list contains this render too.
      if (entry?.kind === 'cloud' && entry.remoteId !== undefined && entry.state !== 'running' && tree.view.visible)
        void cloud.refresh();
    }),
    cloud.onDidChange(draw),
    tree.view.onDidChangeVisibility(({ visible }) => cloud.setVisible(visible)),
    ...createRenderActions(services, cloud, createLogDocuments(history)),
    { dispose: () => clearTimeout(isDrawing) },
  ];
}
