// Entry point of the language server as a Node process: over IPC, standard input and output, a pipe or a socket.
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { createClientFiles } from './clientFiles.ts';
import { diskFiles } from './diskFiles.ts';
import { chooseFiles, noFiles } from './files.ts';
import { type ChooseFiles, startServer } from './startServer.ts';
import { schemeOf } from './uris.ts';

const chooseReader: ChooseFiles = (ask) => {
  const others = ask ? createClientFiles(ask) : noFiles;
  return chooseFiles((uri) => (schemeOf(uri) === 'file' ? diskFiles : others));
};
startServer(createConnection(ProposedFeatures.all), chooseReader, () => performance.now());
