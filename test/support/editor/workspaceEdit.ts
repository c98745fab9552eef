// Applies workspace edits to a project in one string, so that tests compare texts.
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { TextEdit, WorkspaceEdit } from 'vscode-languageserver-types';
import { filesOf } from './markup.ts';

/** Returns the changed project. Throws on overlapping edits and on edits of missing files. */
export function applied(source: string, { changes: given, documentChanges = [] }: WorkspaceEdit): string {
  const files = source.startsWith('=== ') ? filesOf(source) : new Map([['index.html', source]]);
  const changes: [string, TextEdit[]][] = Object.entries(given ?? {});
  for (const change of documentChanges) {
    if (!('kind' in change)) changes.push([change.textDocument.uri, change.edits as TextEdit[]]);
    else if (change.kind === 'create') files.set(change.uri.replace(/^.*\/project\//, ''), '');
  }
  const isProject = files.size > 1 || source.startsWith('=== ');
  for (const [uri, edits] of changes) {
    const path = [...files.keys()].find((name) => uri.endsWith(`/project/${name}`));
    const text = path === undefined ? undefined : files.get(path);
    if (path === undefined || text === undefined) throw new Error(`There is no file for ${uri}`);
    files.set(path, TextDocument.applyEdits(TextDocument.create(uri, 'html', 1, text), edits));
  }
  const texts = [...files].map(([path, text]) => (isProject ? `=== ${path}\n${text}` : text));
  // One `=== path` line for each file.
  return texts.map((text, index) => (index < texts.length - 1 && !text.endsWith('\n') ? `${text}\n` : text)).join('');
}
