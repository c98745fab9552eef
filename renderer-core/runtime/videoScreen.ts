// Shows given pictures on a <video>, one by one: the element stays the author's own, with its styles, effects and box.
import { type Size, shownSize } from './shownSize.ts';

/** Of Chrome's breakout box, not in TypeScript's DOM types. */
type Generator = MediaStreamTrack & { writable: WritableStream<VideoFrame> };
type Realm = Window & typeof globalThis & { MediaStreamTrackGenerator?: new (options: { kind: 'video' }) => Generator };

export type VideoScreen = {
  /** Resolves when the element has the picture. Takes it over. */
  show(picture: VideoFrame): Promise<void>;
  /**
   * Resolves when the last picture is on its way to the screen, or nobody is to see it. The browser's compositor gets
   * pictures apart from the page, and takes none while the one before is under way. `isUnwanted`: gives up when it says so.
   */
  arrived(isUnwanted?: () => boolean): Promise<void>;
  /** Shows nothing, in the size of the picture before. */
  clear(): Promise<void>;
  /** Ends it, for another screen on the same element. */
  close(): void;
};

/** An element that is not drawn (hidden, of no size) may never report the picture, and nobody sees it. */
const unseenMs = 250;
/** One that is drawn reports it within milliseconds, and on a machine that has too much to do sooner or later. */
const seenMs = 10_000;
/** A video that something cuts off is never taken: so many renderings it is waited for, and once it was not, so many. */
const [mostTries, fewTries] = [200, 5];
const never = () => false;

/** `play` and `timeout` are the browser's own: the page's are on the composition's clock. */
export function createScreen(
  video: HTMLVideoElement,
  play: () => Promise<void>,
  timeout: typeof setTimeout,
): VideoScreen {
  const realm = video.ownerDocument.defaultView as Realm;
  if (!realm.MediaStreamTrackGenerator) throw new Error('this browser cannot show single pictures on a <video>');
  const track = new realm.MediaStreamTrackGenerator({ kind: 'video' });
  const writer = track.writable.getWriter();
  const resize = createResizer(realm);
  let shown = 0;
  let last: VideoFrame | undefined;
  /** At the last look: the element was seen, and its picture was taken. */
  let [wasSeen, wasTaken] = [false, false];
  let isNew = false;
  video.srcObject = new realm.MediaStream([track]);
  muteUnnoticed(video, realm);
  void play().catch(() => undefined);
  const present = async (picture: VideoFrame): Promise<void> => {
    const presented = new Promise<void>((resolve) => {
      video.requestVideoFrameCallback(() => resolve());
      timeout(resolve, isSeen(video) ? seenMs : unseenMs);
    });
    last?.close();
    last = picture.clone();
    await writer.write(picture);
    await presented;
  };
  /**
   * Whether the compositor takes the last picture. It is shown once more, which changes nothing, as the same picture is
   * not taken twice; but a picture that was not taken before the next one came counts as dropped.
   */
  const isTaken = async (tries: number, isUnwanted = never): Promise<boolean> => {
    for (let left = tries; last && left > 0 && !isUnwanted(); left--) {
      const { droppedVideoFrames } = video.getVideoPlaybackQuality();
      await present(new realm.VideoFrame(last, { timestamp: shown++ * 1000 }));
      if (video.getVideoPlaybackQuality().droppedVideoFrames === droppedVideoFrames) return true;
    }
    return false;
  };
  /** That a second picture is taken shows that the first one has got through. */
  const makeWay = async (picture: VideoFrame, isUnwanted = never): Promise<boolean> => {
    await present(emptyPicture(realm, video, shown++ * 1000));
    const isMade = await isTaken(mostTries, isUnwanted);
    await present(picture);
    return isMade && (await isTaken(mostTries, isUnwanted));
  };
  return {
    async arrived(isUnwanted) {
      const isWayMade = wasSeen;
      wasSeen = isSeen(video);
      if (!last || !wasSeen || (isWayMade && wasTaken && !isNew)) return;
      isNew = false;
      const tries = wasTaken ? mostTries : fewTries;
      wasTaken = await (isWayMade ? isTaken(tries, isUnwanted) : makeWay(last.clone(), isUnwanted));
    },
    // Time stamps must grow, also where the media loops.
    async show(picture) {
      isNew = true;
      const isFirst = shown === 0;
      const again = isFirst ? picture.clone() : undefined;
      await present(resize(video, picture, shown++ * 1000));
      // The first picture may give the element its size.
      if (again) await present(resize(video, again, shown++ * 1000));
    },
    clear: () => present(emptyPicture(realm, video, shown++ * 1000)),
    close() {
      track.stop();
      last?.close();
    },
  };
}

/**
 * Where nobody has touched the page yet, browsers play only what is muted. The pictures have no sound anyway, and what
 * scripts have said about the element's own is what they read again.
 */
function muteUnnoticed(video: HTMLVideoElement, { HTMLMediaElement }: Realm): void {
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

function isSeen(video: HTMLVideoElement): boolean {
  const { innerWidth, innerHeight } = video.ownerDocument.defaultView as Window;
  const { left, top, right, bottom } = video.getBoundingClientRect();
  const isInFrame =
    left < Math.min(right, innerWidth) && top < Math.min(bottom, innerHeight) && right > 0 && bottom > 0;
  return isInFrame && video.checkVisibility({ visibilityProperty: true, opacityProperty: true });
}

function emptyPicture(realm: Realm, video: HTMLVideoElement, timestamp: number): VideoFrame {
  const [codedWidth, codedHeight] = [2, 2];
  const { videoWidth: displayWidth, videoHeight: displayHeight } = video;
  const init = { format: 'RGBA', codedWidth, codedHeight, displayWidth, displayHeight, timestamp } as const;
  return new realm.VideoFrame(new Uint8Array(codedWidth * codedHeight * 4), init);
}

/**
 * Gives a picture the size that it is shown in. The browser has other filters for that where it paints than where it
 * composes its layers, some of them coarse, and both leave alone what has its size already. For layout the picture
 * keeps its own size.
 */
function createResizer(realm: Realm): (video: HTMLVideoElement, picture: VideoFrame, timestamp: number) => VideoFrame {
  let canvas: OffscreenCanvas | undefined;
  const stamp = (picture: VideoFrame, timestamp: number): VideoFrame => {
    const stamped = new realm.VideoFrame(picture, { timestamp });
    picture.close();
    return stamped;
  };
  return (video, picture, timestamp) => {
    const natural = { width: picture.displayWidth, height: picture.displayHeight };
    // A picture that comes out of a canvas has its colours multiplied by their alpha, which is done once more when it is shown.
    const hasAlpha = picture.format?.includes('A') ?? false;
    const size = hasAlpha ? undefined : otherSize(natural, shownSize(video, natural));
    if (!size) return stamp(picture, timestamp);
    canvas ??= new OffscreenCanvas(size.width, size.height);
    if (canvas.width !== size.width || canvas.height !== size.height) Object.assign(canvas, size);
    const context = canvas.getContext('2d', { willReadFrequently: true }) as OffscreenCanvasRenderingContext2D;
    context.clearRect(0, 0, size.width, size.height);
    context.imageSmoothingQuality = 'low';
    context.drawImage(picture, 0, 0, size.width, size.height);
    picture.close();
    const { width: displayWidth, height: displayHeight } = natural;
    return new realm.VideoFrame(canvas, { timestamp, displayWidth, displayHeight });
  };
}

/** A picture that is enlarged more than this is mostly outside of the frame. */
const mostPixels = 3840 * 2160;

/** The whole pixels that a picture is shown in when they are not its own; else undefined. */
function otherSize(natural: Size, shown: Size | null): Size | undefined {
  const width = Math.max(1, Math.round(shown?.width ?? natural.width));
  const height = Math.max(1, Math.round(shown?.height ?? natural.height));
  if (width === natural.width && height === natural.height) return undefined;
  return width * height <= mostPixels ? { width, height } : undefined;
}
