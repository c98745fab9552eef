// The active composition: the one in the active tab, or the last one while another kind of tab is active.
import { type Disposable, type Event, EventEmitter, type LogOutputChannel, window, workspace } from 'vscode';
import type { CompositionInfo } from '../../server/protocol.ts';
import type { LanguageServer } from '../language/languageServer.ts';
import { activeFile } from './activeFile.ts';

export type ActiveComposition = Disposable & {
  /** Undefined until a composition has been active. */
  current(): CompositionInfo | undefined;
  /** Requests the composition from the language server again, for example after it has read the workspace. */
  refresh(): void;
  /** Fires when another composition becomes active and when the text of the active one changes. */
  onDidChange: Event<CompositionInfo>;
};

/** Delay after the last edit, in milliseconds: half-typed declarations are not useful. */
const editDelayMs = 150;

export function createActiveComposition(
  server: Pick<LanguageServer, 'request'>,
  log: Pick<LogOutputChannel, 'error'>,
): ActiveComposition {
  const changed = new EventEmitter<CompositionInfo>();
  let current: CompositionInfo | undefined;
  let requests = 0;
  /** The last valid declarations by URI. */
  const valid = new Map<string, CompositionInfo['variables']>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function read(uri: string | undefined): Promise<void> {
    if (uri === undefined) return;
    const request = ++requests;
    try {
      const found = await server.request('framework/composition', { uri });
      // A newer request replaces this one.
      if (request !== requests || !found) return;
      current = withLastValid(found, valid.get(uri));
      valid.set(uri, current.variables);
      changed.fire(current);
    } catch (error) {
      log.error(`The composition ${uri} could not be read: ${error}`);
    }
  }
  const events = [
    window.tabGroups.onDidChangeTabs(() => {
      const uri = activeFile()?.toString();
      if (uri !== current?.uri) void read(uri);
    }),
    workspace.onDidChangeTextDocument(({ document }) => {
      if (document.uri.toString() !== current?.uri) return;
      clearTimeout(timer);
      timer = setTimeout(() => void read(current?.uri), editDelayMs);
    }),
  ];
  return {
    current() {
      if (!current) void read(activeFile()?.toString());
      return current;
    },
    refresh: () => void read(current?.uri ?? activeFile()?.toString()),
    onDidChange: changed.event,
    dispose() {
      clearTimeout(timer);
      for (const owned of [changed, ...events]) owned.dispose();
    },
  };
}

/** Keeps the declarations that a typing error has made invalid, so that the form and its values stay. `before`: the last valid ones. */
export function withLastValid(found: CompositionInfo, before: CompositionInfo['variables'] = []): CompositionInfo {
  if (!found.declarationsProblem) return found;
  const now = new Map(found.variables.map((variable) => [variable.id, variable]));
  const kept = before.map((variable) => now.get(variable.id) ?? variable);
  const ids = new Set(kept.map(({ id }) => id));
  return { ...found, variables: [...kept, ...found.variables.filter(({ id }) => !ids.has(id))] };
}
