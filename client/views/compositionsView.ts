// The Compositions view. It requests the compositions from the language server and redraws only rows that changed.
import { commands, type Disposable, env, Uri, workspace } from 'vscode';
import type { CompositionInfo } from '../../server/protocol.ts';
import type { ExtensionServices } from '../extensionServices.ts';
import { revealCommand } from '../render/openOutput.ts';
import { compositionNodes, outlineNodes } from './compositionNodes.ts';
import { createTree } from './tree.ts';
import type { ViewNode } from './viewNode.ts';

export function createCompositionsView({ server, log }: Pick<ExtensionServices, 'server' | 'log'>): Disposable[] {
  let compositions: readonly CompositionInfo[] | undefined;
  const logError = (error: unknown) => log.error(`The compositions could not be loaded: ${error}`);
  const outlines = new Map<string, readonly ViewNode[]>();

  const requestList = () => server.request('framework/compositions', null);
  const requestOutline = async (uri: string) => outlineNodes(uri, await server.request('framework/outline', { uri }));
  const tree = createTree('framework.compositions', async (node) => {
    try {
      if (node?.uri === undefined) {
        compositions ??= await requestList();
        await commands.executeCommand('setContext', 'framework.compositionsRead', true);
        return compositionNodes(compositions);
      }
      const rows = outlines.get(node.uri) ?? (await requestOutline(node.uri));
      outlines.set(node.uri, rows);
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
      compositions = undefined;
      outlines.clear();
      return;
    }
    const current = ++updates;
    const now = await requestList();
    // A newer update replaces this one.
    if (current !== updates) return;
    const shown = new Set(now.map(({ uri }) => uri));
    const isSame = JSON.stringify(now) === JSON.stringify(compositions);
    compositions = now;
    const stale: string[] = [];
    for (const [uri, before] of [...outlines]) {
      const rows = shown.has(uri) ? await requestOutline(uri) : [];
      if (current !== updates) return;
      if (JSON.stringify(rows) !== JSON.stringify(before)) stale.push(uri);
      if (shown.has(uri)) outlines.set(uri, rows);
      else outlines.delete(uri);
    }
    if (!isSame) tree.refresh();
    else for (const uri of stale) tree.refresh(uri);
  }
  const refresh = (): void => {
    compositions = undefined;
    outlines.clear();
    tree.refresh();
  };
  return [
    tree,
    server.onDidChange(() => void update().catch(logError)),
    workspace.onDidChangeWorkspaceFolders(refresh),
    tree.view.onDidChangeVisibility(({ visible }) => (visible ? refresh() : undefined)),
    commands.registerCommand('framework.compositions.refresh', refresh),
    commands.registerCommand('framework.compositions.reveal', (node: ViewNode) => revealFile(node)),
    commands.registerCommand('framework.compositions.copyPath', (node: ViewNode) => copyPath(node)),
    commands.registerCommand('framework.compositions.openEmbedded', (node: ViewNode) => open(node)),
  ];
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
