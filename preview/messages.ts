// Messages between the preview server, the editor and the preview page. Only types.
import type { SizeOptions } from '../renderer-core/plan/resolution.ts';
import type {
  ClipChange,
  ElementPart,
  FoundText,
  HostLocation,
  PartName,
  PartReference,
  PartSource,
  ShownText,
} from '../server/protocol.ts';

// The editor passes them between the page and the language server.
export type { ClipChange, ElementPart, FoundText, PartReference, PartSource };

/** A location in the project. `file` is relative to the project folder; line and column start at 1. */
export type PreviewLocation = { file: string; line?: number; column?: number };

/** What a check has found. `box`: in pixels of the composition; null: it is about the whole frame. */
export type PreviewFinding = {
  rule: string;
  severity: 'error' | 'warning' | 'info' | 'hint';
  message: string;
  seconds: number;
  box: { left: number; top: number; width: number; height: number } | null;
};

/** `width`, `height`: the size in which the composition was checked; null: it declares none. */
export type FoundByCheck = { findings: PreviewFinding[]; width: number | null; height: number | null };

/** A problem because of which the preview does not show what the render would show. */
export type PreviewProblem = {
  severity: 'error' | 'warning';
  message: string;
  hint?: string;
  place?: PreviewLocation;
};

// --- editor <-> server, over the channel of the child process ------------------------------------------------------

/** From the editor to `framework preview`. Paths are relative to the project folder, with `/`. */
export type ToProcess =
  /**
   * Shows a composition with values that override its defaults. The URL's `?composition=` also selects a composition, and its
   * `&view=` a view, which has values of its own.
   */
  | { type: 'show'; composition: string; values: Record<string, unknown>; view?: string }
  /** A view is not shown any more. */
  | { type: 'hide'; composition: string; view: string }
  /** The size of the video, for all compositions: options of `framework render`. */
  | { type: 'size'; size: SizeOptions }
  /** The unsaved text of a file; null: the file on disk is current again. */
  | { type: 'text'; path: string; text: string | null }
  /** A file was saved, created, deleted or changed on disk. */
  | { type: 'changed'; path: string };

/** From `framework preview` to the editor. */
export type FromProcess =
  /**
   * Sent once, when the server is ready. `url` is the page's URL without a composition and contains the secret. The page
   * of a composition is `${url}?composition=${encodeURIComponent(path)}`. If the port is forwarded, replace the origin of
   * `url` with the external origin and path prefix. Several pages of several compositions can be open at the same time.
   */
  | { type: 'listening'; url: string; origin: string }
  /** The composition was read, and its pages load it. Until then they show the last version without errors. */
  | { type: 'ready'; composition: string }
  /** All current problems of the project's files. Replaces the previous list. */
  | { type: 'problems'; composition: string; problems: PreviewProblem[] };

// --- editor's webview <-> page, by postMessage ---------------------------------------------------------------------
// The page posts only to its parent and accepts messages only from it (`event.source === parent`). The editor's webview
// checks `event.source === iframe.contentWindow` and `event.origin`. Every message has `framework: 'preview'`.

/** From the webview to the page in its frame. */
export type ToPage = { framework: 'preview' } & (
  | {
      type: 'theme';
      kind: 'dark' | 'light' | 'high-contrast' | 'high-contrast-light';
      variables: Record<string, string>;
    }
  /** Translations by the keys of `previewTexts` in page/texts.ts. */
  | { type: 'strings'; texts: Record<string, string> }
  /** The caret is at `offset` (in UTF-16 units) of a file; null: there is no caret. */
  | { type: 'select'; at: { file: string; offset: number } | null }
  | { type: 'seek'; time: number }
  | { type: 'play' }
  /** Plays from the start to the end once, and then shows the poster frame. Not if the user prefers reduced motion. */
  | { type: 'playOnce' }
  | { type: 'pause' }
  | { type: 'speed'; speed: number }
  /** The page responds with `picture` or `noPicture`. */
  | { type: 'takePicture' }
  /** Starts or ends the mode in which a click reveals an element. */
  | { type: 'pick'; on: boolean }
  /** What the last check has found; nothing if it is out of date. */
  | ({ type: 'findings' } & FoundByCheck)
  /** Shows the sizes of the composition side by side, or says that there are no others. */
  | { type: 'compareSizes' }
  /** The editor accepts edits of the page. */
  | { type: 'editable' }
  /** The end of an edit of the page; `reason` says why the text has not changed. */
  | { type: 'edited'; reason: string | null }
  /** The response to `findText`. */
  | { type: 'foundText'; found: FoundText }
  /** The response to `findParts`. */
  | { type: 'foundParts'; parts: ElementPart[]; texts: MenuTexts }
  /** The end of `undo`, for the user. */
  | { type: 'undone'; text: string }
  /** The end of `changeText`, `changePart` or `addVariable`; `reason` says why nothing has changed. */
  | { type: 'textEdited'; reason: string | null }
);

/** Times are in seconds; frames start at 0. */
export type PreviewState = {
  time: number;
  frame: number;
  playing: boolean;
  /** Whether the frame is exactly the one of the render. While scrubbing, it may be an approximation. */
  exact: boolean;
  /** Whether footage with high dynamic range is shown, for which the preview has only SDR. */
  hdr: boolean;
  duration: number;
  frames: number;
  /** Frames per second, e.g. 29.97. */
  fps: number;
  width: number;
  height: number;
  /** The range that is played: first frame, and the frame after the last one. */
  inFrame: number;
  outFrame: number;
};

/** The properties from which an equal keydown event can be created. */
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

/** A text of the page. `hosts` contain the element, the innermost first. */
export type PreviewText = { file: string; shown: ShownText; hosts: HostLocation[] };

/** An element of the page by the start of its start tag, and a text in it. `hosts` contain it, the innermost first. */
export type PreviewElement = {
  file: string;
  offset: number;
  text?: ShownText;
  hosts: HostLocation[];
};

/** The translated texts of the popup. `none`: there are no parts; `notFound`, `other`: why a color cannot be changed. */
export type MenuTexts = Record<PartName | 'addVariable' | 'variable' | 'goTo' | 'none' | 'notFound' | 'other', string>;

/** From the page to its parent. */
export type FromPage = {
  framework: 'preview';
} /** The page's script is ready to receive theme, strings and select. */ & (
  | { type: 'loaded' }
  /** A composition is shown, for the first time or after an edit. */
  | { type: 'shown'; composition: string }
  | { type: 'state'; state: PreviewState }
  /** All current problems, including those of the project's files. */
  | { type: 'problems'; problems: PreviewProblem[] }
  /** An element was picked. `offset` is the start of its start tag, in UTF-16 units. */
  | { type: 'reveal'; file: string; offset: number }
  /** The location of a problem was clicked. */
  | { type: 'open'; place: PreviewLocation }
  /** A key that the page does not use, so that the editor's shortcuts work while the page has the focus. */
  | { type: 'key'; key: PreviewKey }
  /** The current frame as a PNG in the size of the composition, or the reason why there is none. */
  | { type: 'picture'; png: Uint8Array; time: number; frame: number }
  | { type: 'noPicture'; message: string }
  /** A clip was moved or trimmed. The editor responds with `edited`. `offset` is the start of its start tag. */
  | { type: 'editClip'; file: string; offset: number; change: ClipChange }
  | { type: 'findText'; text: PreviewText }
  | { type: 'changeText'; text: PreviewText; value: string }
  | { type: 'findParts'; element: PreviewElement }
  | { type: 'changePart'; element: PreviewElement; part: PartReference; value: string }
  /** Turns a part into a variable. The editor asks for its name. */
  | { type: 'addVariable'; element: PreviewElement; part: PartReference }
  /** Undo or redo of the last edit of the page. */
  | { type: 'undo'; redo: boolean }
);
