// The language client on a computer: the server is a process of its own, reached over Node's channel between processes.
import {
  type BaseLanguageClient,
  LanguageClient,
  type LanguageClientOptions,
  TransportKind,
} from 'vscode-languageclient/node';

/** What the server makes of a text dies with the next keystroke; a larger nursery keeps it from being copied about first. */
const execArgv = ['--max-semi-space-size=64'];

export function createNodeClient(module: string, options: LanguageClientOptions): BaseLanguageClient {
  const server = { module, transport: TransportKind.ipc, options: { execArgv } };
  return new LanguageClient('framework', 'Framework', server, options);
}
