// Which rows need new thumbnails: after a change of files, and after a render, during which none are drawn.
import { Disposable, type Uri, workspace } from 'vscode';
import { isProjectFile, pathInProject } from '../preview/projectFiles.ts';
import { isRendering, type RenderHistory } from '../render/history.ts';
import type { ViewNode } from './viewNode.ts';

/** Delay after the last change, in milliseconds. */
const delayMs = 300;

/** Passes the compositions among `rows()` that need new thumbnails, because VS Code keeps the tooltip of a row. */
export function watchThumbnails(
  history: Pick<RenderHistory, 'entries' | 'onDidChange'>,
  rows: () => readonly ViewNode[],
  redraw: (changed: readonly ViewNode[]) => void,
): Disposable {
  const watcher = workspace.createFileSystemWatcher('**/*');
  const changed = new Map<string, Uri>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  function onChange(uri: Uri): void {
    changed.set(uri.toString(), uri);
    clearTimeout(timer);
    timer = setTimeout(() => {
      const uris = [...changed.values()];
      changed.clear();
      redraw(rows().filter((row) => uris.some((one) => isPartOf(row, one))));
    }, delayMs);
  }
  let wasRendering = isRendering(history);
  function onRender(): void {
    const hasEnded = wasRendering && !isRendering(history);
    wasRendering = isRendering(history);
    if (hasEnded) redraw(rows().filter(({ thumbnail }) => thumbnail?.kind === 'composition'));
  }
  return Disposable.from(
    watcher,
    watcher.onDidCreate(onChange),
    watcher.onDidChange(onChange),
    watcher.onDidDelete(onChange),
    history.onDidChange(onRender),
    new Disposable(() => clearTimeout(timer)),
  );
}

function isPartOf({ thumbnail }: ViewNode, file: Uri): boolean {
  const path = thumbnail?.kind === 'composition' ? pathInProject(thumbnail.projectUri, file) : undefined;
  return path !== undefined && isProjectFile(path);
}
