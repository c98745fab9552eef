// What a feature does in the page around a composition that is captured. The capture page (capture/page/inPage.ts) calls it.
import type { PageResults } from '../runtime/page.ts';
import type { PageTraits } from './pageTraits.ts';

/** `z`: depth; larger is nearer. */
export type Point = { x: number; y: number; z: number };

export type Crop = { x: number; y: number; width: number; height: number };

/**
 * An image below the page: the part `crop` (in pixels) of `image` fills the frame, and the page is drawn over it. `changed`: it
 * differs from that of the previous frame.
 */
export type Underlay = { image: VideoFrame; crop: Crop; changed: boolean };

export type CapturedPage = {
  window: Window & typeof globalThis;
  /** In pixels. */
  frame: { width: number; height: number };
  /** Whether the video is HDR. */
  isHdr: boolean;
  /** Where the frame shows a point of the page, in pixels. */
  toFrame(point: Point): Point;
};

/** `Handle`: what the feature's `PagePart` has returned. */
export type CapturePart<Handle = unknown> = {
  /** Also in pages that are not painted. */
  inAllPages?: true;
  /** Whether painted frames of the page are wrong without the feature. */
  isNeeded?(page: CapturedPage): boolean;
  /** Called when the composition is ready for its first frame. Returns undefined if the page does not need the feature. */
  begin(page: CapturedPage, handle: Handle): CaptureHooks | undefined | Promise<CaptureHooks | undefined>;
};

/** `element`: its tag, and its `id` or `src`. */
export type Refusal = { message: string; hint: string; element: { tag: string; name: string | null } };

/** Elements that take the place of others, from `begin` to `end`. */
export type Replacement = { begin(): void; end(): void };

export type CaptureHooks = {
  traits?: Partial<PageTraits>;
  warnings?: readonly string[];
  /** Why the video would be wrong. */
  refusal?: Refusal;
  /** Styles that elements have only while the next frame is painted. No element has any when it is called. */
  paintStyles?(): Iterable<readonly [element: Element, declarations: string]>;
  /** Why the page cannot be painted as it is now, after `paintStyles`; null if it can. */
  obstacle?(): string | null;
  /** Styles that elements have only while they are drawn into the canvas. They make it faster, with the same pixels. */
  drawingStyles?(): Iterable<readonly [element: Element, declarations: string]>;
  /**
   * What is replaced while the current frame is painted, because the browser would not draw it as it should be in the video. Sample
   * frames (`isSample`) are compared before that, and show what a screenshot shows. Undefined if nothing is replaced.
   */
  replace?(isSample: boolean): Promise<Replacement | undefined>;
  /** Called immediately before the page is drawn. */
  beforeDrawing?(): void;
  /** The number of rows of this width that are drawn at once, at most. */
  rowsAtOnce?(width: number): number;
  /** How much the frame may differ from a screenshot, in levels of 255, if that is more than usual. */
  tolerance?(): number;
  /** From now on, what fills the frame below everything else may be left out of the page. Returns false if there is nothing. */
  useUnderlay?(): boolean;
  /** What is left out of the current frame; null if the page shows everything. */
  underlay?(): Underlay | null;
  /** What is known about the page when its frames have been captured. */
  results?(): Promise<Partial<PageResults>>;
  /** What the feature's `WriterPart` gets when the frame that was painted last is compared. */
  comparison?(): unknown;
};
