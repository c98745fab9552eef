// The client: its capabilities, and the requests and notifications that the server sends to it.
import {
  type CancellationToken,
  type Connection,
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
  type InitializeParams,
  type WorkDoneProgressReporter,
} from 'vscode-languageserver';
import type { InitializationOptions, ServerNotifications, Settings, Status } from './protocol.ts';

/** The client's capabilities that the server uses, named after that use. */
export type ClientCapabilities = {
  pullsDiagnostics: boolean;
  refreshesDiagnostics: boolean;
  refreshesInlayHints: boolean;
  refreshesCodeLenses: boolean;
  hasConfiguration: boolean;
  registersConfiguration: boolean;
  registersWatchers: boolean;
  /** The server can register for documents with additional file names. */
  registersDocuments: boolean;
  showsProgress: boolean;
  /** Shows Markdown in hovers. */
  showsMarkdown: boolean;
  servesFiles: boolean;
  changesFolders: boolean;
  createsFiles: boolean;
  /** Supports ordered edits of several documents and files. */
  changesDocuments: boolean;
  folders: string[];
};

export function readClientCapabilities({
  capabilities,
  initializationOptions,
  workspaceFolders,
  rootUri,
}: InitializeParams): ClientCapabilities {
  const { workspace, textDocument, window } = capabilities;
  const options: InitializationOptions | undefined = initializationOptions;
  return {
    pullsDiagnostics: textDocument?.diagnostic !== undefined,
    refreshesDiagnostics: workspace?.diagnostics?.refreshSupport ?? false,
    refreshesInlayHints: workspace?.inlayHint?.refreshSupport ?? false,
    refreshesCodeLenses: workspace?.codeLens?.refreshSupport ?? false,
    hasConfiguration: workspace?.configuration ?? false,
    registersConfiguration: workspace?.didChangeConfiguration?.dynamicRegistration ?? false,
    registersWatchers: workspace?.didChangeWatchedFiles?.dynamicRegistration ?? false,
    registersDocuments: textDocument?.synchronization?.dynamicRegistration ?? false,
    showsProgress: window?.workDoneProgress ?? false,
    showsMarkdown: textDocument?.hover?.contentFormat?.includes('markdown') ?? false,
    servesFiles: options?.servesFiles ?? false,
    createsFiles: workspace?.workspaceEdit?.resourceOperations?.includes('create') ?? false,
    changesDocuments: workspace?.workspaceEdit?.documentChanges ?? false,
    changesFolders: workspace?.workspaceFolders ?? false,
    folders: workspaceFolders?.map(({ uri }) => uri) ?? (rootUri ? [rootUri] : []),
  };
}

export type Progress = { report(done: number, all: number): void; isCancelled(): boolean; end(): void };

/** Requests to the client. None of them rejects: a client that does not support a request ignores it. */
export type Client = {
  registerEvents(): Promise<void>;
  /** The current settings. `sent`: those that came with a notification. */
  settings(sent?: unknown): Promise<Settings>;
  refreshDiagnostics(): void;
  /** Refreshes inlay hints and code lenses, which depend on other files too. */
  refreshViews(): void;
  /** Shows progress, starting with the first report later than half a second after the start. */
  startProgress(title: string, options?: { canCancel: boolean }): Progress;
  sendStatus(status: Status): void;
  sendChanged(): void;
  sendLintProgress(done: number, total: number): void;
};

export function createClient(connection: Connection, capabilities: ClientCapabilities, now: () => number): Client {
  // A client that rejects such a request does not support it.
  const ignoreErrors = (promise: Promise<unknown>) => void promise.catch(() => undefined);
  let lastStatus = '';
  return {
    registerEvents: () => registerEvents(connection, capabilities).catch(() => undefined),
    settings: (sent) => readSettings(connection, capabilities, sent),
    refreshDiagnostics() {
      if (capabilities.refreshesDiagnostics) ignoreErrors(connection.languages.diagnostics.refresh());
    },
    refreshViews() {
      if (capabilities.refreshesInlayHints) ignoreErrors(connection.languages.inlayHint.refresh());
      if (capabilities.refreshesCodeLenses) ignoreErrors(connection.sendRequest('workspace/codeLens/refresh'));
    },
    startProgress: (title, { canCancel } = { canCancel: false }) =>
      startProgress(connection, capabilities, now, title, canCancel),
    sendStatus(status) {
      const text = JSON.stringify(status);
      if (text !== lastStatus) ignoreErrors(connection.sendNotification('framework/status', status));
      lastStatus = text;
    },
    sendChanged: () =>
      ignoreErrors(connection.sendNotification('framework/changed' satisfies keyof ServerNotifications, null)),
    sendLintProgress: (done, total) =>
      ignoreErrors(
        connection.sendNotification('framework/lintProgress' satisfies keyof ServerNotifications, { done, total }),
      ),
  };
}

async function registerEvents(connection: Connection, capabilities: ClientCapabilities): Promise<void> {
  if (capabilities.registersConfiguration)
    await connection.client.register(DidChangeConfigurationNotification.type, { section: 'framework' });
  // Every file: a composition may use any file, and a missing file is an error.
  if (capabilities.registersWatchers)
    await connection.client.register(DidChangeWatchedFilesNotification.type, { watchers: [{ globPattern: '**/*' }] });
}

async function readSettings(
  connection: Connection,
  capabilities: ClientCapabilities,
  sent: unknown,
): Promise<Settings> {
  // A client that rejects this has no settings.
  const settings = capabilities.hasConfiguration
    ? await connection.workspace.getConfiguration('framework').catch(() => undefined)
    : (sent as { framework?: unknown } | undefined)?.framework;
  if (!isObject(settings) || !isObject(settings.lint)) return {};
  const { scope, rules } = settings.lint;
  return {
    lint: {
      scope: scope === 'workspace' ? 'workspace' : 'openFiles',
      // Users type the levels, so their types are checked where they are used.
      ...(isObject(rules) ? { rules: rules as NonNullable<NonNullable<Settings['lint']>['rules']> } : {}),
    },
  };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const progressDelayMs = 500;

function startProgress(
  connection: Connection,
  { showsProgress }: ClientCapabilities,
  now: () => number,
  title: string,
  canCancel: boolean,
): Progress {
  const start = now();
  let shown: Promise<WorkDoneProgressReporter | undefined> | undefined;
  let token: CancellationToken | undefined;
  return {
    isCancelled: () => token?.isCancellationRequested ?? false,
    report(done: number, all: number) {
      if (!showsProgress || now() - start < progressDelayMs) return;
      // A client that rejects this shows no progress.
      shown ??= connection.window
        .createWorkDoneProgress()
        .then((progress) => {
          progress.begin(title, 0, '', canCancel);
          token = progress.token;
          return progress;
        })
        .catch(() => undefined);
      void shown.then((progress) => progress?.report(Math.round((100 * done) / all), `${done} of ${all} files`));
    },
    end: () => void shown?.then((progress) => progress?.done()),
  };
}
