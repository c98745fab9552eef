// The language client on a computer: the server is a process of its own, reached over Node's channel between processes.
import {
  type BaseLanguageClient,
  LanguageClient,
  type LanguageClientOptions,
  TransportKind,
} from 'vscode-languageclient/node';

export function createNodeClient(module: string, options: LanguageClientOptions): BaseLanguageClient {
  return new LanguageClient('framework', 'Framework', { module, transport: TransportKind.ipc }, options);
}
