// What a feature does in the page of a composition. It is installed before scripts of the page run (page/main.ts).
import type { Player } from '../runtime/control.ts';
import type { Frames } from '../runtime/skippedDrawings.ts';

export type PagePart = {
  install(page: {
    window: Window & typeof globalThis;
    player: Player;
    frames: Frames;
    /** Those of the parts before it. */
    handles: Readonly<Record<string, unknown>>;
  }): PageHooks;
};

export type PageHooks = {
  /** What the player of this page does differently. */
  player?: Partial<Player>;
  /** What the feature's `CapturePart` gets. */
  handle?: unknown;
};
