// The frames that a <video> gets: scaled to their displayed size, or transparent.
import { displaySize, type Size } from '../../runtime/displaySize.ts';

/** A transparent frame of the given size. */
export function emptyFrame({ width: displayWidth, height: displayHeight }: Size, timestamp: number): VideoFrame {
  const coded = { format: 'RGBA', codedWidth: 2, codedHeight: 2 } as const;
  return new window.VideoFrame(new Uint8Array(2 * 2 * 4), { ...coded, displayWidth, displayHeight, timestamp });
}

/**
 * Returns a function that scales a frame to its displayed size and closes it. Browsers scale with different filters in painting and in compositing, some of them
 * coarse, but do not scale frames that already have the displayed size. For layout the frame keeps its natural size.
 */
export function createResizer(video: HTMLVideoElement): (frame: VideoFrame, timestamp: number) => VideoFrame {
  let canvas: OffscreenCanvas | undefined;
  const draw = (frame: VideoFrame, { width, height }: Size): OffscreenCanvas => {
    canvas ??= new OffscreenCanvas(width, height);
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    const context = canvas.getContext('2d', { willReadFrequently: true }) as OffscreenCanvasRenderingContext2D;
    context.clearRect(0, 0, width, height);
    context.imageSmoothingQuality = 'low';
    context.drawImage(frame, 0, 0, width, height);
    return canvas;
  };
  return (frame, timestamp) => {
    const { displayWidth, displayHeight } = frame;
    const natural = { width: displayWidth, height: displayHeight };
    // A frame from a canvas has premultiplied alpha, and would be premultiplied again when it is shown.
    const hasAlpha = frame.format?.includes('A') ?? false;
    const size = hasAlpha ? undefined : scaledSize(video, natural);
    const resized = size
      ? new window.VideoFrame(draw(frame, size), { timestamp, displayWidth, displayHeight })
      : new window.VideoFrame(frame, { timestamp });
    frame.close();
    return resized;
  };
}

/** A frame that is scaled to more pixels is mostly outside of the output. */
const maxPixels = 3840 * 2160;

/** The displayed size in whole pixels; undefined if it is the natural size or too large. */
function scaledSize(video: HTMLVideoElement, natural: Size): Size | undefined {
  const shown = displaySize(video, natural);
  const width = Math.max(1, Math.round(shown.width));
  const height = Math.max(1, Math.round(shown.height));
  if (width === natural.width && height === natural.height) return undefined;
  return width * height <= maxPixels ? { width, height } : undefined;
}
