// A video file's pictures by time, for the capture page: demuxed and decoded there, forward, without a copy on disk.
import { ALL_FORMATS, Input, type InputVideoTrack, UrlSource, type VideoSample, VideoSampleSink } from 'mediabunny';
import type { MediaFile } from '../runtime/control.ts';

/** Time stamps are whole numbers of the file's own clock: half a microsecond is beyond all of them. */
const tolerance = 5e-7;

/** A picture further ahead than this is sooner reached from the key frame before it. */
const longestStride = 2;

/** Opens the file at `url`. Undefined when the browser cannot read it, or finds no pictures in it that it can decode. */
export async function openMediaFile(url: string, wantsPictures: boolean): Promise<MediaFile | undefined> {
  const input = new Input({ source: new UrlSource(url), formats: ALL_FORMATS });
  if (!(await input.canRead())) return undefined;
  const video = await input.getPrimaryVideoTrack();
  const audio = await input.getPrimaryAudioTrack();
  if (wantsPictures && !(await video?.canDecode())) return undefined;
  const duration = await input.computeDuration();
  const pictures = wantsPictures && video ? await readPictures(video) : undefined;
  return {
    duration,
    hasAudio: audio !== null,
    isOpaque: !(await video?.canBeTransparent()),
    pictureAt: async (seconds, again) => pictures?.(seconds, again) ?? null,
  };
}

/** Hands out the picture that shows at a time; null while it is the one handed out last. */
async function readPictures(track: InputVideoTrack): Promise<MediaFile['pictureAt']> {
  const sink = new VideoSampleSink(track);
  const first = await track.getFirstTimestamp();
  const last = (await track.computeDuration()) - 2 * tolerance;
  const upright = createUpright(track);
  let ahead: AsyncGenerator<VideoSample, void, unknown> | undefined;
  let current: VideoSample | undefined;
  let next: VideoSample | undefined;
  let handedOut: VideoSample | undefined;

  const read = async () => (await ahead?.next())?.value ?? undefined;
  const start = async (at: number): Promise<void> => {
    await ahead?.return();
    current?.close();
    next?.close();
    ahead = sink.samples(at);
    current = await read();
    next = await read();
  };

  return async (seconds, again = false) => {
    const at = Math.max(first, Math.min(seconds, last)) + tolerance;
    if (!current || at < current.timestamp || at > current.timestamp + longestStride) await start(at);
    while (next && next.timestamp <= at) {
      current?.close();
      current = next;
      next = await read();
    }
    if (!current || (current === handedOut && !again)) return null;
    handedOut = current;
    return upright(current);
  };
}

/** Pictures as they are to be seen: phones film sideways and say so, and old formats have pixels that are not square. */
function createUpright(track: InputVideoTrack): (sample: VideoSample) => VideoFrame {
  let canvas: OffscreenCanvas | undefined;
  return (sample) => {
    const square = track.squarePixelWidth === track.codedWidth && track.squarePixelHeight === track.codedHeight;
    if (sample.rotation === 0 && !sample.flip && square) return sample.toVideoFrame();
    canvas ??= new OffscreenCanvas(track.displayWidth, track.displayHeight);
    const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
    context.clearRect(0, 0, canvas.width, canvas.height);
    sample.draw(context, 0, 0, canvas.width, canvas.height);
    return new VideoFrame(canvas, { timestamp: 0 });
  };
}
