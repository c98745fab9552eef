// Shows a video in the editor of finished videos.
import { env, l10n, RelativePattern, Uri, type WebviewPanel, workspace } from 'vscode';
import { runCliJson } from '../../cli/runCliJson.ts';
import { currentBlock } from '../../language/languageStatus.ts';
import { programOptions } from '../../programOptions.ts';
import { isStored, removeSurplus, storedName } from '../../storedFiles.ts';
import { showPage } from '../../webviewPage.ts';
import type { RenderServices } from '../renderServices.ts';
import type { FromVideo, ToVideo } from './videoMessages.ts';

type Services = Pick<RenderServices, 'active' | 'context' | 'extensionPath' | 'history' | 'host' | 'log'>;

const maxCopies = 10;
/** Names of the copies that this window has shown. */
const shownCopies = new Set<string>();

export function showVideo(panel: WebviewPanel, file: Uri, services: Services): void {
  const { context, history } = services;
  const { webview } = panel;
  const folder = Uri.joinPath(file, '..');
  const copies = Uri.joinPath(context.globalStorageUri, 'videos');
  const name = file.path.slice(file.path.lastIndexOf('/') + 1);
  const stop = new AbortController();
  const post = (message: ToVideo) => void webview.postMessage(message);
  let playsAac = true;
  let turns = 0;

  async function show(): Promise<void> {
    const turn = ++turns;
    const stat = await workspace.fs.stat(file).then(
      (found) => found,
      () => undefined,
    );
    // The video was rendered again in the meantime.
    if (turn !== turns) return;
    if (!stat) return post({ type: 'missing', text: l10n.t('{0} does not exist', name) });
    const { mtime } = stat;
    const poster = rendered()?.poster ?? null;
    // The time of the change makes the page load a video that was rendered again.
    const source = webview
      .asWebviewUri(file)
      .with({ query: String(mtime) })
      .toString();
    const texts = {
      video: l10n.t('Video {0}', name),
      failed: l10n.t('VS Code cannot play this video.'),
      open: l10n.t('Open in Another Program'),
    };
    post({ type: 'show', source, poster, texts });
    if (playsAac || !/\.mp4$/i.test(name)) return;
    const copy = await copyWithSound(file, mtime, copies, services, stop.signal);
    if (copy && turn === turns) post({ type: 'copy', source: webview.asWebviewUri(copy).toString() });
  }

  const rendered = () => history.entries().find(({ output }) => output === file.fsPath);
  const follow = () => {
    const composition = panel.active ? rendered()?.composition : undefined;
    if (composition !== undefined) services.active.show(composition);
  };
  const showOrLog = () => void show().catch((error) => services.log.error(`${name} could not be shown: ${error}`));
  // Renders rename their output, which creates the file. A name in a pattern could have special characters.
  const watcher = workspace.createFileSystemWatcher(new RelativePattern(folder, '*'), false, false, true);
  const onChange = (uri: Uri) => {
    if (uri.toString() === file.toString()) showOrLog();
  };
  const owned = [
    watcher,
    panel.onDidChangeViewState(follow),
    watcher.onDidCreate(onChange),
    watcher.onDidChange(onChange),
    webview.onDidReceiveMessage((message: FromVideo) => {
      if (message.type === 'openOutside') return void env.openExternal(file);
      playsAac = message.playsAac;
      showOrLog();
    }),
  ];
  panel.onDidDispose(() => {
    stop.abort();
    for (const one of owned) one.dispose();
  });
  follow();
  showPage(webview, context.extensionUri, { name: 'video', title: name, videos: [folder, copies] });
}

/** VS Code has no decoder for AAC. Undefined for a video without sound, and when the copy fails. */
async function copyWithSound(
  file: Uri,
  mtime: number,
  folder: Uri,
  { extensionPath, host, log }: Omit<Services, 'active'>,
  signal: AbortSignal,
): Promise<Uri | undefined> {
  if (file.scheme !== 'file' || currentBlock(host.startCli !== undefined)) return undefined;
  const copyName = await storedName([file.toString(), mtime], 'mp4');
  shownCopies.add(copyName);
  const copy = Uri.joinPath(folder, copyName);
  if (await isStored(copy)) return copy;
  await workspace.fs.createDirectory(folder);
  const args = ['copy-video', file.fsPath, `--output=${copy.fsPath}`, ...programOptions(['ffmpeg'])];
  const request = { args, cwd: Uri.joinPath(file, '..').fsPath, signal };
  const result = await runCliJson<{ output: string | null }>({ extensionPath, host }, request);
  if ('error' in result) {
    if (!signal.aborted) log.warn(`${file.fsPath} plays without sound: ${result.error.message}`);
    return undefined;
  }
  await removeSurplus(folder, maxCopies, shownCopies);
  return result.value.output === null ? undefined : copy;
}
