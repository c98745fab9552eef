// What the process of the preview tells the page: with the composition's own page, and whenever something has changed.
import type { FrameRate } from '../plan/frameRate.ts';
import type { LineShift } from '../plan/textEdits.ts';
import type { PreviewProblem } from './messages.ts';

/** Stands in the assembled page, whose elements are marked with places in `files`. */
export type PageFacts = {
  /** Grows with every change of the page. */
  version: number;
  composition: string;
  /** Paths in the project; marks name them by their place in this list. */
  files: string[];
  /** What embedded files have made of the lines of the composition's own text. */
  shifts: LineShift[];
  width: number;
  height: number;
  rate: FrameRate;
  /** Seconds; null where only the page tells. */
  duration: number | null;
};

/** The answer to `status`, which waits until there is something newer than the `after` it is asked with. */
export type PreviewStatus = {
  /** Grows with every change of anything here. */
  turn: number;
  /** Of the page that would be loaded now; 0 while the composition has had none without faults. */
  version: number;
  composition: string;
  /** What is wrong with the project's files. */
  problems: PreviewProblem[];
  /** Part of the address of what is shown, so that the browser keeps what has not changed; see `editionFolder`. */
  edition: number;
  /** The server's own origin, by which files are asked for in `media` and `sound`. */
  origin: string;
};

/** Where a page that runs in a frame of the preview finds who watches it: a function on its parent's window. */
export const watcherSymbol = 'framework.preview';

/** Called by the page in the frame before all its scripts. */
export type Watcher = (page: Window & typeof globalThis, facts: PageFacts) => void;

/** Below the page's root: followed by the edition's number, and the path of a file. */
export const editionFolder = '__framework/edition/';

/** Below the page's root; all are asked with GET. `?composition=` says whose they are. */
export const previewRoutes = {
  /** The page itself. */
  page: '__framework/preview/',
  /** `&after=<turn>`: a `PreviewStatus`. */
  status: '__framework/preview/status',
  /** `PreviewProblem[]`: files that were asked for since the composition's page was, and are not there. */
  missing: '__framework/preview/missing',
  /** `?url=`: `{path}` of the file's sound in a form that every browser plays, below the root, or `{problem}`. */
  sound: '__framework/preview/sound',
  /** `&frame=`: a PNG, or `{problem}` as JSON. */
  picture: '__framework/preview/picture',
} as const;
