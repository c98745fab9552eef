// Sends edits to a preview process: unsaved texts, and files that change on disk.
import { Disposable, RelativePattern, type TextDocument, Uri, workspace } from 'vscode';
import { type PreviewProcess, showsTyping } from './previewProcess.ts';
import { isProjectFile, isTextFile, pathInProject } from './projectFiles.ts';

/** Delay after the last edit of a file, in milliseconds. */
const editDelayMs = 40;

export function followEdits({ projectUri, send }: PreviewProcess): Disposable {
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  /** Debounces the actions of each key; only the last one runs. */
  const debounce = (key: string, act: () => void): void => {
    clearTimeout(timers.get(key));
    timers.set(
      key,
      setTimeout(() => {
        timers.delete(key);
        act();
      }, editDelayMs),
    );
  };
  const textPath = ({ uri }: TextDocument): string | undefined => {
    const path = pathInProject(projectUri, uri);
    return path !== undefined && isTextFile(path) ? path : undefined;
  };
  const sendText = (document: TextDocument): void => {
    const path = textPath(document);
    if (path === undefined) return;
    // The check for undo must not replace a save that is still to be sent. Paths never start with a slash.
    debounce(showsTyping() ? path : `/undo/${path}`, () => {
      if (showsTyping()) send({ type: 'text', path, text: document.getText() });
      // An edit of the preview, which is always shown, was undone.
      else if (!document.isDirty) send({ type: 'text', path, text: null });
    });
  };
  const sendChange = (uri: Uri, wasSaved: boolean): void => {
    const path = pathInProject(projectUri, uri);
    if (path === undefined || !isProjectFile(path)) return;
    debounce(path, () => {
      if (wasSaved) send({ type: 'text', path, text: null });
      send({ type: 'changed', path });
    });
  };
  const isUnsaved = (uri: Uri): boolean =>
    workspace.textDocuments.some((document) => document.isDirty && document.uri.toString() === uri.toString());
  // An unsaved text hides changes of its file on disk.
  const onDiskChange = (uri: Uri): void => {
    if (!isUnsaved(uri)) sendChange(uri, false);
  };
  const sendUnsaved = (): void => {
    for (const document of workspace.textDocuments) if (document.isDirty) sendText(document);
  };
  const watcher = workspace.createFileSystemWatcher(new RelativePattern(Uri.parse(projectUri), '**/*'));
  sendUnsaved();
  return Disposable.from(
    watcher,
    watcher.onDidChange(onDiskChange),
    watcher.onDidCreate(onDiskChange),
    watcher.onDidDelete(onDiskChange),
    workspace.onDidChangeTextDocument(
      ({ document, contentChanges }) => contentChanges.length > 0 && sendText(document),
    ),
    workspace.onDidSaveTextDocument(({ uri }) => sendChange(uri, true)),
    // When a document is closed without saving, the file on disk counts again.
    workspace.onDidCloseTextDocument((document) => {
      const path = textPath(document);
      if (path !== undefined) debounce(path, () => send({ type: 'text', path, text: null }));
    }),
    workspace.onDidChangeConfiguration((event) => {
      if (!event.affectsConfiguration('framework.preview.reload')) return;
      if (showsTyping()) return sendUnsaved();
      for (const document of workspace.textDocuments) {
        const path = textPath(document);
        if (path !== undefined) send({ type: 'text', path, text: null });
      }
    }),
    new Disposable(() => {
      for (const timer of timers.values()) clearTimeout(timer);
    }),
  );
}
