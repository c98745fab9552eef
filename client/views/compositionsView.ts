// The Compositions view. It requests the compositions from the language server and redraws only rows that changed.
import { commands, type Disposable, env, Uri, workspace } from 'vscode';
import type { CompositionInfo } from '../../server/protocol.ts';
import type { ExtensionServices } from '../extensionServices.ts';
import { revealCommand } from '../render/output/openOutput.ts';
import { fileNodes, outlineNodes, projectContext, projectFileNodes, projectNodes } from './compositionNodes.ts';
import { watchThumbnails } from './thumbnailChanges.ts';
import type { Thumbnails } from './thumbnails.ts';
import { createTree } from './tree.ts';
import type { ViewNode } from './viewNode.ts';

type Services = Pick<ExtensionServices, 'history' | 'server' | 'log'>;

/** The rows below a row; undefined is the root. */
type Loaded = { node: ViewNode | undefined; rows: readonly ViewNode[] };

export function createCompositionsView({ history, server, log }: Services, thumbnails: Thumbnails): Disposable[] {
  const logError = (error: unknown) => log.error(`The compositions could not be loaded: ${error}`);
  /** By the ID of the row; '' is the root. */
  const loaded = new Map<string, Loaded>();

  const tree = createTree('framework.compositions', thumbnails, async (node) => {
    const id = node?.id ?? '';
    try {
      const rows = loaded.get(id)?.rows ?? (await requestRows(server, node));
      loaded.set(id, { node, rows });
      if (!node) await commands.executeCommand('setContext', 'framework.compositionsRead', true);
      return rows;
    } catch (error) {
      logError(error);
      return [];
    }
  });

  let updates = 0;
  async function update(): Promise<void> {
    if (!tree.view.visible) {
      // They are requested again when the view is shown.
      loaded.clear();
      return;
    }
    const current = ++updates;
    const changed: string[] = [];
    // The root comes first, so that the rows of removed files and projects are known.
    for (const [id, { node, rows: before }] of [...loaded]) {
      if (node && !isShown(loaded, node)) {
        loaded.delete(id);
        continue;
      }
      const rows = await requestRows(server, node);
      // A newer update replaces this one.
      if (current !== updates) return;
      loaded.set(id, { node, rows });
      if (JSON.stringify(rows) !== JSON.stringify(before)) changed.push(id);
    }
    if (changed.includes('')) tree.refresh();
    else for (const id of changed) tree.refresh(id);
  }
  const refresh = (): void => {
    loaded.clear();
    tree.refresh();
  };
  return [
    tree,
    server.onDidChange(() => void update().catch(logError)),
    watchThumbnails(history, () => [...loaded.values()].flatMap(({ rows }) => rows), tree.update),
    workspace.onDidChangeWorkspaceFolders(refresh),
    tree.view.onDidChangeVisibility(({ visible }) => (visible ? refresh() : undefined)),
    commands.registerCommand('framework.compositions.refresh', refresh),
    commands.registerCommand('framework.compositions.reveal', (node: ViewNode) => revealFile(node)),
    commands.registerCommand('framework.compositions.copyPath', (node: ViewNode) => copyPath(node)),
    commands.registerCommand('framework.compositions.openEmbedded', (node: ViewNode) => open(node)),
  ];
}

/** A single project has no row of its own; its files are at the top level. */
async function requestRows(server: Services['server'], node: ViewNode | undefined): Promise<readonly ViewNode[]> {
  if (!node) {
    const projects = await server.request('framework/projects', null);
    const [only, ...others] = projects;
    if (!only) return [];
    return others.length > 0 ? projectNodes(projects) : fileNodes(await requestFiles(server, only.uri));
  }
  const { uri = '', context } = node;
  if (context === projectContext) return projectFileNodes(await requestFiles(server, uri));
  return outlineNodes(uri, await server.request('framework/outline', { uri }));
}

function requestFiles(server: Services['server'], projectUri: string): Promise<CompositionInfo[]> {
  return server.request('framework/compositions', { projectUri });
}

function isShown(loaded: ReadonlyMap<string, Loaded>, { id }: ViewNode): boolean {
  return [...loaded.values()].some(({ rows }) => rows.some((row) => row.id === id));
}

async function revealFile({ uri }: ViewNode): Promise<void> {
  if (uri === undefined) return;
  const file = Uri.parse(uri);
  await commands.executeCommand(file.scheme === 'file' ? revealCommand() : 'revealInExplorer', file);
}

async function copyPath({ uri }: ViewNode): Promise<void> {
  if (uri === undefined) return;
  const file = Uri.parse(uri);
  await env.clipboard.writeText(file.scheme === 'file' ? file.fsPath : file.toString());
}

async function open({ uri }: ViewNode): Promise<void> {
  if (uri !== undefined) await commands.executeCommand('vscode.open', Uri.parse(uri));
}
