import { Uri } from 'vscode';
import type { CompositionInfo } from '../../server/protocol.ts';
import type { LanguageServer } from '../language/languageServer.ts';
import { openDocument } from './dataFiles.ts';

/** The composition that a file is, or whose data file it is. Null for other files. */
export async function compositionOf(
  uri: string,
  server: Pick<LanguageServer, 'request'>,
): Promise<CompositionInfo | null> {
  const found = await server.request('framework/composition', { uri });
  if (found || !/\.(?:jsonl?|[ct]sv)$/i.test(uri) || !(await openDocument(Uri.parse(uri)))) return found;
  const batch = await server.request('framework/batch', { uri });
  return batch?.composition ?? null;
}
