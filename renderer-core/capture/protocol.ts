// What Node and the capture page say to each other. All values are JSON.
import type { PageSize } from '../plan/resolution.ts';

/** How a picture leaves the page: planes for a video encoder, or the page's own pixels. */
export type PictureFormat = 'i420' | 'bgra' | 'rgba';

/** What a capture page shows compositions in. `canvas`: size of the canvas that draws them; null where none does. */
export type StageOptions = {
  width: number;
  height: number;
  /** The composition's own size, and how much larger it is shown. */
  page: PageSize;
  rate: FrameRate;
  transparent: boolean;
  canvas: { width: number; height: number } | null;
};

/** `isAsBefore`: the composition has left nothing in the capture page, which may show another one. */
export type LeaveReply = { isAsBefore: boolean };

/** What is known of a page that is ready for its first frame; see `Player` for each. */
export type ReadyReply = {
  naturalDuration: number | null;
  paintObstacle: string | null;
  lacksWebGl: boolean;
  warnings: string[];
};

export type PrepareRequest = {
  width: number;
  height: number;
  /** `yuv`: I420, even size, opaque. `rgb`: four bytes a pixel, with alpha. */
  pixels: 'yuv' | 'rgb';
  /** Number of pictures that the ring file holds. */
  slots: number;
  /** Name of the ring file; unique in the browser profile. */
  ringName: string;
};

export type PrepareReply = { format: PictureFormat; pictureBytes: number; codedWidth: number; codedHeight: number };

export type CaptureRequest = {
  /** First frame to capture, and one past the last. */
  from: number;
  to: number;
  /** Ring slots that may be overwritten, in the order in which to fill them. */
  slots: number[];
  /** Frames whose pixels the page keeps for a comparison with the browser's own screenshot. */
  samples: number[];
};

/**
 * One distinct picture: it stands for `repeat` frames from `frame` on. Without a slot it is the picture before it, once
 * more. `direct`: footage in it did not pass through the page.
 */
export type Picture = { frame: number; repeat: number; slot: number | null; direct: boolean };

export type CaptureReply = { pictures: Picture[]; next: number };

/**
 * Peak signal-to-noise ratios in dB: over all pixels, and of the worst 64x64 tile, there of the mean colours of its 16x16
 * blocks. 99 stands for equal. `isPlain`: the frame shows nothing but one colour.
 */
export type CompareReply = { psnr: number; worstTile: number; isPlain: boolean };

/** Frame i is shown at `i * den / num` seconds. */
export type FrameRate = { num: number; den: number };

/** What the capture page says when the composition's page is no longer there. */
export const leftItsPage = 'the composition has left its page';

/** Script with the demultiplexer; loaded only where there is media. */
export const videoFileScript = '/__framework/videoFile.js';

/** Asked with the `url` of a media file that the browser cannot read: answered with a `ReadableMedia`. */
export const readableMediaPath = '/__framework/media';

/** What the renderer knows of a media file, and where its pictures are in a form that the browser reads. */
export type ReadableMedia = { problem: string } | { duration: number; hasAudio: boolean; video: string | null };
