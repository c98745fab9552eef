// What features do in the page of a composition. The player calls them; it knows none by name.
import type { Clips } from './clipVisibility.ts';
import type { Player } from './control.ts';
import type { Adapter } from './libraryPlayers.ts';
import type { PageConfig } from './page.ts';
import type { Scopes } from './scope.ts';
import type { Frames } from './skippedDrawings.ts';
import type { Timeline } from './timelines.ts';

/** The page, before its scripts run. */
export type Kernel = {
  config: PageConfig;
  window: Window & typeof globalThis;
  clips: Clips;
  scopes: Scopes;
  frames: Frames;
  /** What features offer to capture and to the features after them. */
  handles: Readonly<Record<string, unknown>>;
};

export type PagePart = { install(kernel: Kernel): PageHooks };

export type PageHooks = {
  /** What the player of this page does differently. */
  override?(player: Player): Partial<Player>;
  /** What the feature's part in the capture page gets. */
  handle?: unknown;
  /** Of a library whose players are found without registration. */
  adapter?: Adapter;
  /** GSAP's interface for an object that an author has registered; undefined for those of others. */
  timelineOf?(registered: object): Timeline | undefined;
  /** Called once, when scripts have run. */
  begin?(): void;
  /** Called when everything else shows the time of a frame. */
  apply?(): void;
  /** Messages about what cannot be shown as written. */
  warnings?(): string[];
};

/** By the name of the feature. */
export type PageParts = Readonly<Record<string, PagePart>>;
