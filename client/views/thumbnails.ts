// Thumbnails for the tooltips of rows. The command line draws each one when its row is hovered; a folder of the extension keeps them.
import { type CancellationToken, Uri, workspace } from 'vscode';
import { runCliJson } from '../cli/runCliJson.ts';
import { currentBlock } from '../language/languageStatus.ts';
import { listFiles } from '../language/servedFiles.ts';
import { isProjectFile } from '../preview/projectFiles.ts';
import { programOptions } from '../programOptions.ts';
import { isRendering } from '../render/history.ts';
import type { RenderServices } from '../render/renderServices.ts';
import { isStored, removeSurplus, storedName } from '../storedFiles.ts';
import { shownFile, type Thumbnail, thumbnailCommand } from './thumbnailFile.ts';

export type Thumbnails = {
  /** Whether this window can draw thumbnails. */
  canDraw(): boolean;
  /**
   * The file of a thumbnail. Undefined when it cannot be drawn or the token is cancelled, and during a render if it needs a
   * browser. Never throws.
   */
  fileOf(thumbnail: Thumbnail, token: CancellationToken): Promise<Uri | undefined>;
};

const maxFiles = 200;
const maxProjectFiles = 2000;

type Services = Pick<RenderServices, 'context' | 'extensionPath' | 'history' | 'host' | 'log'>;

export function createThumbnails({ context, extensionPath, history, host, log }: Services): Thumbnails {
  const folder = Uri.joinPath(context.globalStorageUri, 'thumbnails');
  const version = String(context.extension.packageJSON.version);
  /** Browsers are large, so that only one runs at a time. */
  let turn: Promise<unknown> = Promise.resolve();

  async function draw(thumbnail: Thumbnail, token: CancellationToken): Promise<Uri | undefined> {
    const file = Uri.joinPath(folder, await storedName([thumbnail, await changeTimes(thumbnail), version], 'jpg'));
    if (await isStored(file)) return file;
    const isPaused = () => thumbnail.kind === 'composition' && isRendering(history);
    if (token.isCancellationRequested || isPaused()) return undefined;
    await workspace.fs.createDirectory(folder);
    const stop = new AbortController();
    const cancellation = token.onCancellationRequested(() => stop.abort());
    const renders = history.onDidChange(() => isPaused() && stop.abort());
    try {
      const { args, cwd, programs } = thumbnailCommand(thumbnail, file.fsPath);
      const request = { args: [...args, ...programOptions(programs)], cwd, signal: stop.signal };
      const result = await runCliJson({ extensionPath, host }, request);
      if (stop.signal.aborted) return undefined;
      if ('error' in result) {
        log.debug(`The thumbnail of ${shownFile(thumbnail)} could not be drawn: ${result.error.message}`);
        return undefined;
      }
      await removeSurplus(folder, maxFiles);
      return file;
    } finally {
      cancellation.dispose();
      renders.dispose();
    }
  }

  return {
    canDraw: () => currentBlock(host.startCli !== undefined) === undefined,
    fileOf(thumbnail, token) {
      const drawn = turn.then(() => (token.isCancellationRequested ? undefined : draw(thumbnail, token)));
      const result = drawn.catch((error) => {
        log.debug(`The thumbnail of ${shownFile(thumbnail)} could not be drawn: ${error}`);
        return undefined;
      });
      turn = result;
      return result;
    },
  };
}

/** The times of the last changes of all files that the thumbnail can show. */
async function changeTimes(thumbnail: Thumbnail): Promise<unknown> {
  const shown = await workspace.fs.stat(shownFile(thumbnail));
  if (thumbnail.kind === 'video') return shown.mtime;
  const { projectUri: uri } = thumbnail;
  const { paths } = await listFiles({ uri, skip: ['node_modules', 'renders'], limit: maxProjectFiles });
  const timeOf = (path: string) =>
    workspace.fs.stat(Uri.joinPath(Uri.parse(uri), path)).then(
      ({ mtime }) => [path, mtime],
      () => [path],
    );
  return Promise.all(paths.filter(isProjectFile).sort().map(timeOf));
}
