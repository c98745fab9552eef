// The stream of frames that a <video> shows instead of its file.
import { isVisible } from '../../runtime/displaySize.ts';

/** Part of Chrome's breakout box API, which is not in TypeScript's DOM types. */
type Generator = MediaStreamTrack & { writable: WritableStream<VideoFrame> };
type MediaWindow = { MediaStreamTrackGenerator?: new (options: { kind: 'video' }) => Generator };

export type VideoStream = {
  video: HTMLVideoElement;
  /** A copy of the frame that was presented last. */
  last: VideoFrame | undefined;
  /** In microseconds. Time stamps must increase, even if the media loops. */
  nextTimestamp(): number;
  /** Call immediately, with the first frame. Resolves when the element has its size. Closes the frame. */
  load(frame: VideoFrame): Promise<void>;
  /** Resolves when the element has the frame. Closes the frame. */
  present(frame: VideoFrame): Promise<void>;
  /** Releases the element. */
  close(): void;
};

/** How long to wait for an element that is not painted. It may never report the frame. */
const hiddenTimeoutMs = 250;
/** How long to wait for an element that loads or is painted. It usually takes milliseconds, more on a busy machine. */
const visibleTimeoutMs = 10_000;

/** `play` and `timeout` must be the browser's originals, because the page's follow the composition's clock. */
export function openStream(
  video: HTMLVideoElement,
  play: () => Promise<void>,
  timeout: typeof setTimeout,
): VideoStream {
  const { MediaStreamTrackGenerator } = window as MediaWindow;
  if (!MediaStreamTrackGenerator)
    throw new Error('this browser cannot show frames on a <video>: MediaStreamTrackGenerator is missing');
  const track = new MediaStreamTrackGenerator({ kind: 'video' });
  const writer = track.writable.getWriter();
  video.srcObject = new window.MediaStream([track]);
  muteSilently(video);
  // Playing fails only if the element is removed or closed, and then there is nothing to show.
  void play().catch(() => undefined);
  let timestamps = 0;
  const write = (frame: VideoFrame): Promise<void> => {
    stream.last?.close();
    stream.last = frame.clone();
    return writer.write(frame);
  };
  const event = (name: string) =>
    new Promise<void>((resolve) => {
      video.addEventListener(name, () => resolve(), { once: true });
      timeout(resolve, visibleTimeoutMs);
    });
  const stream: VideoStream = {
    video,
    last: undefined,
    nextTimestamp: () => timestamps++ * 1000,
    async load(frame) {
      // Frames that are written before the element has attached the stream are lost.
      await event('loadstart');
      await Promise.all([event('loadeddata'), write(frame)]);
    },
    async present(frame) {
      const presented = new Promise<void>((resolve) => {
        video.requestVideoFrameCallback(() => resolve());
        timeout(resolve, isVisible(video) ? visibleTimeoutMs : hiddenTimeoutMs);
      });
      await Promise.all([presented, write(frame)]);
    },
    close() {
      track.stop();
      stream.last?.close();
    },
  };
  return stream;
}

/**
 * Mutes the element, because browsers play only muted media before the first user gesture. The frames have no sound. Page
 * scripts still read and write their own value of `muted`.
 */
function muteSilently(video: HTMLVideoElement): void {
  let { muted } = video;
  Reflect.set(window.HTMLMediaElement.prototype, 'muted', true, video);
  Object.defineProperty(video, 'muted', {
    configurable: true,
    get: () => muted,
    set: (value: unknown) => {
      muted = Boolean(value);
    },
  });
}
