// Shows a video in the editor of finished videos.
import { l10n, RelativePattern, Uri, type WebviewPanel, workspace } from 'vscode';
import { showPage } from '../webviewPage.ts';
import type { RenderServices } from './renderServices.ts';
import type { FromVideo, ToVideo } from './videoMessages.ts';

export function showVideo(
  panel: WebviewPanel,
  file: Uri,
  { context, history }: Pick<RenderServices, 'context' | 'history'>,
): void {
  const { webview } = panel;
  const folder = Uri.joinPath(file, '..');
  const name = file.path.slice(file.path.lastIndexOf('/') + 1);
  const show = async (): Promise<void> => {
    const { mtime } = await workspace.fs.stat(file);
    const poster = history.entries().find(({ output }) => output === file.fsPath)?.poster ?? null;
    // The time of the change makes the page load a video that was rendered again.
    const source = webview
      .asWebviewUri(file)
      .with({ query: String(mtime) })
      .toString();
    const texts = { video: l10n.t('Video {0}', name), failed: l10n.t('VS Code cannot play this video.') };
    await webview.postMessage({ type: 'show', source, poster, texts } satisfies ToVideo);
  };
  const watcher = workspace.createFileSystemWatcher(new RelativePattern(folder, name), true, false, true);
  const owned = [
    watcher,
    watcher.onDidChange(() => void show()),
    webview.onDidReceiveMessage(({ type }: FromVideo) => type === 'ready' && void show()),
  ];
  panel.onDidDispose(() => {
    for (const one of owned) one.dispose();
  });
  showPage(webview, context.extensionUri, { name: 'video', title: name, videos: folder });
}
