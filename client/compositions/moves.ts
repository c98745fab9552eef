// Files and folders that the user renames or moves in the editor: what the extension remembers about them moves too.
import { Uri } from 'vscode';
import type { CompositionInfo } from '../../server/protocol.ts';

/** The URIs of a file or folder before and after, as VS Code reports them. */
type Renamed = { readonly oldUri: Uri; readonly newUri: Uri };

/** The URI of a file after the moves. A file that stays keeps its URI as it is written. */
export type MovedUri = (uri: string) => string;

export function movedIn(renamed: readonly Renamed[]): MovedUri {
  return (given) => {
    const uri = Uri.parse(given).toString();
    for (const { oldUri, newUri } of renamed) {
      if (uri === oldUri.toString()) return newUri.toString();
      if (uri.startsWith(`${oldUri}/`)) return newUri + uri.slice(oldUri.toString().length);
    }
    return given;
  };
}

/** A path on disk after the moves. */
export function movedPath(path: string, moved: MovedUri): string {
  const uri = Uri.file(path).toString();
  const after = moved(uri);
  return after === uri ? path : Uri.parse(after).fsPath;
}

/** The composition after the moves; the same object if it stays, and undefined if it is in another project now. */
export function movedComposition(composition: CompositionInfo, moved: MovedUri): CompositionInfo | undefined {
  const [uri, projectUri] = [moved(composition.uri), moved(composition.projectUri)];
  if (uri === composition.uri) return composition;
  const [file, project] = [Uri.parse(uri).path, Uri.parse(projectUri).path.replace(/\/?$/, '/')];
  return file.startsWith(project) ? { ...composition, uri, projectUri, path: file.slice(project.length) } : undefined;
}

/** Values by the URIs of compositions. */
export const withMovedKeys = <Value>(all: Iterable<readonly [string, Value]>, moved: MovedUri): [string, Value][] =>
  [...all].map(([uri, value]) => [moved(uri), value]);
