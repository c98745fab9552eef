// Decodes the frames of an animated image file losslessly, as images that can be shown at once.
import { type KeptImages, keepImages, loadImage } from './keptImages.ts';

export type Stills = {
  /** In pixels. */
  width: number;
  /** The end of each frame in milliseconds. */
  ends: number[];
  /** The number of repetitions; Infinity if it repeats forever. */
  plays: number;
  /** The URL of an image of one frame, which is loaded and decoded. */
  show(index: number): Promise<string>;
  free: KeptImages<number>['free'];
};

const animatedTypes = /^image\/(gif|webp|png|avif)\b/;

/** The number of pixels that are cached. Larger animations are decoded again when they repeat. */
const keptPixels = 16e6;

/** Returns null if the file is not an image with several frames. `type`: its media type. */
export async function openStills(response: Response, type: string): Promise<Stills | null> {
  if (!animatedTypes.test(type)) {
    await response.body?.cancel();
    return null;
  }
  const decoder = new ImageDecoder({ data: await response.arrayBuffer(), type });
  await Promise.all([decoder.tracks.ready, decoder.completed]);
  const track = decoder.tracks.selectedTrack;
  if (!track || track.frameCount < 2) {
    decoder.close();
    return null;
  }
  const { ends, width, height } = await measure(decoder, track.frameCount);
  const kept = keepImages<number>(Math.max(2, Math.floor(keptPixels / (width * height))));
  const load = async (index: number): Promise<HTMLImageElement> => {
    const { image } = await decoder.decode({ frameIndex: index });
    return loadImage(await bitmap(image));
  };
  return {
    width,
    ends,
    plays: track.repetitionCount + 1,
    show: (index) => kept.url(index, () => load(index)),
    free: kept.free,
  };
}

async function measure(
  decoder: ImageDecoder,
  count: number,
): Promise<{ ends: number[]; width: number; height: number }> {
  const ends: number[] = [];
  let size = { width: 0, height: 0 };
  for (let index = 0, end = 0; index < count; index++) {
    const { image } = await decoder.decode({ frameIndex: index });
    const duration = (image.duration ?? 0) / 1000;
    // Browsers show frames with a duration of at most 10 ms for 100 ms.
    end += duration <= 10 ? 100 : duration;
    ends.push(end);
    size = { width: image.displayWidth, height: image.displayHeight };
    image.close();
  }
  return { ends, ...size };
}

/** Bytes before the pixels: the file header and version 4 of the bitmap header, the first version with alpha. */
const headerBytes = 14 + 108;

/** Writes a frame as an uncompressed bitmap file, which takes a hundredth of the time of a PNG. */
async function bitmap(frame: VideoFrame): Promise<Blob> {
  const { displayWidth: width, displayHeight: height } = frame;
  const file = new ArrayBuffer(headerBytes + width * height * 4);
  await frame.copyTo(new Uint8Array(file, headerBytes), { format: 'RGBA', colorSpace: 'srgb' });
  frame.close();
  const header = new DataView(file);
  const write = (at: number, ...values: number[]) => {
    for (const [index, value] of values.entries()) header.setInt32(at + 4 * index, value, true);
  };
  header.setUint16(0, 0x4d42, true);
  write(2, file.byteLength, 0, headerBytes);
  // A negative height means that rows start at the top.
  write(14, 108, width, -height);
  header.setUint16(26, 1, true);
  header.setUint16(28, 32, true);
  // Bit masks of red, green, blue and alpha; the color space is sRGB.
  write(30, 3, width * height * 4, 2835, 2835, 0, 0, 0xff, 0xff00, 0xff0000, 0xff000000, 0x73524742);
  return new Blob([file], { type: 'image/bmp' });
}
