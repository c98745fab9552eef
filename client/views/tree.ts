// A tree view whose rows are plain data.
import {
  type CancellationToken,
  type Disposable,
  EventEmitter,
  MarkdownString,
  Range,
  ThemeColor,
  ThemeIcon,
  TreeItem,
  TreeItemCollapsibleState,
  type TreeView,
  Uri,
  window,
} from 'vscode';
import { isVideo, openVideoArguments } from '../render/video/videoEditor.ts';
import { accessibilityLabel } from './accessibilityLabels.ts';
import { withThumbnail } from './thumbnailFile.ts';
import type { Thumbnails } from './thumbnails.ts';
import type { ViewNode } from './viewNode.ts';

export type Tree = Disposable & {
  view: TreeView<ViewNode>;
  /** Requests the children of a row again, or the whole tree. Does nothing for a row that is not shown. */
  refresh(id?: string): void;
  /** Updates the content of rows without reloading the tree. */
  update(nodes: readonly ViewNode[]): void;
};

/** `children(undefined)` returns the top-level rows. */
export function createTree(
  viewId: string,
  thumbnails: Thumbnails,
  children: (node: ViewNode | undefined) => readonly ViewNode[] | Promise<readonly ViewNode[]>,
): Tree {
  const changed = new EventEmitter<ViewNode | ViewNode[] | undefined>();
  // VS Code identifies a row by the last object it received.
  const given = new Map<string, ViewNode>();
  const view = window.createTreeView<ViewNode>(viewId, {
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getTreeItem: (node) => treeItem(node, node.thumbnail !== undefined && thumbnails.canDraw()),
      resolveTreeItem: (item, node, token) => withTooltip(item, node, token, thumbnails),
      async getChildren(node) {
        if (!node) given.clear();
        const found = [...(node?.children ?? (await children(node)))];
        for (const child of found) given.set(child.id, child);
        return found;
      },
    },
    showCollapseAll: true,
  });
  return {
    view,
    refresh(id) {
      const node = id === undefined ? undefined : given.get(id);
      if (id === undefined || node) changed.fire(node);
    },
    update(nodes) {
      const known = nodes.flatMap((node) => {
        const one = given.get(node.id);
        if (!one) return [];
        for (const key of Object.keys(one) as (keyof ViewNode)[]) if (!(key in node)) delete one[key];
        return [Object.assign(one, node)];
      });
      if (known.length > 0) changed.fire(known);
    },
    dispose() {
      changed.dispose();
      view.dispose();
    },
  };
}

const folds = { open: TreeItemCollapsibleState.Expanded, closed: TreeItemCollapsibleState.Collapsed } as const;

/** VS Code calls this when the mouse is over a row without a tooltip, and again if that was cancelled. */
async function withTooltip(
  item: TreeItem,
  { label, tooltip, thumbnail }: ViewNode,
  token: CancellationToken,
  thumbnails: Thumbnails,
): Promise<TreeItem> {
  const file = thumbnail && (await thumbnails.fileOf(thumbnail, token));
  // VS Code would keep this tooltip, and then the row never shows its thumbnail.
  if (token.isCancellationRequested) return item;
  // Without any tooltip, VS Code would no longer show a label that is too long for its row.
  item.tooltip = tooltip === undefined ? label : new MarkdownString(withThumbnail(file?.toString(), tooltip), true);
  return item;
}

/** `hasThumbnail`: the tooltip follows later. */
function treeItem(node: ViewNode, hasThumbnail: boolean): TreeItem {
  const { id, label, fold, description, tooltip, icon, context, resource, opens, plays, runs } = node;
  const item = new TreeItem(label, fold ? folds[fold] : TreeItemCollapsibleState.None);
  item.id = id;
  if (description !== undefined) item.description = description;
  if (tooltip !== undefined && !hasThumbnail) item.tooltip = new MarkdownString(tooltip, true);
  if (icon) item.iconPath = new ThemeIcon(icon.name, icon.color === undefined ? undefined : new ThemeColor(icon.color));
  const readOut = accessibilityLabel(node);
  if (readOut !== undefined) item.accessibilityInformation = { label: readOut };
  if (context !== undefined) item.contextValue = context;
  if (resource !== undefined) item.resourceUri = Uri.parse(resource);
  if (runs) item.command = { title: label, command: runs.command, arguments: [...(runs.args ?? [])] };
  if (plays !== undefined) item.command = { title: label, ...playCommand(plays) };
  if (opens) {
    const { uri, range } = opens;
    const selection = range && new Range(range.start.line, range.start.character, range.end.line, range.end.character);
    item.command = { title: label, command: 'vscode.open', arguments: [Uri.parse(uri), { selection }] };
  }
  return item;
}

function playCommand(path: string): { command: string; arguments: unknown[] } {
  if (isVideo(path))
    return { command: 'vscode.openWith', arguments: openVideoArguments(path, { preserveFocus: true }) };
  // VS Code passes its own `vscode.open` command whether the focus stays in the tree.
  return { command: 'vscode.open', arguments: [Uri.file(path)] };
}
