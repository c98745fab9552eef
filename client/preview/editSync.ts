// Tells a preview's process what is edited: texts that are not saved, and files that change on disk.
import { Disposable, RelativePattern, type TextDocument, Uri, workspace } from 'vscode';
import { type PreviewProcess, showsTyping } from './previewProcess.ts';
import { pathInProject } from './projectPath.ts';
import { isShown, isTyped } from './shownFiles.ts';

/** After the last key. Milliseconds. */
const typingPauseMs = 40;

export function followEdits({ projectUri, send }: PreviewProcess): Disposable {
  const pauses = new Map<string, ReturnType<typeof setTimeout>>();
  /** At most one for a path in each pause; the last one counts. */
  const later = (path: string, act: () => void): void => {
    clearTimeout(pauses.get(path));
    pauses.set(
      path,
      setTimeout(() => {
        pauses.delete(path);
        act();
      }, typingPauseMs),
    );
  };
  const typedPath = ({ uri }: TextDocument): string | undefined => {
    const path = pathInProject(projectUri, uri);
    return path !== undefined && isTyped(path) ? path : undefined;
  };
  const tellTyped = (document: TextDocument): void => {
    const path = typedPath(document);
    if (path !== undefined && showsTyping()) later(path, () => send({ type: 'text', path, text: document.getText() }));
  };
  const tellSaved = (uri: Uri, isText: boolean): void => {
    const path = pathInProject(projectUri, uri);
    if (path === undefined || !isShown(path)) return;
    later(path, () => {
      if (isText) send({ type: 'text', path, text: null });
      send({ type: 'changed', path });
    });
  };
  const isUnsaved = (uri: Uri): boolean =>
    workspace.textDocuments.some((document) => document.isDirty && document.uri.toString() === uri.toString());
  // A change on disk below a text that is not saved is seen when that is.
  const onDisk = (uri: Uri): void => {
    if (!isUnsaved(uri)) tellSaved(uri, false);
  };
  const tellAll = (): void => {
    for (const document of workspace.textDocuments) if (document.isDirty) tellTyped(document);
  };
  const watcher = workspace.createFileSystemWatcher(new RelativePattern(Uri.parse(projectUri), '**/*'));
  tellAll();
  return Disposable.from(
    watcher,
    watcher.onDidChange(onDisk),
    watcher.onDidCreate(onDisk),
    watcher.onDidDelete(onDisk),
    workspace.onDidChangeTextDocument(
      ({ document, contentChanges }) => contentChanges.length > 0 && tellTyped(document),
    ),
    workspace.onDidSaveTextDocument(({ uri }) => tellSaved(uri, true)),
    // Closed without saving: as on disk again.
    workspace.onDidCloseTextDocument((document) => {
      const path = typedPath(document);
      if (path !== undefined) later(path, () => send({ type: 'text', path, text: null }));
    }),
    workspace.onDidChangeConfiguration((event) => {
      if (!event.affectsConfiguration('framework.preview.reload')) return;
      if (showsTyping()) return tellAll();
      for (const document of workspace.textDocuments) {
        const path = typedPath(document);
        if (path !== undefined) send({ type: 'text', path, text: null });
      }
    }),
    new Disposable(() => {
      for (const pause of pauses.values()) clearTimeout(pause);
    }),
  );
}
