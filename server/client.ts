// What the client at the other end can do, and the things that are asked of it.
import {
  type Connection,
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
  type InitializeParams,
  type WorkDoneProgressReporter,
} from 'vscode-languageserver';
import type { InitializationOptions, ServerNotifications, Settings, Status } from './protocol.ts';

/** What of the protocol the client has, by what we use it for. */
export type Abilities = {
  pullsDiagnostics: boolean;
  refreshesDiagnostics: boolean;
  refreshesInlayHints: boolean;
  refreshesCodeLenses: boolean;
  hasConfiguration: boolean;
  registersConfiguration: boolean;
  registersWatchers: boolean;
  /** Documents of further names can be asked for. */
  registersDocuments: boolean;
  showsProgress: boolean;
  servesFiles: boolean;
  changesFolders: boolean;
  createsFiles: boolean;
  /** Edits of several documents and files, in an order. */
  changesDocuments: boolean;
  folders: string[];
};

export function abilitiesOf({
  capabilities,
  initializationOptions,
  workspaceFolders,
  rootUri,
}: InitializeParams): Abilities {
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
    servesFiles: options?.servesFiles ?? false,
    createsFiles: workspace?.workspaceEdit?.resourceOperations?.includes('create') ?? false,
    changesDocuments: workspace?.workspaceEdit?.documentChanges ?? false,
    changesFolders: workspace?.workspaceFolders ?? false,
    folders: workspaceFolders?.map(({ uri }) => uri) ?? (rootUri ? [rootUri] : []),
  };
}

/** The client as the server uses it. Nothing here rejects: a client that cannot do a thing is left in peace. */
export type Client = {
  registerEvents(): Promise<void>;
  /** The settings now; `sent` are those that came with a notification. */
  settings(sent?: unknown): Promise<Settings>;
  refreshDiagnostics(): void;
  /** Inlay hints and code lenses, which depend on other files too. */
  refreshViews(): void;
  /** Shows progress from the first report that comes later than half a second after the start. */
  startProgress(title: string): { report(done: number, all: number): void; end(): void };
  sendStatus(status: Status): void;
  sendChanged(): void;
};

export function createClient(connection: Connection, abilities: Abilities): Client {
  const settle = (promise: Promise<unknown>) => void promise.catch(() => undefined);
  let lastStatus = '';
  return {
    registerEvents: () => registerEvents(connection, abilities).catch(() => undefined),
    settings: (sent) => readSettings(connection, abilities, sent),
    refreshDiagnostics() {
      if (abilities.refreshesDiagnostics) settle(connection.languages.diagnostics.refresh());
    },
    refreshViews() {
      if (abilities.refreshesInlayHints) settle(connection.languages.inlayHint.refresh());
      if (abilities.refreshesCodeLenses) settle(connection.sendRequest('workspace/codeLens/refresh'));
    },
    startProgress: (title) => startProgress(connection, abilities, title),
    sendStatus(status) {
      const text = JSON.stringify(status);
      if (text !== lastStatus) settle(connection.sendNotification('framework/status', status));
      lastStatus = text;
    },
    sendChanged: () =>
      settle(connection.sendNotification('framework/changed' satisfies keyof ServerNotifications, null)),
  };
}

async function registerEvents(connection: Connection, abilities: Abilities): Promise<void> {
  if (abilities.registersConfiguration)
    await connection.client.register(DidChangeConfigurationNotification.type, { section: 'framework' });
  // Every file: a composition may use any of them, and one that is not there is an error.
  if (abilities.registersWatchers)
    await connection.client.register(DidChangeWatchedFilesNotification.type, { watchers: [{ globPattern: '**/*' }] });
}

async function readSettings(connection: Connection, abilities: Abilities, sent: unknown): Promise<Settings> {
  const asked = abilities.hasConfiguration
    ? await connection.workspace.getConfiguration('framework').catch(() => undefined)
    : (sent as { framework?: unknown } | undefined)?.framework;
  return isObject(asked) && isObject(asked.lint) && isObject(asked.lint.rules) ? asked : {};
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const patience = 500;

function startProgress(connection: Connection, { showsProgress }: Abilities, title: string) {
  const start = performance.now();
  let shown: Promise<WorkDoneProgressReporter | undefined> | undefined;
  return {
    report(done: number, all: number) {
      if (!showsProgress || performance.now() - start < patience) return;
      shown ??= connection.window
        .createWorkDoneProgress()
        .then((progress) => {
          progress.begin(title, 0, '', false);
          return progress;
        })
        .catch(() => undefined);
      void shown.then((progress) => progress?.report(Math.round((100 * done) / all), `${done} of ${all} files`));
    },
    end: () => void shown?.then((progress) => progress?.done()),
  };
}
