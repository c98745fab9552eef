// The language server as a process: over the editor's IPC channel, standard input and output, a pipe or a socket.
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { createClientFiles } from './clientFiles.ts';
import { diskFiles } from './diskFiles.ts';
import { chooseFiles, noFiles } from './files.ts';
import { startServer } from './startServer.ts';
import { schemeOf } from './uris.ts';

startServer(createConnection(ProposedFeatures.all), (ask) => {
  const others = ask ? createClientFiles(ask) : noFiles;
  return chooseFiles((uri) => (schemeOf(uri) === 'file' ? diskFiles : others));
});
