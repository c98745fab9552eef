// The data files of compositions: each has rows of values.
import { type LogOutputChannel, RelativePattern, Uri, workspace } from 'vscode';
import type { CompositionInfo } from '../../server/protocol.ts';
import type { LanguageServer } from '../language/languageServer.ts';
import { resultOrLog } from '../language/serverResult.ts';

/** `path`: in the project folder. */
export type DataFile = { uri: string; path: string };

const maxFiles = 30;

/** The language server answers only for open documents. */
export const openDocument = (uri: Uri): Thenable<boolean> =>
  workspace.openTextDocument(uri).then(
    () => true,
    () => false,
  );

/** The data files of a composition, by their names and by the project's manifest. */
export async function dataFiles(
  { uri, projectUri }: CompositionInfo,
  { server, log }: { server: Pick<LanguageServer, 'request'>; log: LogOutputChannel },
): Promise<DataFile[]> {
  const project = Uri.parse(projectUri);
  const pattern = new RelativePattern(project, '**/{rows,batch,*.rows,*.batch}.{json,jsonl,csv,tsv}');
  const named = await workspace.findFiles(pattern, '**/node_modules/**', maxFiles);
  const found = new Map([...named, ...(await listedFiles(project))].map((one) => [one.toString(), one]));
  const files: DataFile[] = [];
  for (const [key, one] of found) {
    if (!(await openDocument(one))) continue;
    const batch = await resultOrLog(server.request('framework/batch', { uri: key }), log);
    if (batch?.composition.uri === uri) files.push({ uri: key, path: batch.path });
  }
  return files.sort((one, other) => one.path.localeCompare(other.path));
}

async function listedFiles(project: Uri): Promise<Uri[]> {
  try {
    const bytes = await workspace.fs.readFile(Uri.joinPath(project, 'framework.json'));
    const { batches } = JSON.parse(new TextDecoder().decode(bytes)) as { batches?: Record<string, unknown> };
    return Object.keys(batches ?? {}).map((path) => Uri.joinPath(project, path));
  } catch {
    return [];
  }
}
