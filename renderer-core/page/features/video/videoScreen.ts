// Shows given frames on a <video>. The element stays in the page, with the author's styles, effects and box.
import { isVisible, naturalSize, type Size } from '../../runtime/displaySize.ts';
import { createResizer, emptyFrame } from './videoFrames.ts';
import { openStream, type VideoStream } from './videoStream.ts';

export type VideoScreen = {
  /** Gives the element the size of its frames before it shows one. Resolves when the element has it. */
  open(size: Size): Promise<void>;
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

/** Attempts to get a frame to the compositor: normally, and after it failed. The frames of a clipped video never arrive. */
const [maxTries, fewTries] = [200, 5];
const never = () => false;

/** `play` and `timeout` must be the browser's originals, because the page's follow the composition's clock. */
export function createScreen(
  video: HTMLVideoElement,
  play: () => Promise<void>,
  timeout: typeof setTimeout,
): VideoScreen {
  const stream = openStream(video, play, timeout);
  const resize = createResizer(video);
  const arrival: Arrival = { isNew: false, wasVisible: false, wasTaken: false };
  return {
    open: (size) => stream.load(emptyFrame(size, stream.nextTimestamp())),
    async show(frame) {
      arrival.isNew = true;
      // A frame of another size changes the size of the element.
      const hasSize = frame.displayWidth === video.videoWidth && frame.displayHeight === video.videoHeight;
      const again = hasSize ? undefined : frame.clone();
      await stream.present(resize(frame, stream.nextTimestamp()));
      if (again) await stream.present(resize(again, stream.nextTimestamp()));
    },
    arrived: (isUnwanted = never) => arrive(stream, arrival, isUnwanted),
    clear: () => stream.present(emptyFrame(naturalSize(video), stream.nextTimestamp())),
    close: stream.close,
  };
}

type Arrival = {
  /** Whether a frame has been shown since the last check. */
  isNew: boolean;
  /** At the last check: whether the element was visible, and whether the compositor had its frame. */
  wasVisible: boolean;
  wasTaken: boolean;
};

async function arrive(stream: VideoStream, arrival: Arrival, isUnwanted: () => boolean): Promise<void> {
  const { isNew, wasVisible, wasTaken } = arrival;
  arrival.wasVisible = isVisible(stream.video);
  if (!stream.last || !arrival.wasVisible || (wasVisible && wasTaken && !isNew)) return;
  arrival.isNew = false;
  const tries = wasTaken ? maxTries : fewTries;
  arrival.wasTaken = await (wasVisible
    ? isTaken(stream, tries, isUnwanted)
    : flush(stream, stream.last.clone(), isUnwanted));
}

/**
 * Whether the compositor takes the last frame. Shows it once more, which is not visible, and checks that the browser does
 * not count a dropped frame.
 */
async function isTaken(stream: VideoStream, tries: number, isUnwanted: () => boolean): Promise<boolean> {
  const dropped = () => stream.video.getVideoPlaybackQuality().droppedVideoFrames;
  for (let left = tries; stream.last && left > 0 && !isUnwanted(); left--) {
    const before = dropped();
    await stream.present(new window.VideoFrame(stream.last, { timestamp: stream.nextTimestamp() }));
    if (dropped() === before) return true;
  }
  return false;
}

/** Shows `frame` after an empty one. If the compositor takes the second frame, the first one has been presented. */
async function flush(stream: VideoStream, frame: VideoFrame, isUnwanted: () => boolean): Promise<boolean> {
  await stream.present(emptyFrame(naturalSize(stream.video), stream.nextTimestamp()));
  const isFlushed = await isTaken(stream, maxTries, isUnwanted);
  await stream.present(frame);
  return isFlushed && (await isTaken(stream, maxTries, isUnwanted));
}
