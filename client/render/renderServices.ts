// What the renders of the extension need; `ExtensionServices` adds the renders themselves.
import type { ExtensionContext, LogOutputChannel } from 'vscode';
import type { ActiveComposition } from '../compositions/activeComposition.ts';
import type { DraftValues } from '../compositions/draftValues.ts';
import type { Host } from '../host.ts';
import type { LanguageServer } from '../language/languageServer.ts';
import type { RenderHistory } from './history.ts';
import type { VideoSize } from './videoSize.ts';

export type RenderServices = {
  context: ExtensionContext;
  extensionPath: string;
  host: Host;
  server: LanguageServer;
  log: LogOutputChannel;
  values: DraftValues;
  active: ActiveComposition;
  history: RenderHistory;
  videoSize: VideoSize;
  /** The clock: milliseconds since 1970. */
  now: () => number;
};
