// SourceFiles in memory, with the cursor as `|`.
import { TextDocument } from 'vscode-languageserver-textdocument';
import { createProject, type Project } from '../../../renderer-core/lint/project.ts';
import type { SourceFile } from '../../../server/features/sourceFile.ts';
import { filesOf } from './markup.ts';

const base = 'file:///project/';

/** The known durations of media files, in seconds. */
type Durations = Record<string, number>;

/** The file with the cursor (otherwise the first) and the cursor's offset. Files follow lines `=== path`. */
export function fileWithCursor(source: string, durations: Durations = {}): { file: SourceFile; offset: number } {
  const files = source.startsWith('=== ') ? filesOf(source) : new Map([['index.html', source]]);
  let found: { path: string; offset: number } | undefined;
  for (const [path, text] of files) {
    const offset = text.indexOf('|');
    if (offset < 0 || found) continue;
    found = { path, offset };
    files.set(path, text.slice(0, offset) + text.slice(offset + 1));
  }
  const { path, offset } = found ?? { path: [...files.keys()][0] ?? '', offset: 0 };
  const file = sourceFile(files, path, durations);
  if (!file) throw new Error(`${path} is not a composition`);
  return { file, offset };
}

export function sourceFile(
  files: ReadonlyMap<string, string>,
  path: string,
  durations: Durations = {},
): SourceFile | undefined {
  const project = createProject();
  project.setAssets(files.keys());
  for (const [name, text] of files) if (/\.(?:html|css|vtt|srt)$/.test(name)) project.set(name, text);
  const open = (name: string): SourceFile | undefined => fileOf(project, files, name, open, durations);
  return open(path);
}

function fileOf(
  project: Project,
  files: ReadonlyMap<string, string>,
  path: string,
  fileAt: SourceFile['fileAt'],
  durations: Durations,
): SourceFile | undefined {
  const composition = project.composition(path);
  if (!composition) return undefined;
  const uri = base + path;
  const document = TextDocument.create(uri, 'html', 1, files.get(path) ?? '');
  const mediaDuration = (name: string) => durations[name];
  return { path, uri, document, composition, project, fileAt, uriOf: (name) => base + name, mediaDuration };
}
