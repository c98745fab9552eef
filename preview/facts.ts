// Plain data that the preview server sends to its page: about a composition, and whenever something changes.
import type { Size } from '../renderer-core/model/declaredSizes.ts';
import type { FrameRate } from '../renderer-core/model/frameGrid.ts';
import type { LineShift } from '../renderer-core/page/assemble/textEdits.ts';
import type { PreviewProblem } from './messages.ts';

/** The box of the video around a page, in pixels of the page. `background`: color of the bars; null: the page's own. */
export type VideoBox = {
  left: number;
  top: number;
  width: number;
  height: number;
  /** How much higher than wide a pixel of the page is shown. */
  stretch: number;
  background: string | null;
};

/** Written into the composition's page, whose elements are marked with source locations that refer to `files`. */
export type PageFacts = {
  /** Increases with every change of the page. */
  version: number;
  composition: string;
  /** Paths in the project. Marks refer to them by index. */
  files: string[];
  /** How embedded files have shifted the lines of the composition's text. */
  shifts: LineShift[];
  width: number;
  height: number;
  /** The sizes for which the composition has layouts, if it declares any. `name`: the aspect ratio. */
  sizes: (Size & { name: string })[];
  /** The video, if it has another aspect ratio; null if the page fills it. */
  video: VideoBox | null;
  rate: FrameRate;
  /**
   * The pinned family behind each name that pages can use, and the families of the project's font sheets in lower case; null if
   * text uses the fonts of the machine.
   */
  fonts: { substitutes: Record<string, string>; project: readonly string[] } | null;
  /** The value of `data-poster-time`, in seconds. */
  posterTime: number | null;
  /** In seconds; null if only the page can determine it. */
  duration: number | null;
};

/** The response of `status`. The request waits until there is a newer state than `after`. */
export type PreviewStatus = {
  /** Increases with every change of this object. */
  turn: number;
  /** The version of the current page; 0 if the composition has never been without errors. */
  version: number;
  composition: string;
  /** Problems of the project's files. */
  problems: PreviewProblem[];
  /** Part of the page's URL, so that the browser caches files until they change; see `editionFolder`. */
  edition: number;
  /** The origin of the server, which URLs in `media` and `sound` requests must have. */
  origin: string;
};

/** Key of a function on the preview page's window, which composition pages in its frames call. */
export const watcherSymbol = 'framework.preview';

/** Called by the composition's page before its scripts run. */
export type Watcher = (page: Window & typeof globalThis, facts: PageFacts) => void;

/** A folder below the root, followed by the edition number and the path of a file. */
export const editionFolder = '__framework/edition/';

/** GET routes below the root. `?composition=` selects the composition, `&view=` a view, and `&size=1080x1920` one of its sizes. */
export const previewRoutes = {
  /** The preview page. */
  page: '__framework/preview/',
  /** `&after=<turn>`: a `PreviewStatus`. */
  status: '__framework/preview/status',
  /** `PreviewProblem[]`: missing files that were requested since the composition's page was loaded. */
  missing: '__framework/preview/missing',
  /** `?url=`: `{path}` below the root of the file's sound in a format that all browsers play, or `{problem}`. */
  sound: '__framework/preview/sound',
  /** `&frame=`: a PNG, or `{problem}` as JSON. */
  picture: '__framework/preview/picture',
} as const;
