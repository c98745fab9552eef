// The language server as the rest of the extension sees it: started, restarted, asked, and watched.
import {
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
import type { BaseLanguageClient, LanguageClientOptions } from 'vscode-languageclient';
import type {
  ClientRequests,
  InitializationOptions,
  ServerNotifications,
  ServerRequests,
  Status,
} from '../server/protocol.ts';
import { activeFile } from './activeFile.ts';
import type { Host } from './host.ts';
import { lensTitle } from './lensWords.ts';
import { listFiles, readFile } from './servedFiles.ts';
import { showReferences } from './showReferences.ts';

/** What the status item shows. `failed`: it ended and does not come back by itself. */
export type ServerState =
  | { kind: 'starting' | 'stopped' }
  | { kind: 'running'; status: Status }
  | { kind: 'failed'; reason: string };

export type LanguageServer = Disposable & {
  /** Fails when the server does not start. */
  start(): Promise<void>;
  restart(): Promise<void>;
  stop(): Promise<void>;
  /** Waits for the server where it is still starting. Fails when it is not there. */
  ask<Method extends keyof ServerRequests>(
    method: Method,
    params: ServerRequests[Method]['params'],
  ): Promise<ServerRequests[Method]['result']>;
  /** What the server knows of the compositions may be different now. */
  onDidChange: Event<void>;
};

export function createLanguageServer(
  context: ExtensionContext,
  host: Host,
  log: LogOutputChannel,
  show: (state: ServerState) => void,
): LanguageServer {
  let client: Promise<BaseLanguageClient> | undefined;
  const changed = new EventEmitter<void>();
  const subscriptions: Disposable[] = [];

  async function create(): Promise<BaseLanguageClient> {
    show({ kind: 'starting' });
    const made = await host.createClient(clientOptions(context.extensionUri, log));
    const onChanged: keyof ServerNotifications = 'framework/changed';
    subscriptions.push(
      ...wire(made, show),
      watchComposition(made),
      made.onNotification(onChanged, () => changed.fire()),
    );
    await made.start();
    return made;
  }
  async function start(): Promise<void> {
    client ??= create();
    try {
      await client;
    } catch (error) {
      show({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) });
      throw error;
    }
  }
  async function stop(): Promise<void> {
    const stopping = client;
    client = undefined;
    for (const subscription of subscriptions.splice(0)) subscription.dispose();
    const made = await stopping?.catch(() => undefined);
    if (made?.needsStop()) await made.stop().catch((error) => log.warn(`The language server did not stop: ${error}`));
    show({ kind: 'stopped' });
  }
  return {
    start,
    stop,
    async restart() {
      await stop();
      await start();
    },
    async ask(method, params) {
      if (!client) throw new Error(l10n.t('The language server is not running.'));
      return (await client).sendRequest(method, params);
    },
    onDidChange: changed.event,
    dispose() {
      changed.dispose();
      void stop();
    },
  };
}

/** By name alone: every other data file is left to its own extensions. */
const batchPattern = '**/{rows,batch,*.rows,*.batch}.{json,jsonl,csv}';

function clientOptions(extensionUri: Uri, outputChannel: LogOutputChannel): LanguageClientOptions {
  const options: InitializationOptions = {
    servesFiles: true,
    docsUri: Uri.joinPath(extensionUri, 'docs').toString(),
  };
  // Not every scheme: the two sides of a comparison, for instance, are nothing to complain about.
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
        for (const { command } of lenses ?? []) if (command) command.title = lensTitle(command);
        return lenses;
      },
    },
  };
}

function wire(client: BaseLanguageClient, show: (state: ServerState) => void): Disposable[] {
  // The numbers of the client's `State`, which cannot be imported without loading all of it.
  const [stopped, running, starting] = [1, 2, 3];
  const onStatus: keyof ServerNotifications = 'framework/status';
  const composition = watchComposition(client);
  let status: Status = { state: 'reading', compositions: 0 };
  return [
    composition,
    client.onDidChangeState(({ newState }) => {
      if (newState === starting) show({ kind: 'starting' });
      if (newState === running) show({ kind: 'running', status });
      if (newState === stopped) show({ kind: 'failed', reason: l10n.t('The language server ended.') });
    }),
    client.onNotification(onStatus, (given: Status) => {
      status = given;
      show({ kind: 'running', status });
      composition.update();
    }),
    client.onRequest('framework/readFile' satisfies keyof ClientRequests, readFile),
    client.onRequest('framework/listFiles' satisfies keyof ClientRequests, listFiles),
    commands.registerCommand('framework.showReferences', (given) =>
      showReferences(given, client.protocol2CodeConverter),
    ),
  ];
}

/** Keeps the context key that the buttons of the editor's title wait for. */
function watchComposition(client: BaseLanguageClient): Disposable & { update(): void } {
  let turns = 0;
  async function update(): Promise<void> {
    const turn = ++turns;
    const uri = activeFile()?.toString();
    const method: keyof ServerRequests = 'framework/composition';
    const isComposition = uri !== undefined && (await client.sendRequest(method, { uri }).catch(() => null)) !== null;
    if (turn === turns) await commands.executeCommand('setContext', 'framework.isComposition', isComposition);
  }
  const events = [window.tabGroups.onDidChangeTabs(update), window.tabGroups.onDidChangeTabGroups(update)];
  return {
    update: () => void update(),
    dispose() {
      for (const event of events) event.dispose();
    },
  };
}
