// The active composition: the one that the active tab is about, or the last one while another kind of tab is active.
import {
  type Disposable,
  type Event,
  EventEmitter,
  type LogOutputChannel,
  type WebviewPanel,
  window,
  workspace,
} from 'vscode';
import type { CompositionInfo } from '../../server/protocol.ts';
import type { LanguageServer } from '../language/languageServer.ts';
import { activeFile } from './activeFile.ts';
import { compositionOf } from './compositionOf.ts';
import { type MovedUri, movedComposition } from './moves.ts';

export type ActiveComposition = Disposable & {
  /** Undefined until a composition has been active. */
  current(): CompositionInfo | undefined;
  /** Requests the composition from the language server again, for example after it has read the workspace. */
  refresh(): void;
  /** A tab of the extension that is about a composition is active. */
  show(uri: string): void;
  move(moved: MovedUri): void;
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
      const found = await compositionOf(uri, server);
      // A newer request replaces this one.
      if (request !== requests || !found) return;
      current = withLastValid(found, valid.get(found.uri));
      valid.set(found.uri, current.variables);
      changed.fire(current);
    } catch (error) {
      log.error(`The composition ${uri} could not be read: ${error}`);
    }
  }
  const readTab = () => {
    const uri = activeFile()?.toString();
    if (uri !== current?.uri) void read(uri);
  };
  const events = [
    window.tabGroups.onDidChangeTabs(readTab),
    window.tabGroups.onDidChangeTabGroups(readTab),
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
    show(uri) {
      if (uri !== current?.uri) void read(uri);
    },
    move(moved) {
      const after = current && movedComposition(current, moved);
      if (!after || after === current) return;
      current = after;
      changed.fire(current);
    },
    onDidChange: changed.event,
    dispose() {
      clearTimeout(timer);
      for (const owned of [changed, ...events]) owned.dispose();
    },
  };
}

/** Makes a composition active when the panel that is about it becomes active. */
export function followPanel(
  { onDidChangeViewState }: Pick<WebviewPanel, 'onDidChangeViewState'>,
  { uri }: CompositionInfo,
  active: ActiveComposition,
): void {
  onDidChangeViewState(({ webviewPanel }) => {
    if (webviewPanel.active) active.show(uri);
  });
}

/** Keeps the declarations that a typing error has made invalid, so that the form and its values stay. `before`: the last valid ones. */
export function withLastValid(found: CompositionInfo, before: CompositionInfo['variables'] = []): CompositionInfo {
  if (!found.declarationsProblem) return found;
  const now = new Map(found.variables.map((variable) => [variable.id, variable]));
  const kept = before.map((variable) => now.get(variable.id) ?? variable);
  const ids = new Set(kept.map(({ id }) => id));
  return { ...found, variables: [...kept, ...found.variables.filter(({ id }) => !ids.has(id))] };
}
