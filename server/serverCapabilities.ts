// The capabilities that the server announces in its `initialize` result.
import { CodeActionKind, type ServerCapabilities, TextDocumentSyncKind } from 'vscode-languageserver';
import { fixAllKind } from './features/codeActions.ts';
import { completionTriggers } from './features/completion/completion.ts';
import { extractKind, variableKind } from './features/refactor/refactorings.ts';
import { tokenLegend } from './features/semanticTokens.ts';

export const serverCapabilities: ServerCapabilities = {
  positionEncoding: 'utf-16',
  textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental },
  diagnosticProvider: { identifier: 'framework', interFileDependencies: true, workspaceDiagnostics: true },
  codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix, fixAllKind, extractKind, variableKind] },
  codeLensProvider: {},
  completionProvider: { triggerCharacters: [...completionTriggers] },
  hoverProvider: true,
  definitionProvider: true,
  referencesProvider: true,
  renameProvider: { prepareProvider: true },
  documentSymbolProvider: true,
  workspaceSymbolProvider: true,
  documentLinkProvider: {},
  colorProvider: true,
  foldingRangeProvider: true,
  semanticTokensProvider: { legend: tokenLegend, full: true },
  inlayHintProvider: true,
  workspace: {
    workspaceFolders: { supported: true, changeNotifications: true },
    // Folders too: renaming a folder moves its files.
    fileOperations: {
      willRename: { filters: [{ scheme: 'file', pattern: { glob: '**/*' } }, { pattern: { glob: '**/*' } }] },
    },
  },
};
