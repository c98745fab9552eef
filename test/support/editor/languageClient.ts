// A language client for tests: opens and edits files like an editor and records what the server sends.
import type { MessageConnection } from 'vscode-jsonrpc';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Diagnostic, Range, TextEdit, WorkspaceEdit } from 'vscode-languageserver-types';

export type ClientOptions = {
  /** URIs of the workspace folders. */
  folders?: readonly string[];
  /** The `framework` section of `workspace/configuration`. */
  settings?: unknown;
  initializationOptions?: unknown;
  /** Answers requests of the server that are not part of the protocol. */
  serve?: (method: string, params: unknown) => unknown;
};

export type OpenFile = {
  uri: string;
  text(): string;
  /** The position of a text in the file. */
  offsetOf(text: string): number;
  position(offset: number): { line: number; character: number };
  /** Replaces a text that occurs once in the file. */
  replace(before: string, after: string): Promise<void>;
  setText(text: string): Promise<void>;
  /** Applies edits that the server returned. */
  apply(edits: readonly TextEdit[]): Promise<void>;
  close(): Promise<void>;
  /** Pulls diagnostics. */
  diagnostics(): Promise<Diagnostic[]>;
  /** Sends a request about this document; `askAt` adds the position of a text. */
  ask<Result>(method: string, params?: Record<string, unknown>): Promise<Result>;
  askAt<Result>(method: string, text: string, params?: Record<string, unknown>): Promise<Result>;
};

export type LanguageClient = {
  connection: MessageConnection;
  capabilities: Record<string, unknown>;
  open(uri: string, text: string): Promise<OpenFile>;
  /** Returns an open file. */
  file(uri: string): OpenFile | undefined;
  /** The parameters of all received notifications and requests with this method. */
  received<Params>(method: string): Params[];
  /** Resolves with the first message with this method that passes the test, already received or not. */
  waitFor<Params>(method: string, test?: (params: Params) => boolean): Promise<Params>;
  /** Forgets the messages received so far. */
  forget(): void;
  watched(changes: readonly { uri: string; type: 1 | 2 | 3 }[]): Promise<void>;
  setFolders(added: readonly string[], removed: readonly string[]): Promise<void>;
  setSettings(settings: unknown): Promise<void>;
  end(): Promise<void>;
};

type Box = {
  all: { method: string; params: unknown }[];
  waiting: { method: string; test: (params: never) => boolean; resolve: (params: never) => void }[];
};

/** Initializes the server and waits until the workspace folders have been read. */
export async function connectClient(
  connection: MessageConnection,
  options: ClientOptions = {},
): Promise<LanguageClient> {
  const box: Box = { all: [], waiting: [] };
  const files = new Map<string, OpenFile>();
  let settings: unknown = options.settings ?? {};
  const note = (method: string, params: unknown) => {
    box.all.push({ method, params });
    for (const one of box.waiting.filter((each) => each.method === method)) {
      if (!one.test(params as never)) continue;
      box.waiting.splice(box.waiting.indexOf(one), 1);
      one.resolve(params as never);
    }
  };
  connection.onNotification((method, params) => note(method, params));
  connection.onRequest((method, params) => {
    note(method, params);
    if (method === 'workspace/configuration') return [settings];
    return options.serve?.(method, params) ?? null;
  });
  const folders = (options.folders ?? []).map((uri) => ({ uri, name: uri.split('/').at(-1) ?? '' }));
  const { capabilities } = await connection.sendRequest<{ capabilities: Record<string, unknown> }>('initialize', {
    processId: null,
    rootUri: null,
    workspaceFolders: folders,
    capabilities: editorCapabilities,
    initializationOptions: options.initializationOptions,
  });
  await connection.sendNotification('initialized', {});

  const waitFor: LanguageClient['waitFor'] = (method, test = () => true) => {
    type Params = Parameters<typeof test>[0];
    const known = box.all.findLast((one) => one.method === method && test(one.params as Params));
    if (known) return Promise.resolve(known.params as Params);
    return new Promise((resolve) => box.waiting.push({ method, test, resolve }));
  };
  return {
    connection,
    capabilities,
    waitFor,
    file: (uri) => files.get(uri),
    received: (method) => box.all.filter((one) => one.method === method).map(({ params }) => params as never),
    forget: () => void box.all.splice(0),
    async open(uri, text) {
      const file = await openFile(connection, uri, text);
      files.set(uri, file);
      return file;
    },
    watched: (changes) => connection.sendNotification('workspace/didChangeWatchedFiles', { changes }),
    setFolders: (added, removed) => {
      const named = (uris: readonly string[]) => uris.map((uri) => ({ uri, name: uri }));
      const event = { added: named(added), removed: named(removed) };
      return connection.sendNotification('workspace/didChangeWorkspaceFolders', { event });
    },
    setSettings(next) {
      settings = next;
      return connection.sendNotification('workspace/didChangeConfiguration', { settings: null });
    },
    async end() {
      await connection.sendRequest('shutdown');
      await connection.sendNotification('exit');
    },
  };
}

async function openFile(connection: MessageConnection, uri: string, text: string): Promise<OpenFile> {
  let document = TextDocument.create(uri, 'html', 1, text);
  const textDocument = { uri };
  const change = async (contentChanges: { range?: Range; text: string }[]) => {
    const version = document.version + 1;
    document = TextDocument.update(document, contentChanges, version);
    await connection.sendNotification('textDocument/didChange', { textDocument: { uri, version }, contentChanges });
  };
  const offsetOf = (part: string) => {
    const offset = document.getText().indexOf(part);
    if (offset < 0) throw new Error(`${JSON.stringify(part)} does not occur in ${uri}`);
    return offset;
  };
  const position = (offset: number) => document.positionAt(offset);
  const ask: OpenFile['ask'] = (method, params) => connection.sendRequest(method, { textDocument, ...params });
  await connection.sendNotification('textDocument/didOpen', {
    textDocument: { uri, languageId: 'html', version: 1, text },
  });
  return {
    uri,
    text: () => document.getText(),
    offsetOf,
    position,
    ask,
    askAt: (method, part, params) => ask(method, { position: position(offsetOf(part)), ...params }),
    replace(before, after) {
      const start = offsetOf(before);
      return change([{ range: { start: position(start), end: position(start + before.length) }, text: after }]);
    },
    setText: (next) => change([{ text: next }]),
    // From last to first, so that the other positions stay valid.
    apply: (edits) => change([...edits].sort(byPlaceBackwards).map(({ range, newText }) => ({ range, text: newText }))),
    close: () => connection.sendNotification('textDocument/didClose', { textDocument }),
    async diagnostics() {
      const report = await ask<{ items?: Diagnostic[] }>('textDocument/diagnostic');
      return report.items ?? [];
    },
  };
}

function byPlaceBackwards({ range: a }: TextEdit, { range: b }: TextEdit): number {
  return b.start.line - a.start.line || b.start.character - a.start.character;
}

/** The capabilities of VS Code without which the library of the server ignores messages. */
const editorCapabilities = {
  window: { workDoneProgress: true },
  workspace: { workspaceFolders: true },
};

/** The texts of all changed files after an edit, by URI. */
export function textsAfter(edit: WorkspaceEdit, textOf: (uri: string) => string): Record<string, string> {
  const texts: Record<string, string> = {};
  const put = (uri: string, edits: readonly TextEdit[]) => {
    texts[uri] = TextDocument.applyEdits(TextDocument.create(uri, 'html', 0, textOf(uri)), [...edits]);
  };
  for (const [uri, edits] of Object.entries(edit.changes ?? {})) put(uri, edits);
  for (const change of edit.documentChanges ?? []) {
    if ('textDocument' in change) put(change.textDocument.uri, change.edits as TextEdit[]);
  }
  return texts;
}
