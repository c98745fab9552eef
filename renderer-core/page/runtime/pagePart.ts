// What features do in the page of a composition. The player calls them; it knows none by name.

import type { Clips } from './clipVisibility.ts';
import type { OpenMedia, Player } from './control.ts';
import type { PageConfig } from './page.ts';
import type { Scopes } from './scope.ts';
import type { Frames } from './skippedDrawings.ts';
import type { Adapter } from './time/libraryPlayers.ts';
import type { Timeline } from './time/timelines.ts';
import type { Assets } from './waiting/assetLoader.ts';

/** The page, before its scripts run. */
export type Kernel = {
  config: PageConfig;
  window: Window & typeof globalThis;
  clips: Clips;
  assets: Assets;
  /** The browser's own timer: scripts get the composition's. */
  own: { setTimeout: typeof setTimeout };
  /** The composition's time in seconds. */
  now(): number;
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
  /** Finds the players of a library, which authors need not register. */
  adapter?: Adapter;
  /** GSAP's interface for an object that an author has registered; undefined for those of others. */
  timelineOf?(registered: object): Timeline | undefined;
  /** The length of an element's media file in seconds, if it is known. */
  naturalDuration?(element: Element): number | undefined;
  /** Opens files, after scripts and variables have set their sources. */
  open?(openMedia: OpenMedia): Promise<void>;
  /** Called once, when scripts have run. */
  begin?(): void;
  /** Opens files of elements that scripts have added or changed since. Returns whether there were any. */
  adopt?(): Promise<boolean>;
  /** Shows the time of a frame, after scripts have. `passing`: the frame is not captured. */
  show?(seconds: number, passing: boolean): Promise<void>;
  /** Resolves when what the last seek has added is loaded. */
  pending?(): Promise<unknown>;
  /** Called with the time in milliseconds when a frame that is captured is loaded. */
  settle?(ms: number): Promise<void>;
  /** Called when everything else shows the time of a frame. */
  apply?(): void;
  /** Runs code of the mount with this element. */
  runIn?<Result>(mount: Element, code: () => Result): Result;
  /** Messages about what cannot be shown as written. */
  warnings?(): string[];
};

/** By the name of the feature. */
export type PageParts = Readonly<Record<string, PagePart>>;
