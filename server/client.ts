// The client, VS Code: the requests and notifications that the server sends to it.
import {
  type CancellationToken,
  type Connection,
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
  type WorkDoneProgressReporter,
} from 'vscode-languageserver';
import type { ServerNotifications, Settings, Status } from './protocol.ts';

export type Progress = { report(done: number, all: number): void; isCancelled(): boolean; end(): void };

/** Requests to the client. None of them rejects. */
export type Client = {
  registerEvents(): Promise<void>;
  settings(): Promise<Settings>;
  refreshDiagnostics(): void;
  /** Refreshes inlay hints and code lenses, which depend on other files too. */
  refreshViews(): void;
  /** Shows progress, starting with the first report later than half a second after the start. */
  startProgress(title: string, options?: { canCancel: boolean }): Progress;
  sendStatus(status: Status): void;
  sendChanged(): void;
  sendLintProgress(done: number, total: number): void;
};

export function createClient(connection: Connection, now: () => number): Client {
  // VS Code rejects requests only when it is shutting down. Nothing depends on their results then.
  const ignoreErrors = (promise: Promise<unknown>) => void promise.catch(() => undefined);
  let lastStatus = '';
  return {
    registerEvents: () => registerEvents(connection).catch(() => undefined),
    settings: () => readSettings(connection),
    refreshDiagnostics: () => ignoreErrors(connection.languages.diagnostics.refresh()),
    refreshViews() {
      ignoreErrors(connection.languages.inlayHint.refresh());
      ignoreErrors(connection.sendRequest('workspace/codeLens/refresh'));
    },
    startProgress: (title, { canCancel } = { canCancel: false }) => startProgress(connection, now, title, canCancel),
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

async function registerEvents({ client }: Connection): Promise<void> {
  await client.register(DidChangeConfigurationNotification.type, { section: 'framework' });
  // Every file: a composition may use any file, and a missing file is an error.
  await client.register(DidChangeWatchedFilesNotification.type, { watchers: [{ globPattern: '**/*' }] });
}

async function readSettings({ workspace }: Connection): Promise<Settings> {
  // It is shutting down, so the defaults are as good.
  const settings = await workspace.getConfiguration('framework').catch(() => undefined);
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

function startProgress(connection: Connection, now: () => number, title: string, canCancel: boolean): Progress {
  const start = now();
  let shown: Promise<WorkDoneProgressReporter | undefined> | undefined;
  let token: CancellationToken | undefined;
  return {
    isCancelled: () => token?.isCancellationRequested ?? false,
    report(done: number, all: number) {
      if (now() - start < progressDelayMs) return;
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
