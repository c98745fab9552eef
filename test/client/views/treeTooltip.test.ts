// The tooltips of rows with a thumbnail, as VS Code requests them.
import { expect, test, vi } from 'vitest';
import type { Thumbnails } from '../../../client/views/thumbnails.ts';
import { createTree } from '../../../client/views/tree.ts';
import type { ViewNode } from '../../../client/views/viewNode.ts';

type Item = { tooltip?: { value: string } };
type Token = { isCancellationRequested: boolean };
type Provider = {
  getTreeItem(node: ViewNode): Item;
  resolveTreeItem(item: Item, node: ViewNode, token: Token): Promise<Item>;
};

const shown = vi.hoisted(() => ({ provider: undefined as unknown }));

vi.mock('vscode', () => ({
  EventEmitter: class {},
  MarkdownString: class {
    readonly value: string;
    constructor(value: string) {
      this.value = value;
    }
  },
  TreeItem: class {},
  TreeItemCollapsibleState: {},
  window: {
    createTreeView: (_: string, options: { treeDataProvider: unknown }) => (shown.provider = options.treeDataProvider),
  },
}));

/** The provider of a tree whose thumbnails are drawn at once. */
function providerOf(): Provider {
  const thumbnails = { canDraw: () => true, fileOf: async () => 'file:///a.jpg' } as unknown as Thumbnails;
  createTree('rows', thumbnails, () => []);
  return shown.provider as Provider;
}

const node: ViewNode = { id: 'a', label: 'a', tooltip: '**a**', thumbnail: { kind: 'video', file: '/w/a.mp4' } };

test('leaves a row that the mouse has left without a tooltip, because VS Code keeps the first one', async () => {
  const { getTreeItem, resolveTreeItem } = providerOf();
  const left = await resolveTreeItem(getTreeItem(node), node, { isCancellationRequested: true });
  expect(left.tooltip).toBeUndefined();
  const again = await resolveTreeItem(left, node, { isCancellationRequested: false });
  expect(again.tooltip?.value).toBe('![](file:///a.jpg|height=200)\n\n**a**');
});
