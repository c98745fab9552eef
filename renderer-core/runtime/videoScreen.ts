// Shows given pictures on a <video>, one by one: the element stays the author's own, with its styles, effects and box.

/** Of Chrome's breakout box, not in TypeScript's DOM types. */
type Generator = MediaStreamTrack & { writable: WritableStream<VideoFrame> };
type Realm = Window & typeof globalThis & { MediaStreamTrackGenerator?: new (options: { kind: 'video' }) => Generator };

export type VideoScreen = {
  /** Resolves when the element has the picture. Takes it over. */
  show(picture: VideoFrame): Promise<void>;
};

/** An element that is not drawn (hidden, of no size) may never report the picture, and nobody sees it. */
const unseenMs = 250;

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
  let shown = 0;
  video.srcObject = new realm.MediaStream([track]);
  void play().catch(() => undefined);
  return {
    async show(picture) {
      const presented = new Promise<void>((resolve) => {
        video.requestVideoFrameCallback(() => resolve());
        timeout(resolve, unseenMs);
      });
      // Time stamps must grow, also where the media loops.
      const stamped = new realm.VideoFrame(picture, { timestamp: shown++ * 1000 });
      picture.close();
      await writer.write(stamped);
      await presented;
    },
  };
}
