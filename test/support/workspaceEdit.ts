// Applies the edits of a language feature to a project in one string, so that tests compare texts.
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { WorkspaceEdit } from 'vscode-languageserver-types';
import { filesOf } from './markup.ts';

/** The project afterwards. Edits that overlap, or are of a file that is not there, throw. */
export function applied(source: string, { changes = {} }: WorkspaceEdit): string {
  const isProject = source.startsWith('=== ');
  const files = isProject ? filesOf(source) : new Map([['index.html', source]]);
  for (const [uri, edits] of Object.entries(changes)) {
    const path = [...files.keys()].find((name) => uri.endsWith(`/project/${name}`));
    const text = path === undefined ? undefined : files.get(path);
    if (path === undefined || text === undefined) throw new Error(`There is no file for ${uri}`);
    files.set(path, TextDocument.applyEdits(TextDocument.create(uri, 'html', 1, text), edits));
  }
  const texts = [...files].map(([path, text]) => (isProject ? `=== ${path}\n${text}` : text));
  return texts.join('');
}
