// Entry point of the language server in a web worker, for editors in the browser: the client reads all files.
import { BrowserMessageReader, BrowserMessageWriter, createConnection } from 'vscode-languageserver/browser';
import { createClientFiles } from './projects/clientFiles.ts';
import { startServer } from './startServer.ts';

const connection = createConnection(new BrowserMessageReader(self), new BrowserMessageWriter(self));
// The pinned fonts are on the disk, which a web worker cannot read.
const findFontPackage = async () => undefined;
startServer(connection, createClientFiles, findFontPackage, () => performance.now());
