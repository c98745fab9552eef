// Starts and restarts the language server, and sends requests to it.
import {
  type CancellationToken,
  commands,
  type Disposable,
  type Event,
  EventEmitter,
  type ExtensionContext,
  type LogOutputChannel,
  l10n,
  Uri,
  window,
  workspace,
} from 'vscode';
import type { BaseLanguageClient, LanguageClientOptions, Protocol2CodeConverter } from 'vscode-languageclient';
import type {
  ClientRequests,
  Commands,
  InitializationOptions,
  ServerNotifications,
  ServerRequests,
  Status,
} from '../../server/protocol.ts';
import { activeFile } from '../compositions/activeFile.ts';
import type { Host } from '../host.ts';
import { codeLensTitle } from './codeLensTitles.ts';
import { cursorIn, followCursor, lensesAt } from './rowLens.ts';
import { listFiles, readFile } from './servedFiles.ts';

/** Shown by the status item. `failed`: the server ended and is not restarted automatically. */
export type ServerState =
  | { kind: 'starting' | 'stopped' }
  | { kind: 'running'; status: Status }
  | { kind: 'failed'; reason: string };

export type LanguageServer = Disposable & {
  /** Rejects when the server does not start. */
  start(): Promise<void>;
  restart(): Promise<void>;
  /** Stops it with the window. Requests that are not answered by then never end: their failures would only fill the log. */
  close(): Promise<void>;
  /** Waits until the server has started. Rejects when it is not running. */
  request<Method extends keyof ServerRequests>(
    method: Method,
    params: ServerRequests[Method]['params'],
    token?: CancellationToken,
  ): Promise<ServerRequests[Method]['result']>;
  /** Fires when the compositions of the workspace may have changed. */
  onDidChange: Event<void>;
  onLintProgress: Event<ServerNotifications['framework/lintProgress']>;
};

export function createLanguageServer(
  context: ExtensionContext,
  host: Host,
  log: LogOutputChannel,
  show: (state: ServerState) => void,
): LanguageServer {
  let client: Promise<BaseLanguageClient> | undefined;
  const changed = new EventEmitter<void>();
  const lintProgress = new EventEmitter<ServerNotifications['framework/lintProgress']>();
  const subscriptions: Disposable[] = [];
  let isClosing = false;

  async function create(): Promise<BaseLanguageClient> {
    show({ kind: 'starting' });
    const created = await host.createClient(clientOptions(context.extensionUri, log));
    const onChanged: keyof ServerNotifications = 'framework/changed';
    const onLintProgress: keyof ServerNotifications = 'framework/lintProgress';
    subscriptions.push(
      ...connect(created, log, show),
      created.onNotification(onChanged, () => changed.fire()),
      created.onNotification(onLintProgress, (progress) => lintProgress.fire(progress)),
    );
    await created.start();
    return created;
  }
  async function start(): Promise<void> {
    client ??= create();
    try {
      await client;
    } catch (error) {
      if (isClosing) return;
      show({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) });
      throw error;
    }
  }
  async function stop(): Promise<void> {
    const stopping = client;
    client = undefined;
    for (const subscription of subscriptions.splice(0)) subscription.dispose();
    // `start` has already reported a client that could not be created.
    const created = await stopping?.catch(() => undefined);
    if (created?.needsStop())
      await created.stop().catch((error) => log.warn(`The language server did not stop: ${error}`));
    show({ kind: 'stopped' });
  }
  async function close(): Promise<void> {
    isClosing = true;
    await stop();
  }
  return {
    start,
    close,
    async restart() {
      await stop();
      await start();
    },
    async request(method, params, token) {
      if (!client) throw new Error(l10n.t('The language server is not running.'));
      try {
        const started = await client;
        // An undefined token would be sent as a second parameter.
        return await (token ? started.sendRequest(method, params, token) : started.sendRequest(method, params));
      } catch (error) {
        if (isClosing) return new Promise(() => undefined);
        throw error;
      }
    },
    onDidChange: changed.event,
    onLintProgress: lintProgress.event,
    dispose() {
      changed.dispose();
      lintProgress.dispose();
      void close();
    },
  };
}

/** Only files with these names are batch files; other data files belong to other extensions. */
const batchPattern = '**/{rows,batch,*.rows,*.batch}.{json,jsonl,csv,tsv}';

function clientOptions(extensionUri: Uri, outputChannel: LogOutputChannel): LanguageClientOptions {
  const options: InitializationOptions = { docsUri: Uri.joinPath(extensionUri, 'docs').toString() };
  // Other schemes, such as the two sides of a diff, must not get diagnostics.
  const schemes = new Set(['file', 'untitled', ...(workspace.workspaceFolders ?? []).map(({ uri }) => uri.scheme)]);
  return {
    documentSelector: [...schemes].flatMap((scheme) => [
      { scheme, language: 'html' },
      { scheme, pattern: batchPattern },
    ]),
    outputChannel,
    initializationOptions: options,
    markdown: { isTrusted: { enabledCommands: ['framework.showReferences'] } },
    middleware: {
      async provideCodeLenses(document, token, next) {
        const lenses = await next(document, token);
        for (const { command } of lenses ?? []) if (command) command.title = codeLensTitle(command);
        return lenses && lensesAt(lenses, cursorIn(document));
      },
    },
  };
}

function connect(client: BaseLanguageClient, log: LogOutputChannel, show: (state: ServerState) => void): Disposable[] {
  // The values of the client's `State` enum. Importing the enum would load the whole client.
  const [stopped, running, starting] = [1, 2, 3];
  const onStatus: keyof ServerNotifications = 'framework/status';
  const composition = watchComposition(client, log);
  let status: Status = { state: 'reading', compositions: 0, lintScope: 'openFiles' };
  return [
    composition,
    followCursor(client),
    client.onDidChangeState(({ newState }) => {
      if (newState === starting) show({ kind: 'starting' });
      if (newState === running) show({ kind: 'running', status });
      if (newState === stopped) show({ kind: 'failed', reason: l10n.t('The language server stopped unexpectedly.') });
    }),
    client.onNotification(onStatus, (given: Status) => {
      status = given;
      show({ kind: 'running', status });
      void commands.executeCommand('setContext', 'framework.lintScope', status.lintScope);
      composition.update();
    }),
    client.onRequest('framework/readFile' satisfies keyof ClientRequests, readFile),
    client.onRequest('framework/listFiles' satisfies keyof ClientRequests, listFiles),
    commands.registerCommand('framework.showReferences', (given) =>
      showReferences(given, client.protocol2CodeConverter),
    ),
  ];
}

/** Updates the context key `framework.isComposition`, which shows the buttons in the editor title. */
function watchComposition(client: BaseLanguageClient, log: LogOutputChannel): Disposable & { update(): void } {
  let requests = 0;
  async function isComposition(uri: string | undefined): Promise<boolean> {
    const method: keyof ServerRequests = 'framework/composition';
    try {
      return uri !== undefined && (await client.sendRequest(method, { uri })) !== null;
    } catch (error) {
      if (!client.isRunning()) return false;
      log.error(`Could not determine whether ${uri} is a composition: ${error}`);
      return false;
    }
  }
  async function update(): Promise<void> {
    const request = ++requests;
    const value = await isComposition(activeFile()?.toString());
    if (request === requests) await commands.executeCommand('setContext', 'framework.isComposition', value);
  }
  const events = [window.tabGroups.onDidChangeTabs(update), window.tabGroups.onDidChangeTabGroups(update)];
  return {
    update: () => void update(),
    dispose() {
      for (const event of events) event.dispose();
    },
  };
}

type ReferencesArgument = Commands['framework.showReferences'][0];

/** Shows the references that a code lens counted. The argument is JSON from the server; VS Code expects its own classes. */
async function showReferences(given: ReferencesArgument | undefined, converter: Protocol2CodeConverter): Promise<void> {
  if (!given?.locations) {
    await window.showInformationMessage(l10n.t('Use this command from the code lens above a composition.'));
    return;
  }
  await commands.executeCommand(
    'editor.action.showReferences',
    converter.asUri(given.uri),
    converter.asPosition(given.position),
    given.locations.map((location) => converter.asLocation(location)),
  );
}
