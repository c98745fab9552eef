// Code lenses above a composition: render it or its rows, and show the files that embed it.
import type { CodeLens, Command, Location, Range } from 'vscode-languageserver-types';
import { batchFilesOf } from './batch/batchTarget.ts';
import { locationOf, rangeOf, type SourceFile } from './sourceFile.ts';

/**
 * The lenses of the root composition. Titles are English; a client that translates them builds its own from the command and
 * the counts in its arguments. `manifest`: the text of the project's manifest.
 */
export function codeLenses(file: SourceFile, manifest: string | null): CodeLens[] {
  const { root, declarations } = file.composition;
  if (!root) return [];
  const range = rangeOf(file, root.startTag);
  const argument = { uri: file.uri };
  const commands: Command[] = [{ title: 'Render', command: 'framework.render', arguments: [argument] }];
  if (declarations.length > 0)
    commands.push({ title: 'Render…', command: 'framework.renderWithVariables', arguments: [argument] });
  commands.push(...rowsCommand(file, manifest), ...usersCommand(file, range));
  return commands.map((command) => ({ range, command }));
}

/** Opens the rows of the first batch file. The render dialog lists the others. */
function rowsCommand({ project, path, uriOf }: SourceFile, manifest: string | null): Command[] {
  const [first] = batchFilesOf(path, manifest, project.files(), project.assets());
  if (first === undefined) return [];
  return [{ title: 'Render Rows…', command: 'framework.renderRows', arguments: [{ uri: uriOf(first) }] }];
}

function usersCommand(file: SourceFile, range: Range): Command[] {
  const users = file.project.embeddersOf(file.path);
  if (users.length === 0) return [];
  const title = users.length === 1 ? 'Used by 1 file' : `Used by ${users.length} files`;
  const argument = { uri: file.uri, position: range.start, locations: hostLocations(file, users), files: users.length };
  return [{ title, command: 'framework.showReferences', arguments: [argument] }];
}

/** The `data-composition-src` values that embed the file. */
function hostLocations(file: SourceFile, users: readonly string[]): Location[] {
  return users.flatMap((path) => {
    const user = file.fileAt(path);
    const hosts = user?.composition.hosts.filter(({ src }) => file.project.target(path, src.text) === file.path) ?? [];
    return user ? hosts.map(({ src }) => locationOf(user, src.span)) : [];
  });
}
