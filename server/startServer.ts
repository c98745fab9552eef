// Starts the language server, in Node and in a web worker: creates its parts and connects them to the protocol's events.
import {
  type CancellationToken,
  type Connection,
  FileChangeType,
  type FileEvent,
  type InitializeParams,
  type InitializeResult,
  TextDocuments,
} from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import manifest from '../package.json' with { type: 'json' };
import { type Client, createClient } from './client.ts';
import { createDiagnosticReports } from './diagnosticReports.ts';
import { createDiagnosticsProvider } from './diagnosticsProvider.ts';
import { isDataFile } from './features/batch/batchTarget.ts';
import { createFindings } from './findings.ts';
import { registerHandlers } from './handlers.ts';
import { createBatches } from './projects/batches.ts';
import { createBatchRegistration } from './projects/batchRegistration.ts';
import type { AskClient } from './projects/clientFiles.ts';
import type { Files } from './projects/files.ts';
import { createFontFiles, type FindFontPackage } from './projects/fontFiles.ts';
import { createMediaDurations } from './projects/mediaDurations.ts';
import { createProjects, type FileChange } from './projects/projects.ts';
import type { InitializationOptions } from './protocol.ts';
import { createRunSafe, describe, type RunSafe } from './runSafe.ts';
import { coalesce } from './scheduler.ts';
import { serverCapabilities } from './serverCapabilities.ts';
import { createWorkspaceLint, type WorkspaceLint } from './workspaceLint.ts';

const { name, version } = manifest;

/** Creates the file reader. */
export type ChooseFiles = (ask: AskClient) => Files;

/**
 * Serves the client until the connection ends.
 * @param now a monotonic clock in milliseconds
 */
export function startServer(
  connection: Connection,
  chooseFiles: ChooseFiles,
  findFontPackage: FindFontPackage,
  now: () => number,
): void {
  connection.onInitialize((params): InitializeResult => {
    begin(connection, chooseFiles, findFontPackage, now, params);
    return { capabilities: serverCapabilities, serverInfo: { name, version } };
  });
  connection.listen();
}

function begin(
  connection: Connection,
  chooseFiles: ChooseFiles,
  findFontPackage: FindFontPackage,
  now: () => number,
  params: InitializeParams,
): void {
  const client = createClient(connection, now);
  const documents = new TextDocuments(TextDocument);
  const log = (message: string) => connection.console.error(message);
  const logError = (error: unknown) => log(describe(error));
  const runSafe = createRunSafe(log);
  const ask: AskClient = (method, asked) => connection.sendRequest(method, asked);
  const files = chooseFiles(ask);
  const findings = createFindings();
  const docLink = docLinkFrom(params.initializationOptions);
  const durations = createMediaDurations(files, coalesce(50, client.refreshViews), logError);
  let progress: ReturnType<typeof client.startProgress> | undefined;
  const projects = createProjects({
    files,
    now,
    mediaDuration: durations.of,
    onRead: () => changed(),
    onProgress: (_, done, all) => progress?.report(done, all),
    onError: logError,
  });
  const batches = createBatches(projects, (uri) => documents.get(uri));
  const lint = createWorkspaceLint({
    projects,
    findings,
    open: () => documents.all().map(({ uri }) => uri),
    now,
    onChange: () => changed(),
  });
  const diagnosticsProvider = createDiagnosticsProvider({
    connection,
    client,
    projects,
    lint,
    batches,
    reports: createDiagnosticReports(findings, docLink),
    open: () => documents.all(),
    now,
    runSafe,
  });
  const registerBatches = createBatchRegistration(connection);
  const sendStatus = () =>
    client.sendStatus({
      state: projects.isRead() ? 'ready' : 'reading',
      compositions: projects.counts().reduce((sum, { count }) => sum + count, 0),
      lintScope: lint.scope(),
    });
  // Hints and lenses in other open files can depend on the changed file.
  const settled = coalesce(250, () => {
    client.refreshViews();
    void registerBatches(projects.manifests().map(({ text }) => text));
    sendStatus();
    // Before, files that only mention an attribute are counted too.
    if (projects.isRead()) void projects.allReady().then(sendStatus);
    client.sendChanged();
  });
  const changed = (document?: TextDocument) => {
    diagnosticsProvider.changed(document);
    settled();
  };

  documents.onDidChangeContent(({ document }) => {
    if (!isDataFile(document.uri)) projects.setOpen(document);
    changed(document);
  });
  documents.onDidClose(({ document: { uri } }) => {
    diagnosticsProvider.closed(uri);
    if (!isDataFile(uri)) projects.close(uri).catch(logError);
  });
  documents.listen(connection);
  const fontFiles = createFontFiles(files, findFontPackage);
  registerHandlers({ connection, projects, batches, findings, fontFiles, docLink, runSafe });
  registerLintHandlers(connection, client, lint, runSafe);

  const readSettings = async () => {
    const settings = await client.settings();
    findings.setSettings(settings);
    changed();
    const startProgress = () => client.startProgress('Linting compositions', { canCancel: true });
    await lint.configure(settings.lint?.scope ?? 'openFiles', startProgress);
  };
  connection.onDidChangeConfiguration(() => void readSettings());
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
    const folders = params.workspaceFolders?.map(({ uri }) => uri) ?? [];
    void setFolders(folders);
    watchFolders(connection, folders, setFolders);
  });
}

function registerLintHandlers(connection: Connection, client: Client, lint: WorkspaceLint, runSafe: RunSafe): void {
  const run = runSafe('Lint workspace', null, async (_: null, token) => {
    const report = client.sendLintProgress;
    return (await lint.run({ report, isCancelled: () => token.isCancellationRequested })) ?? null;
  });
  const showOpenFiles = runSafe('Lint open files', null, () => {
    lint.showOpenFiles();
    return null;
  });
  // A request without parameters passes the token first.
  connection.onRequest('framework/lintWorkspace', (...given) => run(null, given.at(-1) as CancellationToken));
  connection.onRequest('framework/lintOpenFiles', (...given) => showOpenFiles(null, given.at(-1) as CancellationToken));
}

function watchFolders(
  connection: Connection,
  folders: readonly string[],
  setFolders: (uris: readonly string[]) => Promise<void>,
): void {
  let current = folders;
  connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
    const removedUris = new Set(removed.map(({ uri }) => uri));
    current = [...current.filter((uri) => !removedUris.has(uri)), ...added.map(({ uri }) => uri)];
    void setFolders(current);
  });
}

function docLinkFrom(options: InitializationOptions | undefined): (rule: string) => string | undefined {
  const docs = options?.docsUri;
  return (rule) => docs && `${docs}/rules.md#${rule}`;
}

function fileChange({ uri, type }: FileEvent): FileChange {
  const kind = type === FileChangeType.Created ? 'created' : type === FileChangeType.Deleted ? 'deleted' : 'changed';
  return { uri, kind };
}
