// Provides `framework mcp` to the editor's agents, in editors that accept MCP servers from extensions.
import * as vscode from 'vscode';
import type { ExtensionServices } from './extensionServices.ts';
import { programOptions } from './programOptions.ts';

/** The part of the API that is newer than the oldest supported editor. */
type McpApi = {
  lm?: {
    registerMcpServerDefinitionProvider?(
      id: string,
      provider: {
        onDidChangeMcpServerDefinitions: vscode.Event<void>;
        provideMcpServerDefinitions(): object[];
      },
    ): vscode.Disposable;
  };
  McpStdioServerDefinition?: new (
    label: string,
    command: string,
    args: string[],
    env: Record<string, string>,
    version: string,
  ) => object;
};

/** One server for the folders of a trusted workspace. */
export function createMcpServer({ context, host, extensionPath }: ExtensionServices): vscode.Disposable[] {
  const { lm, McpStdioServerDefinition: Definition } = vscode as unknown as McpApi;
  const { cliProgram } = host;
  if (!lm?.registerMcpServerDefinitionProvider || !Definition || !cliProgram) return [];
  const changed = new vscode.EventEmitter<void>();
  const provider = {
    onDidChangeMcpServerDefinitions: changed.event,
    provideMcpServerDefinitions() {
      const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
      if (!vscode.workspace.isTrusted || folders.length === 0) return [];
      const { command, args, env } = cliProgram(extensionPath);
      const paths = folders.map(({ uri }) => uri.fsPath);
      const version = String(context.extension.packageJSON.version);
      return [new Definition('Framework', command, [...args, 'mcp', ...programOptions(), ...paths], env, version)];
    },
  };
  return [
    changed,
    vscode.workspace.onDidGrantWorkspaceTrust(() => changed.fire()),
    vscode.workspace.onDidChangeWorkspaceFolders(() => changed.fire()),
    lm.registerMcpServerDefinitionProvider('framework.mcp', provider),
  ];
}
