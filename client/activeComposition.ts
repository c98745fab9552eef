// The composition that the user works on: the one in front, or the one that was, while other things have the focus.
import { type Disposable, type Event, EventEmitter, window, workspace } from 'vscode';
import type { CompositionInfo } from '../server/protocol.ts';
import { activeFile } from './activeFile.ts';
import type { LanguageServer } from './languageServer.ts';

export type ActiveComposition = Disposable & {
  /** As it was last read; undefined until a composition has been in front. */
  current(): CompositionInfo | undefined;
  /** Asks the language server again: it may have learned of files. */
  refresh(): void;
  /** Another composition came in front, or the text of the current one has changed. */
  onDidChange: Event<CompositionInfo>;
};

/** After the last key: what is half typed declares nothing. Milliseconds. */
const pauseMs = 150;

export function createActiveComposition(server: LanguageServer): ActiveComposition {
  const changed = new EventEmitter<CompositionInfo>();
  let current: CompositionInfo | undefined;
  let turns = 0;
  let pause: ReturnType<typeof setTimeout> | undefined;

  async function read(uri: string | undefined): Promise<void> {
    if (uri === undefined) return;
    const turn = ++turns;
    const found = await server.ask('framework/composition', { uri }).catch(() => null);
    if (turn !== turns || !found) return;
    current = found;
    changed.fire(found);
  }
  const events = [
    window.tabGroups.onDidChangeTabs(() => {
      const uri = activeFile()?.toString();
      if (uri !== current?.uri) void read(uri);
    }),
    workspace.onDidChangeTextDocument(({ document }) => {
      if (document.uri.toString() !== current?.uri) return;
      clearTimeout(pause);
      pause = setTimeout(() => void read(current?.uri), pauseMs);
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
      clearTimeout(pause);
      for (const owned of [changed, ...events]) owned.dispose();
    },
  };
}
