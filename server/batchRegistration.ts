// Batch files that only a project's manifest names: the client is asked for them, because their names say nothing to it.
import {
  BulkRegistration,
  type BulkUnregistration,
  CodeLensRequest,
  CompletionRequest,
  type Connection,
  DefinitionRequest,
  DidChangeTextDocumentNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  DocumentDiagnosticRequest,
  HoverRequest,
  TextDocumentSyncKind,
} from 'vscode-languageserver';
import type { Abilities } from './client.ts';
import { hasBatchName, namedBatches } from './features/batchTarget.ts';
import { completionTriggers } from './features/completion.ts';

/** A function to be called whenever a manifest may have changed; it never rejects. */
export function createNamedBatches(
  connection: Connection,
  { registersDocuments, pullsDiagnostics }: Abilities,
): (manifests: readonly string[]) => Promise<void> {
  let asked = '';
  let registered: Promise<BulkUnregistration> | undefined;
  return async (manifests) => {
    if (!registersDocuments) return;
    const patterns = patternsOf(manifests);
    if (patterns.join('\n') === asked) return;
    asked = patterns.join('\n');
    const before = registered;
    registered = patterns.length > 0 ? register(connection, patterns, pullsDiagnostics) : undefined;
    await before?.then((old) => old.dispose()).catch(() => undefined);
    await registered?.catch(() => undefined);
  };
}

/** What a name has of the signs of a pattern stands for any character: the server looks again. */
function patternsOf(manifests: readonly string[]): string[] {
  const paths = manifests.flatMap((text) => [...namedBatches(text).files.keys()]).filter((path) => !hasBatchName(path));
  return [...new Set(paths)].sort().map((path) => `**/${path.replace(/[*?{}[\]]/g, '?')}`);
}

function register(
  connection: Connection,
  patterns: readonly string[],
  pullsDiagnostics: boolean,
): Promise<BulkUnregistration> {
  const documentSelector = patterns.map((pattern) => ({ pattern }));
  const registrations = BulkRegistration.create();
  registrations.add(DidOpenTextDocumentNotification.type, { documentSelector });
  registrations.add(DidChangeTextDocumentNotification.type, {
    documentSelector,
    syncKind: TextDocumentSyncKind.Incremental,
  });
  registrations.add(DidCloseTextDocumentNotification.type, { documentSelector });
  registrations.add(CompletionRequest.type, { documentSelector, triggerCharacters: [...completionTriggers] });
  registrations.add(HoverRequest.type, { documentSelector });
  registrations.add(DefinitionRequest.type, { documentSelector });
  registrations.add(CodeLensRequest.type, { documentSelector });
  if (pullsDiagnostics)
    registrations.add(DocumentDiagnosticRequest.type, {
      documentSelector,
      identifier: 'framework',
      interFileDependencies: true,
      workspaceDiagnostics: false,
    });
  return connection.client.register(registrations);
}
