// What the assembled page is told before any of its scripts run, and what it tells about itself: plain data.

/** One composition in the page: the top level, or one mount of a composition file. */
export type InstanceConfig = {
  /** Unique in the page; the mount's element carries it in `data-framework-instance`. `top` for the top level. */
  id: string;
  /** Merged variable values of this instance. */
  values: Record<string, unknown>;
  /** URLs of the variables that name a file where an element's source is bound to them, by variable id. */
  sources?: Record<string, string>;
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
/** In the preview: where in the project an element stands, as `plan/sourceMarks.ts` writes it. */
export const sourceAttribute = 'data-framework-source';
/** Marks elements outside their time span; the runtime's own style sheet hides them. */
export const hiddenAttribute = 'data-framework-hidden';
/** Marks the video that is left out of the page's painting, and the elements around it. */
export const groundAttribute = 'data-framework-ground';
/** Tells graded elements apart for the runtime's own style sheet. */
export const gradedAttribute = 'data-framework-graded';

/** A media element that may sound, as scripts and animations have left it. Seconds of the top-level composition. */
export type Sound = {
  /** For messages: `<audio id="music">`. */
  name: string;
  /** Absolute URL of its file. */
  url: string;
  start: number;
  /** When it falls silent; null where nothing ends it. */
  end: number | null;
  mediaStart: number;
  rate: number;
  loop: boolean;
  /** Loudness from a time on, 0 to 1, wherever it changed between the frames shown so far. */
  volumes: { from: number; volume: number }[];
};

/** Something the page needs that is there and cannot be used. `element` says for people who needs it. */
export type BrokenAsset = { kind: 'image' | 'font'; url: string; element: string };

/** In front of a `BrokenAsset` as JSON, in the message of an error. */
export const assetFault = 'asset: ';

/** In front of the message of an error about `data-start`, so that it can be told from an exception of the page's own. */
export const timingFault = 'timing: ';

/** The same for a media file that cannot be used. */
export const mediaFault = 'media: ';
