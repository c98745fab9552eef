// What the live preview, the editor and the preview's page say to each other: plain data, types alone.

/** Where something stands in the project. `file` is relative to the project folder; line and column count from 1. */
export type PreviewPlace = { file: string; line?: number; column?: number };

/**
 * Something that keeps the preview from showing what the render would show. `id` tells problems apart: one that is told
 * again with the same id is the same one.
 */
export type PreviewProblem = {
  severity: 'error' | 'warning';
  message: string;
  hint?: string;
  place?: PreviewPlace;
};

// --- editor <-> process, over the channel of the child process -----------------------------------------------------

/** The editor, to `framework preview`. Paths are relative to the project folder, with `/`. */
export type ToProcess =
  /** Which composition is shown, and with which values over its defaults. The URL's `?composition=` is another way to say it. */
  | { type: 'show'; composition: string; values: Record<string, unknown> }
  /** The text of a file that is not saved; null: as on disk again. */
  | { type: 'text'; path: string; text: string | null }
  /** A file was saved, made, deleted or changed on disk. */
  | { type: 'changed'; path: string };

/** `framework preview`, to the editor. */
export type FromProcess =
  /**
   * Once, when pages are served. `url` is the page's address without a composition, with the secret in it: the page of
   * one composition is `pageUrl(url, composition)`, i.e. `${url}?composition=${encodeURIComponent(path)}`. Behind a port
   * that is forwarded, replace the origin of `url` by the origin (and path prefix) of what the editor says it is from
   * outside. Several pages of several compositions may be open at once.
   */
  | { type: 'listening'; url: string; origin: string }
  /** The composition was read and is being shown by its pages: until then the last good picture stays. */
  | { type: 'ready'; composition: string }
  /** All that is wrong with the project's files, as they are now; an empty list takes back the ones before. */
  | { type: 'problems'; composition: string; problems: PreviewProblem[] };

// --- editor's webview <-> page, by postMessage ---------------------------------------------------------------------
// The page posts to its parent alone, and listens to its parent alone (`event.source === parent`). The editor's webview
// checks `event.source === iframe.contentWindow` and `event.origin`. Every message has `framework: 'preview'`.

/** What the webview posts into the frame. */
export type ToPage = { framework: 'preview' } & (
  | {
      type: 'theme';
      kind: 'dark' | 'light' | 'high-contrast' | 'high-contrast-light';
      variables: Record<string, string>;
    }
  /** Translated texts over the English ones; keys are those of `previewTexts` in previewPage/texts.ts. */
  | { type: 'strings'; texts: Record<string, string> }
  /** The caret stands at `offset` (UTF-16 units) of a file; null: nowhere. */
  | { type: 'select'; at: { file: string; offset: number } | null }
  | { type: 'seek'; time: number }
  | { type: 'play' }
  | { type: 'pause' }
  /** Answered by `picture`. */
  | { type: 'takePicture' }
  /** Begins or ends the mode in which a click reveals an element. */
  | { type: 'pick'; on: boolean }
);

/** Times in seconds, frames counted from 0. */
export type PreviewState = {
  time: number;
  frame: number;
  playing: boolean;
  /** Whether what is shown is what the render shows: while scrubbing it may be nearly so. */
  exact: boolean;
  duration: number;
  frames: number;
  /** Frames a second, e.g. 29.97. */
  fps: number;
  width: number;
  height: number;
  /** What is played in a loop: from, and up to (not with). */
  inFrame: number;
  outFrame: number;
};

/** A keydown event, as another one is made of it. */
export type PreviewKey = {
  key: string;
  code: string;
  keyCode: number;
  ctrlKey: boolean;
  shiftKey: boolean;
  altKey: boolean;
  metaKey: boolean;
  repeat: boolean;
};

/** What the page posts to its parent. */
export type FromPage = {
  framework: 'preview';
} /** The page's script runs and listens: now is the time for theme, strings and select. */ & (
  | { type: 'loaded' }
  /** A composition is shown for the first time, or again after an edit. */
  | { type: 'shown'; composition: string }
  | { type: 'state'; state: PreviewState }
  /** Everything that is wrong now, those of the project's files too. */
  | { type: 'problems'; problems: PreviewProblem[] }
  /** An element was picked: where its start tag begins. `offset` counts UTF-16 units. */
  | { type: 'reveal'; file: string; offset: number }
  /** A line of a problem was clicked. */
  | { type: 'open'; place: PreviewPlace }
  /** A key that means nothing to the page: the editor's own shortcuts work while the page has the focus. */
  | { type: 'key'; key: PreviewKey }
  /** PNG of the frame that is shown, of the composition's own size; or why there is none. */
  | { type: 'picture'; png: Uint8Array; time: number; frame: number }
  | { type: 'noPicture'; message: string }
);
