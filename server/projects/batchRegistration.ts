// Registers for batch files that only a project's manifest lists: the client does not recognize their names.
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
import { hasBatchName, manifestBatches } from '../features/batch/batchTarget.ts';
import { completionTriggers } from '../features/completion/completion.ts';

/** Returns a function to call whenever a manifest may have changed. It never rejects. */
export function createBatchRegistration(connection: Connection): (manifests: readonly string[]) => Promise<void> {
  let lastPatterns = '';
  let registered: Promise<BulkUnregistration> | undefined;
  return async (manifests) => {
    const patterns = patternsOf(manifests);
    if (patterns.join('\n') === lastPatterns) return;
    lastPatterns = patterns.join('\n');
    const before = registered;
    registered = patterns.length > 0 ? register(connection, patterns) : undefined;
    // If the client refuses, these files do not get language features.
    await before?.then((old) => old.dispose()).catch(() => undefined);
    await registered?.catch(() => undefined);
  };
}

/** Glob characters in a name become `?`, which may match other files; the server checks each path again. */
function patternsOf(manifests: readonly string[]): string[] {
  const paths = manifests
    .flatMap((text) => [...manifestBatches(text).files.keys()])
    .filter((path) => !hasBatchName(path));
  return [...new Set(paths)].sort().map((path) => `**/${path.replace(/[*?{}[\]]/g, '?')}`);
}

function register(connection: Connection, patterns: readonly string[]): Promise<BulkUnregistration> {
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
  registrations.add(DocumentDiagnosticRequest.type, {
    documentSelector,
    identifier: 'framework',
    interFileDependencies: true,
    workspaceDiagnostics: false,
  });
  return connection.client.register(registrations);
}
