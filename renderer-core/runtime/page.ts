// What the assembled page is told before any of its scripts run, and the control surface it offers in return.

/** One composition in the page: the top level, or one mount of a composition file. */
export type InstanceConfig = {
  /** Unique in the page; the mount's element carries it in `data-framework-instance`. `top` for the top level. */
  id: string;
  /** Merged variable values of this instance. */
  values: Record<string, unknown>;
};

/** Written into the page as JSON by the assembly, read once by the runtime. */
export type PageConfig = {
  /** What `Date.now()` says at time 0, in milliseconds. */
  epochMs: number;
  /** Seed of `Math.random`. */
  seed: number;
  instances: InstanceConfig[];
};

export const topInstance = 'top';

/** Marks the element that a composition file was mounted into. */
export const instanceAttribute = 'data-framework-instance';
/** Marks elements outside their time span; the runtime's own style sheet hides them. */
export const hiddenAttribute = 'data-framework-hidden';

/** What capture and preview call. Times are seconds of the top-level composition. */
export type Player = {
  /** Resolves when fonts, images and everything the scripts started to load has settled. Call once, before the first seek. */
  ready(): Promise<void>;
  /**
   * Begins to show time `seconds`, after the seeks before it. Going back or jumping ahead replays nothing: whoever wants
   * a frame that depends on the ones before it seeks to each of them.
   */
  seek(seconds: number): void;
  /** Resolves when the last seek is done and the images that it brought in have been decoded. Rejects with its failure. */
  settle(): Promise<void>;
  /** Length inferred from timelines and clips, in seconds; null when nothing is finite. */
  naturalDuration(): number | null;
  /** Whether everything that changes the picture makes the browser paint; canvases of workers and videos do not. */
  rendersOnPaint(): boolean;
  /** What in the page is known to come out wrong when the browser draws it into a canvas; null when nothing is. */
  paintObstacle(): string | null;
  /** Whether the page asked for a WebGL context and did not get one. */
  lacksWebGl(): boolean;
};

/** In front of the message of an error about `data-start`, so that it can be told from an exception of the page's own. */
export const timingFault = 'timing: ';
