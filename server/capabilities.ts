// What the server offers, as it tells the client at the start.
import { CodeActionKind, type ServerCapabilities, TextDocumentSyncKind } from 'vscode-languageserver';
import { fixAllKind } from './features/codeActions.ts';

export const serverCapabilities: ServerCapabilities = {
  positionEncoding: 'utf-16',
  textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental },
  diagnosticProvider: { identifier: 'framework', interFileDependencies: true, workspaceDiagnostics: true },
  codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix, fixAllKind] },
  codeLensProvider: {},
  workspace: {
    workspaceFolders: { supported: true, changeNotifications: true },
  },
};
