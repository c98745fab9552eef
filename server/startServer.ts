// The language server, the same in Node and in a web worker: what happens when, from the first message to the last.
import {
  type Connection,
  FileChangeType,
  type FileEvent,
  type InitializeParams,
  type InitializeResult,
  TextDocuments,
} from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { homepage, name, version } from './about.ts';
import { answerRequests } from './answers.ts';
import { createBatches } from './batches.ts';
import { serverCapabilities } from './capabilities.ts';
import { type Abilities, abilitiesOf, createClient } from './client.ts';
import type { AskClient } from './clientFiles.ts';
import { createDiagnose } from './diagnose.ts';
import { createDiagnosticReports } from './diagnosticReports.ts';
import { isDataFile } from './features/batchTarget.ts';
import type { Files } from './files.ts';
import { createFindings } from './findings.ts';
import { createGuard, describe } from './guard.ts';
import { createMediaDurations } from './mediaDurations.ts';
import { createNamedBatches } from './namedBatches.ts';
import { createProjects, type FileChange } from './projects.ts';
import type { InitializationOptions } from './protocol.ts';
import { coalesce } from './turns.ts';

/** How files are read here; `ask` is undefined when the client does not serve them. */
export type ChooseFiles = (ask: AskClient | undefined) => Files;

/** Answers the client at the other end of the connection until it ends it. */
export function startServer(connection: Connection, chooseFiles: ChooseFiles): void {
  connection.onInitialize((params): InitializeResult => {
    begin(connection, chooseFiles, params);
    return { capabilities: serverCapabilities, serverInfo: { name, version } };
  });
  connection.listen();
}

function begin(connection: Connection, chooseFiles: ChooseFiles, params: InitializeParams): void {
  const abilities = abilitiesOf(params);
  const client = createClient(connection, abilities);
  const documents = new TextDocuments(TextDocument);
  const log = (message: string) => connection.console.error(message);
  const logError = (error: unknown) => log(describe(error));
  const guard = createGuard(log);
  const ask: AskClient = (method, asked) => connection.sendRequest(method, asked);
  const files = chooseFiles(abilities.servesFiles ? ask : undefined);
  const findings = createFindings();
  const docLink = docLinkFrom(params.initializationOptions);
  const durations = createMediaDurations(files, coalesce(50, client.refreshViews), logError);
  let progress: ReturnType<typeof client.startProgress> | undefined;
  const projects = createProjects({
    files,
    mediaDuration: durations.of,
    onRead: () => changed(),
    onProgress: (_, done, all) => progress?.report(done, all),
    onError: logError,
  });
  const batches = createBatches(projects, (uri) => documents.get(uri));
  const diagnose = createDiagnose({
    connection,
    client,
    abilities,
    projects,
    batches,
    reports: createDiagnosticReports(findings, docLink),
    open: () => documents.all(),
    guard,
  });
  const askForBatches = createNamedBatches(connection, abilities);
  // Hints and lenses of the other open files may say something about the one that has changed.
  const settled = coalesce(250, () => {
    client.refreshViews();
    void askForBatches(projects.manifests().map(({ text }) => text));
    client.sendStatus({ state: projects.isReady() ? 'ready' : 'reading', compositions: projects.count() });
    client.sendChanged();
  });
  const changed = (document?: TextDocument) => {
    diagnose.changed(document);
    settled();
  };

  documents.onDidChangeContent(({ document }) => {
    if (!isDataFile(document.uri)) projects.setOpen(document);
    changed(document);
  });
  documents.onDidClose(({ document: { uri } }) => {
    diagnose.closed(uri);
    if (!isDataFile(uri)) projects.close(uri).catch(logError);
  });
  documents.listen(connection);
  answerRequests({ connection, projects, batches, findings, docLink, guard, abilities });

  const readSettings = async (sent?: unknown) => {
    findings.setSettings(await client.settings(sent));
    changed();
  };
  connection.onDidChangeConfiguration(({ settings }) => void readSettings(settings));
  connection.onDidChangeWatchedFiles(({ changes }) => {
    for (const { uri } of changes) durations.forget(uri);
    projects.applyChanges(changes.map(fileChange)).catch(logError);
  });
  connection.onInitialized(() => {
    void client.registerEvents();
    void readSettings();
    const setFolders = async (uris: readonly string[]) => {
      progress = client.startProgress('Reading compositions');
      await projects.setFolders(uris).catch(logError);
      progress.end();
    };
    void setFolders(abilities.folders);
    if (abilities.changesFolders) watchFolders(connection, abilities, setFolders);
  });
}

function watchFolders(
  connection: Connection,
  { folders }: Abilities,
  setFolders: (uris: readonly string[]) => Promise<void>,
): void {
  let current = folders;
  connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
    const gone = new Set(removed.map(({ uri }) => uri));
    current = [...current.filter((uri) => !gone.has(uri)), ...added.map(({ uri }) => uri)];
    void setFolders(current);
  });
}

function docLinkFrom(options: InitializationOptions | undefined): (rule: string) => string | undefined {
  const docs = options?.docsUri ?? (homepage && `${homepage.replace(/\/$/, '')}/docs`);
  return (rule) => docs && `${docs}/rules.md#${rule}`;
}

function fileChange({ uri, type }: FileEvent): FileChange {
  const kind = type === FileChangeType.Created ? 'created' : type === FileChangeType.Deleted ? 'deleted' : 'changed';
  return { uri, kind };
}
