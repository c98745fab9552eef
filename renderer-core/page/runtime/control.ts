// The control surface of a composition's page: what capture and preview call, and what the page asks of them.
import type { Caption } from '../../model/captions/readCues.ts';
import type { HostValueProblem, PageNeeds, Sound } from './page.ts';

/** A media file that the capture page has opened for the runtime. */
export type MediaFile = {
  /** The end of its last frame or sound, in seconds. */
  duration: number;
  /** The size of its frames in pixels, with rotation applied; null if it has none. */
  size: { width: number; height: number } | null;
  hasAudio: boolean;
  /** Whether its frames have no transparency. */
  isOpaque: boolean;
  /** Whether it declares high dynamic range. */
  isHdr: boolean;
  /**
   * The frame at `seconds` of the file; after the end, the last one. Null if it is the same frame as in the previous call,
   * unless `again` is set.
   */
  frameAt(seconds: number, again?: boolean): Promise<VideoFrame | null>;
  /** The frame that `frameAt` returned last, as it is stored; null if it is not HDR. Does not exist for sounds. */
  decoded?(): DecodedFrame | null;
};

/** A frame before its rotation (in degrees clockwise), and the size in which it is shown. The caller closes the frame. */
export type DecodedFrame = { frame: VideoFrame; rotation: number; isFlipped: boolean; width: number; height: number };

/**
 * Opens the file at the first URL that is missing or that the browser can read, otherwise converts the first one. `wantsFrames`:
 * its frames are needed too. Rejects with a message for the author.
 */
export type OpenMedia = (urls: readonly string[], wantsFrames: boolean) => Promise<MediaFile & { url: string }>;

/** A clip and the seconds of the top-level composition in which it is shown. `end` is null if it is shown to the end. */
export type ShownClip = { element: Element; start: number; end: number | null };

/** The interface for capture and preview. Times are seconds of the top-level composition. */
export type Player = {
  /**
   * Resolves when fonts, images, media and all requests of scripts have been loaded. Call once, before the first seek.
   * Rejects when something cannot be used; with `forgive`, calls that function with the error instead.
   */
  ready(openMedia: OpenMedia, forgive?: (error: unknown) => void): Promise<void>;
  /**
   * Starts to show time `seconds`, after the previous seeks. Does not replay the time in between: for frames that depend
   * on earlier ones, seek to each of them. `passing`: the frame is not captured, so videos do not need their frames.
   */
  seek(seconds: number, passing?: boolean): void;
  /** Resolves when the last seek is complete and its new images have been decoded. Rejects if the seek has failed. */
  settle(): Promise<void>;
  /**
   * Resolves when the browser's compositor has the frames of all videos. Call it before a screenshot. Stops when
   * `isUnwanted` returns true.
   */
  arrived(isUnwanted?: () => boolean): Promise<void>;
  /** The length in seconds, inferred from timelines and clips; null if none of them is finite. */
  naturalDuration(): number | null;
  /** Describes a part of a timeline that never ends, for the message of a composition without a length. */
  endless(): string | null;
  /** The elements with sound. Their volumes are complete after every frame has been shown. */
  sounds(): Sound[];
  /** The captions of all files, in the order of their starts. */
  captions(): Caption[];
  /** All clips in document order, with the times in which they are shown. */
  clips(): ShownClip[];
  /**
   * Whether the frame may depend on earlier frames, because scripts of the page run over time. If frames were skipped,
   * such a frame is only approximately right.
   */
  dependsOnWay(): boolean;
  /** Whether scripts post messages or tasks without end, so that frames do not wait for all of them. */
  postsWithoutEnd(): boolean;
  /** What features offer to capture, by name (page/features/pagePart.ts). */
  handles: Readonly<Record<string, unknown>>;
  /** Whether all changes cause paint events. Canvases of workers and videos do not. */
  rendersOnPaint(): boolean;
  /**
   * Frames that are passed are not drawn on WebGL canvases if their number, counted in seeks from 0, is less than `before`.
   * Set by `skippedDrawings.ts`, like `missingFrom`.
   */
  skipDrawing?(before: number): void;
  /** Null if the page looks as if nothing had been skipped; else the first frame that must be drawn for that. */
  missingFrom?(): number | null;
  /** What the page has asked for and not got. */
  missing(): Partial<PageNeeds>;
  /** Messages about effects that cannot be shown as written. Complete when `ready` resolves, until scripts change the page. */
  warnings(): string[];
  /** Problems of variable values that scripts have set, which strict checking makes an error. Complete when `ready` resolves. */
  valueProblems(): HostValueProblem[];
};
