// The control surface of a composition's page: what capture and preview call, and what the page asks of them.
import type { Sound } from './page.ts';

/** A media file that the capture page has opened for the runtime. */
export type MediaFile = {
  /** Seconds to the end of its last picture or sound. */
  duration: number;
  hasAudio: boolean;
  /** Whether nothing can shine through its pictures. */
  isOpaque: boolean;
  /**
   * The picture that shows at `seconds` of the file, its last one behind the end; null while it is the one given last,
   * unless it is asked for `again`.
   */
  pictureAt(seconds: number, again?: boolean): Promise<VideoFrame | null>;
};

/** The footage under a frame: the part `crop` (in pixels) of `picture` fills the frame, and the page is to be laid over it. */
export type Ground = { picture: VideoFrame; crop: Crop; changed: boolean };

export type Crop = { x: number; y: number; width: number; height: number };

/** Opens the file at a URL, whatever it takes to have its pictures (if wanted) decoded. Rejects with a message for people. */
export type OpenMedia = (url: string, pictures: boolean) => Promise<MediaFile>;

/** An element that is shown for a while. Seconds of the top-level composition; null: to the end. */
export type ShownClip = { element: Element; start: number; end: number | null };

/** What capture and preview call. Times are seconds of the top-level composition. */
export type Player = {
  /**
   * Resolves when fonts, images and everything the scripts started to load has settled, and all media are open. Call
   * once, before the first seek. Rejects when something cannot be used, unless `forgive` is told instead.
   */
  ready(openMedia: OpenMedia, forgive?: (error: unknown) => void): Promise<void>;
  /**
   * Begins to show time `seconds`, after the seeks before it. Going back or jumping ahead replays nothing: whoever wants
   * a frame that depends on the ones before it seeks to each of them. `passing`: nobody looks at this moment, so that no
   * video needs its picture.
   */
  seek(seconds: number, passing?: boolean): void;
  /** Resolves when the last seek is done and the images that it brought in have been decoded. Rejects with its failure. */
  settle(): Promise<void>;
  /**
   * Resolves when the browser's compositor has what the videos show: before the browser is asked for its own picture.
   * `isUnwanted`: gives up when it says so.
   */
  arrived(isUnwanted?: () => boolean): Promise<void>;
  /** Length inferred from timelines and clips, in seconds; null when nothing is finite. */
  naturalDuration(): number | null;
  /** The elements that may sound. Their loudness is complete once every frame has been shown. */
  sounds(): Sound[];
  /** All clips, in document order, with the time in which each shows. */
  clips(): ShownClip[];
  /**
   * Whether what is shown may depend on the moments before: scripts of the page have run since the first one, or may
   * have. Who has left moments out then sees what is nearly so.
   */
  dependsOnWay(): boolean;
  /** Whether everything that has changed the picture made the browser paint; canvases of workers and videos do not. */
  rendersOnPaint(): boolean;
  /**
   * From now on footage that fills the frame and has everything else above it is left out of the page: `ground` hands it
   * out. False when there is no footage.
   */
  useGround(): boolean;
  /** The footage under the last frame that was sought; null when all of it is in the page. */
  ground(): Ground | null;
  /** What in the page is known to come out wrong when the browser draws it into a canvas; null when nothing is. */
  paintObstacle(): string | null;
  /** Whether to draw the page in parts costs no more than to draw it once. The same for all frames. */
  mayBeDrawnInParts(): boolean;
  /** Whether the page asked for a WebGL context and did not get one. */
  lacksWebGl(): boolean;
  /** What does not look as the author asked, in sentences: all there is when `ready` resolves, more when scripts add to it. */
  warnings(): string[];
};
