// Shows rows that are plain data in a view of the side bar.
import {
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
import type { ViewNode } from './node.ts';
import { spokenLabel } from './spoken.ts';

export type Tree = Disposable & {
  view: TreeView<ViewNode>;
  /** Asks anew for what is below the row with this id, or for all. Rows that are not shown are left alone. */
  refresh(id?: string): void;
  /** Draws rows that are shown already with other texts; nothing else of the tree moves. */
  update(nodes: readonly ViewNode[]): void;
};

/** `children` of undefined are the rows at the top. */
export function createTree(
  viewId: string,
  children: (node: ViewNode | undefined) => readonly ViewNode[] | Promise<readonly ViewNode[]>,
): Tree {
  const changed = new EventEmitter<ViewNode | ViewNode[] | undefined>();
  // The editor knows a row by the object that it was given last.
  const given = new Map<string, ViewNode>();
  const view = window.createTreeView<ViewNode>(viewId, {
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getTreeItem: treeItem,
      async getChildren(node) {
        if (!node) given.clear();
        const found = [...(node?.children ?? (await children(node)))];
        for (const one of found) given.set(one.id, one);
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

function treeItem(node: ViewNode): TreeItem {
  const { id, label, fold, description, tooltip, icon, context, resource, opens, plays, runs } = node;
  const item = new TreeItem(label, fold ? folds[fold] : TreeItemCollapsibleState.None);
  item.id = id;
  if (description !== undefined) item.description = description;
  if (tooltip !== undefined) item.tooltip = new MarkdownString(tooltip, true);
  if (icon) item.iconPath = new ThemeIcon(icon.name, icon.color === undefined ? undefined : new ThemeColor(icon.color));
  const spoken = spokenLabel(node);
  if (spoken !== undefined) item.accessibilityInformation = { label: spoken };
  if (context !== undefined) item.contextValue = context;
  if (resource !== undefined) item.resourceUri = Uri.parse(resource);
  if (runs) item.command = { title: label, command: runs.command, arguments: [...(runs.args ?? [])] };
  // The editor adds to this command whether the row was only looked at or gone into.
  if (plays !== undefined) item.command = { title: label, command: 'vscode.open', arguments: [Uri.file(plays)] };
  if (opens) {
    const { uri, range } = opens;
    const selection = range && new Range(range.start.line, range.start.character, range.end.line, range.end.character);
    item.command = { title: label, command: 'vscode.open', arguments: [Uri.parse(uri), { selection }] };
  }
  return item;
}
