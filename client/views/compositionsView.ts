// The Compositions view: asks the language server, and draws anew only what is different.
import { commands, type Disposable, env, Uri, workspace } from 'vscode';
import type { CompositionInfo } from '../../server/protocol.ts';
import { revealCommand } from '../render/openOutput.ts';
import type { Tools } from '../tools.ts';
import { compositionNodes, outlineNodes } from './compositionNodes.ts';
import type { ViewNode } from './node.ts';
import { createTree } from './tree.ts';

export function createCompositionsView({ server, log }: Pick<Tools, 'server' | 'log'>): Disposable[] {
  let compositions: readonly CompositionInfo[] | undefined;
  const outlines = new Map<string, readonly ViewNode[]>();

  const listed = () => server.ask('framework/compositions', null);
  const outlined = async (uri: string) => outlineNodes(uri, await server.ask('framework/outline', { uri }));
  const tree = createTree('framework.compositions', async (node) => {
    try {
      if (node?.uri === undefined) {
        compositions ??= await listed();
        await commands.executeCommand('setContext', 'framework.compositionsRead', true);
        return compositionNodes(compositions);
      }
      const rows = outlines.get(node.uri) ?? (await outlined(node.uri));
      outlines.set(node.uri, rows);
      return rows;
    } catch (error) {
      log.debug(`The compositions are not known: ${error}`);
      return [];
    }
  });

  /** The newest turn wins; nothing is drawn that is as it was. */
  let turns = 0;
  async function update(): Promise<void> {
    if (!tree.view.visible) {
      // Asked for anew when it is shown again.
      compositions = undefined;
      outlines.clear();
      return;
    }
    const turn = ++turns;
    const now = await listed();
    if (turn !== turns) return;
    const shown = new Set(now.map(({ uri }) => uri));
    const isSame = JSON.stringify(now) === JSON.stringify(compositions);
    compositions = now;
    const stale: string[] = [];
    for (const [uri, before] of [...outlines]) {
      const rows = shown.has(uri) ? await outlined(uri) : [];
      if (turn !== turns) return;
      if (JSON.stringify(rows) !== JSON.stringify(before)) stale.push(uri);
      if (shown.has(uri)) outlines.set(uri, rows);
      else outlines.delete(uri);
    }
    if (!isSame) tree.refresh();
    else for (const uri of stale) tree.refresh(uri);
  }
  const tell = (error: unknown) => log.debug(`The compositions are not known: ${error}`);
  const all = (): void => {
    compositions = undefined;
    outlines.clear();
    tree.refresh();
  };
  return [
    tree,
    server.onDidChange(() => void update().catch(tell)),
    workspace.onDidChangeWorkspaceFolders(all),
    tree.view.onDidChangeVisibility(({ visible }) => (visible ? all() : undefined)),
    commands.registerCommand('framework.compositions.refresh', all),
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
