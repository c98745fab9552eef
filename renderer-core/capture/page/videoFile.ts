// Reads the frames of a video file by time in the capture page, without a copy on disk. Fast if times increase.
import {
  ALL_FORMATS,
  BlobSource,
  FLAC,
  Input,
  type InputVideoTrack,
  MP3,
  UrlSource,
  type VideoSample,
  VideoSampleSink,
} from 'mediabunny';
import { given } from '../../model/variables/given.ts';
import type { MediaFile } from '../../page/runtime/control.ts';

/** Seconds. Times are rounded to the time base of the file, which is coarser than this. */
const tolerance = 5e-7;

/** Seconds. Frames further ahead are reached faster from their key frame than by decoding all frames up to them. */
const longestStride = 2;

/**
 * Opens the file at `url`. Undefined if the browser cannot read it, or if `wantsFrames` is set and it cannot decode them. `isPainted`: its
 * frames are only painted.
 */
export async function openMediaFile(
  url: string,
  wantsFrames: boolean,
  isPainted = false,
): Promise<MediaFile | undefined> {
  // Files in memory have no ranges.
  const inline = /^(?:data|blob):/i.test(url) ? await (await fetch(url)).blob() : undefined;
  const input = new Input({ source: inline ? new BlobSource(inline) : new UrlSource(url), formats: ALL_FORMATS });
  if (!(await input.canRead())) return undefined;
  const video = await input.getPrimaryVideoTrack();
  const audio = await input.getPrimaryAudioTrack();
  if (wantsFrames && !(await video?.canDecode())) return undefined;
  const duration = await durationOf(input);
  const reader = wantsFrames && video ? await createFrameReader(video, isPainted) : undefined;
  return {
    duration,
    size: wantsFrames && video ? frameSize(video) : null,
    hasAudio: audio !== null,
    isOpaque: !(await video?.canBeTransparent()),
    isHdr: isHdr((await video?.getColorSpace())?.transfer),
    frameAt: async (seconds, again) => reader?.frameAt(seconds, again) ?? null,
    ...given({ decoded: reader?.decoded }),
  };
}

/**
 * Seconds. MP3 and FLAC have no index: computing the length would read all of a file, of which a video may play two seconds. Their
 * headers have the exact length, or as the browser does, it follows from the size of a file with a constant bit rate.
 */
async function durationOf(input: Input): Promise<number> {
  const format = await input.getFormat();
  const stated = format === MP3 || format === FLAC ? await input.getDurationFromMetadata() : null;
  return stated ?? input.computeDuration();
}

async function createFrameReader(
  track: InputVideoTrack,
  isPainted: boolean,
): Promise<Required<Pick<MediaFile, 'frameAt' | 'decoded'>>> {
  assumeColors(track);
  const sink = new VideoSampleSink(track);
  const first = await track.getFirstTimestamp();
  const last = (await track.computeDuration()) - 2 * tolerance;
  const toVideoFrame = createConverter(track, isPainted);
  let ahead: AsyncGenerator<VideoSample, void, unknown> | undefined;
  let current: VideoSample | undefined;
  let next: VideoSample | undefined;
  let returned: VideoSample | undefined;

  const read = async () => (await ahead?.next())?.value ?? undefined;
  const start = async (at: number): Promise<void> => {
    await ahead?.return();
    current?.close();
    next?.close();
    ahead = sink.samples(at);
    current = await read();
    next = await read();
  };

  const frameAt: MediaFile['frameAt'] = async (seconds, again = false) => {
    const at = Math.max(first, Math.min(seconds, last)) + tolerance;
    if (!current || at < current.timestamp || at > current.timestamp + longestStride) await start(at);
    while (next && next.timestamp <= at) {
      current?.close();
      current = next;
      next = await read();
    }
    if (!current || (current === returned && !again)) return null;
    returned = current;
    return toVideoFrame(current);
  };
  const decoded = () => {
    if (!current || !isHdr(current.colorSpace.transfer)) return null;
    const { rotation, flip: isFlipped } = current;
    return { frame: current.toVideoFrame(), rotation, isFlipped, ...frameSize(track) };
  };
  return { frameAt, decoded };
}

/** Rows from which Chromium takes a video without color information for HD. */
const hdRows = 720;

/**
 * Makes the decoder assume the same colors as a `<video>` element if the file does not state them: BT.709 for HD, BT.601 for
 * SD, for full range, and for VP9 files that state only the range. Without this, a decoder assumes BT.709 for all of them.
 * What the frames themselves state has precedence.
 */
function assumeColors(track: InputVideoTrack): void {
  const read = track.getDecoderConfig.bind(track);
  track.getDecoderConfig = async () => {
    const config = await read();
    if (!config || config.colorSpace?.matrix) return config;
    const fullRange = config.colorSpace?.fullRange;
    const statesRange = typeof fullRange === 'boolean';
    const isHd = codedRows(track) >= hdRows && !fullRange && !(track.codec === 'vp9' && statesRange);
    if (isHd) return config;
    const sd = { primaries: 'smpte170m', transfer: 'smpte170m', matrix: 'smpte170m' } as const;
    return { ...config, colorSpace: { ...config.colorSpace, ...sd } };
  };
}

const hasSquarePixels = (track: InputVideoTrack): boolean =>
  track.squarePixelWidth === track.codedWidth && track.squarePixelHeight === track.codedHeight;

/** For pixels that are higher than wide, Chromium enlarges the height; the demultiplexer reduces the width. */
const enlargement = ({ codedWidth, squarePixelWidth }: InputVideoTrack): number =>
  Math.max(1, codedWidth / squarePixelWidth);

/** The rows before rotation, with square pixels. */
const codedRows = (track: InputVideoTrack): number => track.squarePixelHeight * enlargement(track);

/** TypeScript's DOM types do not have these curves yet. */
const isHdr = (transfer: string | null | undefined): boolean => transfer === 'pq' || transfer === 'hlg';

/** The size of converted frames. */
function frameSize(track: InputVideoTrack): { width: number; height: number } {
  const isAsCoded = track.rotation === 0 && hasSquarePixels(track);
  if (isAsCoded) return { width: track.codedWidth, height: track.codedHeight };
  const scale = enlargement(track);
  return { width: Math.round(track.displayWidth * scale), height: Math.round(track.displayHeight * scale) };
}

/**
 * Converts samples to frames with rotation applied and square pixels, because phones store rotation as metadata. HDR frames become SDR
 * frames, unless they are painted: a <video> on the screen of a browser without a graphics card would show the signals of HDR as if
 * they were those of SDR.
 */
function createConverter(track: InputVideoTrack, isPainted: boolean): (sample: VideoSample) => VideoFrame {
  const { width, height } = frameSize(track);
  let canvas: OffscreenCanvas | undefined;
  return (sample) => {
    const isAsStored = sample.rotation === 0 && !sample.flip && hasSquarePixels(track);
    if (isAsStored && (isPainted || !isHdr(sample.colorSpace.transfer))) return sample.toVideoFrame();
    canvas ??= new OffscreenCanvas(width, height);
    const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
    context.clearRect(0, 0, canvas.width, canvas.height);
    sample.draw(context, 0, 0, canvas.width, canvas.height);
    // Frames with alpha are not scaled to their displayed size.
    return new VideoFrame(canvas, { timestamp: 0, alpha: sample.format?.includes('A') ? 'keep' : 'discard' });
  };
}
