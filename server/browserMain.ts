// The language server as a web worker, for editors that run in a browser: every file comes from the client.
import { BrowserMessageReader, BrowserMessageWriter, createConnection } from 'vscode-languageserver/browser';
import { createClientFiles } from './clientFiles.ts';
import { noFiles } from './files.ts';
import { startServer } from './startServer.ts';

const connection = createConnection(new BrowserMessageReader(self), new BrowserMessageWriter(self));
startServer(connection, (ask) => (ask ? createClientFiles(ask) : noFiles));
