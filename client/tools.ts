// What every part of the extension is given when it is put together.
import type { ExtensionContext, LogOutputChannel } from 'vscode';
import type { ActiveComposition } from './activeComposition.ts';
import type { Host } from './host.ts';
import type { LanguageServer } from './languageServer.ts';
import type { RenderEntry, RenderHistory } from './render/history.ts';
import type { TriedValues } from './values.ts';

export type Tools = {
  context: ExtensionContext;
  extensionPath: string;
  host: Host;
  server: LanguageServer;
  log: LogOutputChannel;
  values: TriedValues;
  active: ActiveComposition;
  history: RenderHistory;
  renders: { again(entry: RenderEntry): unknown; cancel(entryId: string): boolean };
};
