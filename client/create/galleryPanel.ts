// An editor tab with images to choose from. It closes after the choice. A QuickPick shows images only as small as icons.
import { Uri, ViewColumn, window } from 'vscode';
import { panelIcon } from '../panelIcon.ts';
import { showPage } from '../webviewPage.ts';
import type { Card, FromGallery, ToGallery } from './galleryMessages.ts';

export type Gallery<Item extends Card> = {
  viewType: string;
  items: readonly Item[];
  /** The folder with `<name>.webp` for each item. */
  images: Uri;
  strings: ToGallery['strings'];
};

/** The chosen item; undefined if the user closes the tab. */
export function chooseFromGallery<Item extends Card>(
  extensionUri: Uri,
  { viewType, items, images, strings }: Gallery<Item>,
): Promise<Item | undefined> {
  const panel = window.createWebviewPanel(viewType, strings.title, ViewColumn.Active);
  panel.iconPath = panelIcon;
  const imageUrl = (name: string) => panel.webview.asWebviewUri(Uri.joinPath(images, `${name}.webp`)).toString();
  const cards = items.map(({ name, title, description, detail }) => ({
    ...{ name, title, description, detail },
    image: imageUrl(name),
  }));
  return new Promise((done) => {
    panel.onDidDispose(() => done(undefined));
    panel.webview.onDidReceiveMessage((message: FromGallery) => {
      if (message.type === 'ready')
        void panel.webview.postMessage({ type: 'show', cards, strings } satisfies ToGallery);
      if (message.type === 'choose') done(items.find(({ name }) => name === message.name));
      if (message.type !== 'ready') panel.dispose();
    });
    showPage(panel.webview, extensionUri, { name: 'gallery', title: strings.title, images });
  });
}
