// What every part of the extension is given when it is put together.
import type { ExtensionContext, LogOutputChannel } from 'vscode';
import type { ActiveComposition } from './activeComposition.ts';
import type { Host } from './host.ts';
import type { LanguageServer } from './languageServer.ts';
import type { RenderHistory } from './render/history.ts';
import type { Renders } from './render/renders.ts';
import type { TriedValues } from './values.ts';

export type Tools = RenderTools & { renders: Renders };

/** What renders themselves are given. */
export type RenderTools = {
  context: ExtensionContext;
  extensionPath: string;
  host: Host;
  server: LanguageServer;
  log: LogOutputChannel;
  values: TriedValues;
  active: ActiveComposition;
  history: RenderHistory;
};
