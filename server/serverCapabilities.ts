// What the server offers, as it tells the client at the start.
import { CodeActionKind, type ServerCapabilities, TextDocumentSyncKind } from 'vscode-languageserver';
import { fixAllKind } from './features/codeActions.ts';
import { completionTriggers } from './features/completion.ts';
import { extractKind, variableKind } from './features/refactorings.ts';
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
  selectionRangeProvider: true,
  semanticTokensProvider: { legend: tokenLegend, full: true },
  inlayHintProvider: true,
  workspace: {
    workspaceFolders: { supported: true, changeNotifications: true },
    // Folders too: a folder that moves takes its files along.
    fileOperations: {
      willRename: { filters: [{ scheme: 'file', pattern: { glob: '**/*' } }, { pattern: { glob: '**/*' } }] },
    },
  },
};
