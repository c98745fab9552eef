// Single frames of an animated image file, as pictures of their own: decoded without loss, ready to be shown at once.

export type Stills = {
  /** Of the file's pictures. */
  width: number;
  /** The end of each frame, in milliseconds from the beginning. */
  ends: number[];
  /** How often the file is played; Infinity for ever. */
  plays: number;
  /** The URL of a picture of one frame, loaded and decoded. */
  show(index: number): Promise<string>;
};

const animatedTypes = /^image\/(gif|webp|png|avif)\b/;

/** Pixels of frames that are kept; an animation with more of them is decoded again when it repeats. */
const keptPixels = 16e6;

/** Null for a file that is no image with several frames. Files of other hosts that may not be read reject. */
export async function openStills(url: string): Promise<Stills | null> {
  const response = await fetch(url);
  const type = (response.headers.get('content-type') ?? '').replace('apng', 'png');
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
  const maxKept = Math.max(2, Math.floor(keptPixels / (width * height)));
  const kept = new Map<number, Promise<HTMLImageElement>>();

  const load = async (index: number): Promise<HTMLImageElement> => {
    const { image: frame } = await decoder.decode({ frameIndex: index });
    const image = new Image();
    image.src = URL.createObjectURL(await bitmap(frame));
    await image.decode();
    return image;
  };
  return {
    width,
    ends,
    plays: track.repetitionCount + 1,
    async show(index) {
      const image = kept.get(index) ?? load(index);
      kept.set(index, image);
      for (const [oldest, gone] of kept) {
        if (kept.size <= maxKept) break;
        kept.delete(oldest);
        void gone.then(({ src }) => URL.revokeObjectURL(src));
      }
      return (await image).src;
    },
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
    // Browsers show frames that say next to nothing about their length for a tenth of a second.
    end += duration <= 10 ? 100 : duration;
    ends.push(end);
    size = { width: image.displayWidth, height: image.displayHeight };
    image.close();
  }
  return { ends, ...size };
}

/** Bytes in front of the pixels: a file header, and version 4 of the bitmap header, the first with alpha. */
const headerBytes = 14 + 108;

/** A frame as an uncompressed bitmap file: a hundredth of the time that a PNG takes. */
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
  // A negative height: rows from the top.
  write(14, 108, width, -height);
  header.setUint16(26, 1, true);
  header.setUint16(28, 32, true);
  // Bit masks: red, green, blue, alpha; the colours are sRGB.
  write(30, 3, width * height * 4, 2835, 2835, 0, 0, 0xff, 0xff00, 0xff0000, 0xff000000, 0x73524742);
  return new Blob([file], { type: 'image/bmp' });
}
