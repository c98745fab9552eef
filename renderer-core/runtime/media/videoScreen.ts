// Shows given frames on a <video>. The element stays in the page, with the author's styles, effects and box.
import { displaySize, type Size } from './displaySize.ts';

/** Part of Chrome's breakout box API, which is not in TypeScript's DOM types. */
type Generator = MediaStreamTrack & { writable: WritableStream<VideoFrame> };
type Realm = Window & typeof globalThis & { MediaStreamTrackGenerator?: new (options: { kind: 'video' }) => Generator };

export type VideoScreen = {
  /** Resolves when the element has the frame. Closes the frame. */
  show(frame: VideoFrame): Promise<void>;
  /**
   * Resolves when the browser's compositor has the last frame, or when the element is not visible. The compositor gets
   * frames independently of the page, and drops a frame while the previous one is being presented. Stops when
   * `isUnwanted` returns true.
   */
  arrived(isUnwanted?: () => boolean): Promise<void>;
  /** Shows a transparent frame of the same size as the previous one. */
  clear(): Promise<void>;
  /** Releases the element, for example for another screen. */
  close(): void;
};

/** How long to wait for an element that is not painted. It may never report the frame. */
const hiddenTimeoutMs = 250;
/** How long to wait for an element that is painted. It usually takes milliseconds, more on a busy machine. */
const visibleTimeoutMs = 10_000;
/** Attempts to get a frame to the compositor: normally, and after it failed. The frames of a clipped video never arrive. */
const [maxTries, fewTries] = [200, 5];
const never = () => false;

/** `play` and `timeout` must be the browser's originals, because the page's follow the composition's clock. */
export function createScreen(
  video: HTMLVideoElement,
  play: () => Promise<void>,
  timeout: typeof setTimeout,
): VideoScreen {
  const realm = video.ownerDocument.defaultView as Realm;
  if (!realm.MediaStreamTrackGenerator)
    throw new Error('this browser cannot show single frames on a <video>: MediaStreamTrackGenerator is missing');
  const track = new realm.MediaStreamTrackGenerator({ kind: 'video' });
  const writer = track.writable.getWriter();
  const resize = createResizer(realm);
  let shown = 0;
  let last: VideoFrame | undefined;
  /** At the last check: whether the element was visible, and whether the compositor had its frame. */
  let [wasVisible, wasTaken] = [false, false];
  let isNew = false;
  video.srcObject = new realm.MediaStream([track]);
  muteSilently(video, realm);
  // Playing fails only if the element is removed or closed, and then there is nothing to show.
  void play().catch(() => undefined);
  const present = async (frame: VideoFrame): Promise<void> => {
    const presented = new Promise<void>((resolve) => {
      video.requestVideoFrameCallback(() => resolve());
      timeout(resolve, isVisible(video) ? visibleTimeoutMs : hiddenTimeoutMs);
    });
    last?.close();
    last = frame.clone();
    await writer.write(frame);
    await presented;
  };
  /**
   * Whether the compositor takes the last frame. Shows it once more, which is not visible, and checks that the browser
   * does not count a dropped frame.
   */
  const isTaken = async (tries: number, isUnwanted = never): Promise<boolean> => {
    for (let left = tries; last && left > 0 && !isUnwanted(); left--) {
      const { droppedVideoFrames } = video.getVideoPlaybackQuality();
      await present(new realm.VideoFrame(last, { timestamp: shown++ * 1000 }));
      if (video.getVideoPlaybackQuality().droppedVideoFrames === droppedVideoFrames) return true;
    }
    return false;
  };
  /** If the compositor takes the second frame, the first one has been presented. */
  const flush = async (frame: VideoFrame, isUnwanted = never): Promise<boolean> => {
    await present(emptyFrame(realm, video, shown++ * 1000));
    const isFlushed = await isTaken(maxTries, isUnwanted);
    await present(frame);
    return isFlushed && (await isTaken(maxTries, isUnwanted));
  };
  return {
    async arrived(isUnwanted) {
      const wasVisibleBefore = wasVisible;
      wasVisible = isVisible(video);
      if (!last || !wasVisible || (wasVisibleBefore && wasTaken && !isNew)) return;
      isNew = false;
      const tries = wasTaken ? maxTries : fewTries;
      wasTaken = await (wasVisibleBefore ? isTaken(tries, isUnwanted) : flush(last.clone(), isUnwanted));
    },
    // Time stamps must increase, even if the media loops.
    async show(frame) {
      isNew = true;
      const isFirst = shown === 0;
      const again = isFirst ? frame.clone() : undefined;
      await present(resize(video, frame, shown++ * 1000));
      // The first frame may change the size of the element.
      if (again) await present(resize(video, again, shown++ * 1000));
    },
    clear: () => present(emptyFrame(realm, video, shown++ * 1000)),
    close() {
      track.stop();
      last?.close();
    },
  };
}

/**
 * Mutes the element, because browsers play only muted media before the first user gesture. The frames have no sound. Page
 * scripts still read and write their own value of `muted`.
 */
function muteSilently(video: HTMLVideoElement, { HTMLMediaElement }: Realm): void {
  let { muted } = video;
  Reflect.set(HTMLMediaElement.prototype, 'muted', true, video);
  Object.defineProperty(video, 'muted', {
    configurable: true,
    get: () => muted,
    set: (value: unknown) => {
      muted = Boolean(value);
    },
  });
}

function isVisible(video: HTMLVideoElement): boolean {
  const { innerWidth, innerHeight } = video.ownerDocument.defaultView as Window;
  const { left, top, right, bottom } = video.getBoundingClientRect();
  const isInFrame =
    left < Math.min(right, innerWidth) && top < Math.min(bottom, innerHeight) && right > 0 && bottom > 0;
  return isInFrame && video.checkVisibility({ visibilityProperty: true, opacityProperty: true });
}

function emptyFrame(realm: Realm, video: HTMLVideoElement, timestamp: number): VideoFrame {
  const [codedWidth, codedHeight] = [2, 2];
  const { videoWidth: displayWidth, videoHeight: displayHeight } = video;
  const init = { format: 'RGBA', codedWidth, codedHeight, displayWidth, displayHeight, timestamp } as const;
  return new realm.VideoFrame(new Uint8Array(codedWidth * codedHeight * 4), init);
}

/**
 * Scales a frame to its displayed size. Browsers scale with different filters in painting and in compositing, some of them
 * coarse, but do not scale frames that already have the displayed size. For layout the frame keeps its natural size.
 */
function createResizer(realm: Realm): (video: HTMLVideoElement, frame: VideoFrame, timestamp: number) => VideoFrame {
  let canvas: OffscreenCanvas | undefined;
  const stamp = (frame: VideoFrame, timestamp: number): VideoFrame => {
    const stamped = new realm.VideoFrame(frame, { timestamp });
    frame.close();
    return stamped;
  };
  return (video, frame, timestamp) => {
    const natural = { width: frame.displayWidth, height: frame.displayHeight };
    // A frame from a canvas has premultiplied alpha, and would be premultiplied again when it is shown.
    const hasAlpha = frame.format?.includes('A') ?? false;
    const size = hasAlpha ? undefined : scaledSize(natural, displaySize(video, natural));
    if (!size) return stamp(frame, timestamp);
    canvas ??= new OffscreenCanvas(size.width, size.height);
    if (canvas.width !== size.width || canvas.height !== size.height) Object.assign(canvas, size);
    const context = canvas.getContext('2d', { willReadFrequently: true }) as OffscreenCanvasRenderingContext2D;
    context.clearRect(0, 0, size.width, size.height);
    context.imageSmoothingQuality = 'low';
    context.drawImage(frame, 0, 0, size.width, size.height);
    frame.close();
    const { width: displayWidth, height: displayHeight } = natural;
    return new realm.VideoFrame(canvas, { timestamp, displayWidth, displayHeight });
  };
}

/** A frame that is scaled to more pixels is mostly outside of the output. */
const maxPixels = 3840 * 2160;

/** The displayed size in whole pixels; undefined if it is the natural size or too large. */
function scaledSize(natural: Size, shown: Size | null): Size | undefined {
  const width = Math.max(1, Math.round(shown?.width ?? natural.width));
  const height = Math.max(1, Math.round(shown?.height ?? natural.height));
  if (width === natural.width && height === natural.height) return undefined;
  return width * height <= maxPixels ? { width, height } : undefined;
}
