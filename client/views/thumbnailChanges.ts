// Which rows need new thumbnails after a change of files.
import { Disposable, type Uri, workspace } from 'vscode';
import { isProjectFile, pathInProject } from '../preview/projectFiles.ts';
import type { ViewNode } from './viewNode.ts';

/** Delay after the last change, in milliseconds. */
const delayMs = 300;

/** Passes the compositions among `rows()` whose project has changed, because VS Code keeps the tooltip of a row. */
export function watchThumbnails(
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
  return Disposable.from(
    watcher,
    watcher.onDidCreate(onChange),
    watcher.onDidChange(onChange),
    watcher.onDidDelete(onChange),
    new Disposable(() => clearTimeout(timer)),
  );
}

function isPartOf({ thumbnail }: ViewNode, file: Uri): boolean {
  const path = thumbnail?.kind === 'composition' ? pathInProject(thumbnail.projectUri, file) : undefined;
  return path !== undefined && isProjectFile(path);
}
