// The language client of VS Code for desktop: the server is a separate process, connected over Node's IPC channel.
import {
  type BaseLanguageClient,
  LanguageClient,
  type LanguageClientOptions,
  TransportKind,
} from 'vscode-languageclient/node';

/** A larger young generation: the objects built from a text are garbage after the next edit, so they need not be promoted. */
const execArgv = ['--max-semi-space-size=64'];

export function createNodeClient(module: string, options: LanguageClientOptions): BaseLanguageClient {
  const server = (args: string[]) => ({ module, transport: TransportKind.ipc, options: { execArgv: args } });
  // The client picks `debug` when a debugger is attached to the extension host (.vscode/launch.json).
  const servers = { run: server(execArgv), debug: server([...execArgv, '--inspect=127.0.0.1:6009']) };
  return new LanguageClient('framework', 'Framework', servers, options);
}
