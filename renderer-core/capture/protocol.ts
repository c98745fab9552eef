// Messages between Node and the capture page. All values are JSON.

import type { Caption } from '../model/captions/readCues.ts';
import type { Refusal } from '../page/features/capturePart.ts';
import type { FeaturesOff } from '../page/features/features.ts';
import type { PageTraits } from '../page/features/pageTraits.ts';
import type { HostValueProblem, PageNeeds, PageResults } from '../page/runtime/page.ts';
import type { LightLevels } from '../plan/brightness.ts';
import type { HdrCurve } from '../plan/deepColor.ts';
import type { PageSize } from '../plan/resolution.ts';
import type { ShownTime } from './samples.ts';

/**
 * Pixels of a captured frame, and their bytes: planes for a video encoder with 8 or 10 bits, or for images the page's own pixels, or
 * HDR with 16 bits.
 */
export const pixelBytes = { i420: 1.5, rgba: 4, yuv420p10: 3, yuva444p10: 8, rgba64: 8 };
export type PixelFormat = keyof typeof pixelBytes;

/** Whether frames are painted in half floats. */
export const isDeep = (pixels: PixelFormat): boolean => pixels !== 'i420' && pixels !== 'rgba';

/** Whether pixels have alpha. */
export const isTranslucent = (pixels: PixelFormat): boolean => pixels !== 'i420' && pixels !== 'yuv420p10';

/** Options of a capture page. `canvas`: size of the canvas that draws the composition; null if it is not painted. */
export type StageOptions = {
  width: number;
  height: number;
  /** The composition's own size, and the factor by which it is enlarged. */
  page: PageSize;
  rate: FrameRate;
  /** The frame of the composition that is frame 0 of the video. */
  firstFrame: number;
  transparent: boolean;
  /** Whether it is painted in half floats. */
  deep: boolean;
  hdr: boolean;
  canvas: { width: number; height: number } | null;
  featuresOff: FeaturesOff;
  /** What the files of the project show about the page. */
  traits: PageTraits;
};

/** `isAsBefore`: the composition has left nothing behind, so that the capture page may show another one. */
export type LeaveReply = { isAsBefore: boolean };

/** Facts about a page that is ready for its first frame; see `Player`. */
export type ReadyReply = {
  naturalDuration: number | null;
  /** A part of a timeline that never ends. */
  endless: string | null;
  paintObstacle: string | null;
  /** When its visible clips are shown. */
  clips: ShownTime[];
  captions: Caption[];
  traits: PageTraits;
  /** What the page has asked for and not got. */
  missing: Partial<PageNeeds>;
  warnings: string[];
  refusals: Refusal[];
  valueProblems: HostValueProblem[];
};

export type PrepareRequest = {
  width: number;
  height: number;
  /** Planes need an even size. */
  pixels: PixelFormat;
  /** The curve of `yuv420p10` and `rgba64`; null for SDR. */
  hdr: HdrCurve | null;
  /** Number of frames that the ring file holds. */
  slots: number;
  /** Name of the ring file; unique in the browser profile. */
  ringName: string;
};

export type PrepareReply = { frameBytes: number };

export type CaptureRequest = {
  /** First frame to capture, and one past the last. */
  from: number;
  to: number;
  /** Ring slots that may be overwritten, in the order in which to fill them. */
  slots: number[];
  /** Frames whose pixels the page keeps, to compare them with the browser's own screenshots. */
  samples: number[];
};

/**
 * One distinct image, shown for `repeat` frames from `frame` on. Without a slot it repeats the image before it.
 * `passthrough`: footage in it did not pass through the page.
 */
export type DistinctFrame = { frame: number; repeat: number; slot: number | null; passthrough: boolean };

/** `next`: the first frame that is not captured yet. `obstacle`: why one of the frames cannot be painted, or null. */
export type CaptureReply = { frames: DistinctFrame[]; next: number; obstacle: string | null };

/**
 * `difference`: what differs and where (see `findDifference`), or null. `isNarrow`: see `differsNarrowly`. `isPlain`: the
 * frame shows only one color.
 */
export type CompareReply = { difference: string | null; isNarrow: boolean; isPlain: boolean };

/** What is known when frames of a page have been captured. `light`: only of HDR. */
export type CaptureResults = PageResults & { light?: LightLevels };

/** Frame i is shown at `i * den / num` seconds. */
export type FrameRate = { num: number; den: number };

/** Error message of the capture page when the composition has navigated away. */
export const leftItsPage = 'the composition has left its page';

/** Script with the demultiplexer; loaded only where there is media. */
export const videoFileScript = '/__framework/videoFile.js';

/** Path on the project server that describes the media file at its parameter `url`, as a `ReadableMedia`. */
export const readableMediaPath = '/__framework/media';

/** A media file that the browser cannot read. `video`: path of its frames, converted for the browser; null without video. */
export type ReadableMedia =
  | { problem: string }
  | { duration: number; hasAudio: boolean; isHdr: boolean; video: string | null };
