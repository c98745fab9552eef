// Packs IVF segments of H.264 into an MP4 file. Loaded lazily: only renders to MP4 without sound need the muxer.
import { type FileHandle, open, readFile, rm, stat } from 'node:fs/promises';
import { EncodedPacket, EncodedVideoPacketSource, Mp4OutputFormat, Output, StreamTarget } from 'mediabunny';
import type { FrameRate } from '../model/frameGrid.ts';
import { diskFull } from '../project/output/tempFiles.ts';
import { declareMovieLength } from './declaredLength.ts';
import { readIvf } from './ivf.ts';
import { splitUnits, unitType } from './repeatedFrames.ts';

export type Mp4Options = {
  width: number;
  height: number;
  fps: FrameRate;
  /** Deletes each segment when its frames are written, so that a video needs its size on the disk only once. */
  deleteSegments?: boolean;
  /** Called when the frames of a segment are written. */
  onJoined?: ((index: number) => Promise<void>) | undefined;
  /** The segments do not exist yet. `frames`, `bytes`: of all segments. */
  arriving?: { arrival(index: number): Promise<void>; frames: number; bytes: number } | undefined;
};

/**
 * The index is in front of the frames, so that a video plays while it loads. Up to this many bytes are kept in memory to
 * write it exactly; for larger videos, space is reserved in front of the frames, about 45 bytes per frame.
 */
const maxBytesInMemory = 32 * 1024 * 1024;

/**
 * Writes the frames of `segments` (files of `ivfFrames`, H.264 without B frames) to `output`. `width` and `height` are
 * in pixels, as encoded; `fps.num` becomes the timescale and must not be larger than 1,000,000. Throws UserError
 * `disk_full`.
 */
export async function writeMp4(segments: readonly string[], output: string, options: Mp4Options, signal?: AbortSignal) {
  const file = await open(output, 'w+');
  try {
    const frames = await mux(segments, file, options, signal);
    await declareMovieLength(file, options.fps.num, frames * options.fps.den);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    throw diskFull(error);
  } finally {
    await file.close();
  }
}

/** Returns the number of frames. */
async function mux(
  segments: readonly string[],
  file: FileHandle,
  { width, height, fps, deleteSegments = false, arriving, onJoined }: Mp4Options,
  signal?: AbortSignal,
): Promise<number> {
  const inMemory = (arriving?.bytes ?? (await sumBytes(segments))) <= maxBytesInMemory;
  const writable = new WritableStream<{ data: Uint8Array; position: number }>({
    write: ({ data, position }) => writeFully(file, data, position),
  });
  const movie = new Output({
    format: new Mp4OutputFormat({ fastStart: inMemory ? 'in-memory' : 'reserve' }),
    target: new StreamTarget(writable, { chunked: true }),
  });
  const track = new EncodedVideoPacketSource('avc');
  const frameRate = fps.num / fps.den;
  const maximumPacketCount = inMemory ? undefined : (arriving?.frames ?? (await countFrames(segments)));
  movie.addVideoTrack(track, { frameRate, ...(maximumPacketCount === undefined ? {} : { maximumPacketCount }) });
  await movie.start();
  let frame = 0;
  try {
    for (const [index, segment] of segments.entries()) {
      await arriving?.arrival(index);
      for (const data of readIvf(await readFile(segment))) {
        signal?.throwIfAborted();
        const type = isKeyFrame(data) ? 'key' : 'delta';
        const packet = new EncodedPacket(data, type, (frame * fps.den) / fps.num, fps.den / fps.num);
        await track.add(packet, frame === 0 ? { decoderConfig: decoderConfig(data, width, height) } : undefined);
        frame++;
      }
      if (deleteSegments) await rm(segment);
      await onJoined?.(index);
    }
    await movie.finalize();
  } catch (error) {
    // The first error is the one to report; a stream that failed cannot be closed either.
    await movie.cancel().catch(() => undefined);
    throw error;
  }
  return frame;
}

async function sumBytes(files: readonly string[]): Promise<number> {
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function countFrames(segments: readonly string[]): Promise<number> {
  let count = 0;
  for (const segment of segments) count += readIvf(await readFile(segment)).length;
  return count;
}

const typeOf = (unit: Buffer): number => (unit[0] ?? 0) & 31;

function isKeyFrame(frame: Buffer): boolean {
  for (const unit of splitUnits(frame)) {
    if (typeOf(unit) === unitType.idr) return true;
    // A frame has one slice.
    if (typeOf(unit) === unitType.slice) return false;
  }
  return false;
}

/** `frame` is the first one, which contains the parameter sets. The muxer copies them into the file's header. */
function decoderConfig(frame: Buffer, codedWidth: number, codedHeight: number): VideoDecoderConfig {
  const sps = [...splitUnits(frame)].find((unit) => typeOf(unit) === unitType.sps);
  if (!sps) throw new Error('the first H.264 frame has no sequence parameter set');
  return {
    codec: `avc1.${sps.toString('hex', 1, 4)}`,
    codedWidth,
    codedHeight,
    colorSpace: { primaries: 'bt709', transfer: 'bt709', matrix: 'bt709', fullRange: false },
  };
}

/** One call of `write` may store only a part, for example when the disk is nearly full. */
async function writeFully(file: FileHandle, data: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < data.length; ) {
    done += (await file.write(data, done, data.length - done, position + done)).bytesWritten;
  }
}
