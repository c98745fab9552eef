// The editor tab with the catalog of blocks. It closes when a block is chosen. A QuickPick shows images only as small as icons.
import { l10n, Uri, ViewColumn, window } from 'vscode';
import type { Block } from '../../renderer-core/blocks/blockIndex.ts';
import { panelIcon } from '../panelIcon.ts';
import { showPage } from '../webviewPage.ts';
import type { FromBlocks, ToBlocks } from './blockMessages.ts';

/** The chosen block; undefined if the user closes the tab. `images` is the folder of the blocks, `at` is in seconds. */
export function chooseBlock(
  extensionUri: Uri,
  images: Uri,
  blocks: readonly Block[],
  { file, at }: { file: string; at: number },
): Promise<Block | undefined> {
  const title = l10n.t('Insert Block');
  const panel = window.createWebviewPanel('framework.blocks', title, ViewColumn.Active);
  panel.iconPath = panelIcon;
  const page: ToBlocks = {
    type: 'show',
    blocks: blocks.map(({ name, title, description }) => {
      const image = panel.webview.asWebviewUri(Uri.joinPath(images, `${name}.webp`)).toString();
      return { name, title, description, image };
    }),
    strings: {
      title,
      target: l10n.t('{0}, at {1} s', file, at),
      search: l10n.t('Search blocks'),
      none: l10n.t('No blocks found.'),
    },
  };
  return new Promise((done) => {
    panel.onDidDispose(() => done(undefined));
    panel.webview.onDidReceiveMessage((message: FromBlocks) => {
      if (message.type === 'ready') void panel.webview.postMessage(page);
      if (message.type === 'insert') done(blocks.find(({ name }) => name === message.name));
      if (message.type !== 'ready') panel.dispose();
    });
    showPage(panel.webview, extensionUri, { name: 'blocks', title, images });
  });
}
