// Entry point of the language server as a Node process: over IPC, standard input and output, a pipe or a socket.
import { pathToFileURL } from 'node:url';
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { findFonts } from '../renderer-core/fonts/findFonts.ts';
import { fontPackages } from '../renderer-core/fonts/fontPackages.ts';
import { createClientFiles } from './projects/clientFiles.ts';
import { diskFiles } from './projects/diskFiles.ts';
import { chooseFiles } from './projects/files.ts';
import type { FindFontPackage } from './projects/fontFiles.ts';
import { type ChooseFiles, startServer } from './startServer.ts';
import { schemeOf } from './uris.ts';

const chooseReader: ChooseFiles = (ask) => {
  const others = createClientFiles(ask);
  return chooseFiles((uri) => (schemeOf(uri) === 'file' ? diskFiles : others));
};
const findFontPackage: FindFontPackage = async (name) => {
  const wanted = fontPackages.find((each) => each.name === name);
  const found = wanted && (await findFonts(wanted, { env: process.env }));
  return found && pathToFileURL(found.folder).href;
};
startServer(createConnection(ProposedFeatures.all), chooseReader, findFontPackage, () => performance.now());
