// The headers of an MP4 file with one H.264 track and nothing else, as ISO/IEC 14496-12 and -15 have them. To write them
// here takes a millisecond; ffmpeg takes longer than that to start.
import type { FrameRate } from '../plan/frameRate.ts';

/** Bytes of one picture in the file, and whether a player may start at it. */
export type Sample = { bytes: number; isSync: boolean };

export type Mp4Movie = {
  /** In pixels, as encoded. */
  width: number;
  height: number;
  fps: FrameRate;
  /** Parameter sets of the stream, without start codes. */
  sps: readonly Buffer[];
  pps: readonly Buffer[];
  /** Pictures, in runs that lie in the file one behind another. */
  runs: readonly (readonly Sample[])[];
};

/** Everything in front of the pictures' bytes, which follow at once: the index comes first, so that a video plays while it loads. */
export function mp4Head(movie: Mp4Movie): Buffer {
  const bytes = movie.runs.flat().reduce((sum, sample) => sum + sample.bytes, 0);
  const fileType = box('ftyp', text('isom'), u32(512), text('isomiso2avc1mp41'));
  const data = bytes + 8 < 2 ** 32 ? [u32(bytes + 8), text('mdat')] : [u32(1), text('mdat'), u64(bytes + 16)];
  const isLong = bytes > 2 ** 31;
  const around = (at: number) => Buffer.concat([fileType, movieBox(movie, at, isLong), ...data]);
  // The index has the same length wherever its pictures are.
  return around(around(0).length);
}

function movieBox(movie: Mp4Movie, at: number, isLong: boolean): Buffer {
  const { width, height, fps, runs } = movie;
  const length = runs.flat().length * fps.den;
  const unturned = [1 << 16, 0, 0, 0, 1 << 16, 0, 0, 0, 1 << 30];
  const nextTrack = 2;
  const played = [1 << 16, 256 << 16, 0, 0, ...unturned, 0, 0, 0, 0, 0, 0, nextTrack];
  const header = full('mvhd', 0, u32s([0, 0, fps.num, length, ...played]));
  const enabledInMovie = 3;
  const shown = [0, 0, 0, 0, ...unturned, width << 16, height << 16];
  const track = full('tkhd', enabledInMovie, u32s([0, 0, 1, 0, length, ...shown]));
  const undetermined = 0x55c4;
  const media = full('mdhd', 0, zeros(8), u32(fps.num), u32(length), u16(undetermined), u16(0));
  const handler = full('hdlr', 0, zeros(4), text('vide'), zeros(12), text('VideoHandler\0'));
  const inThisFile = box('dinf', full('dref', 0, u32(1), full('url ', 1)));
  const information = box('minf', full('vmhd', 1, zeros(8)), inThisFile, sampleTable(movie, at, isLong));
  return box('moov', header, box('trak', track, box('mdia', media, handler, information)));
}

function sampleTable({ runs, fps, ...stream }: Mp4Movie, at: number, isLong: boolean): Buffer {
  const samples = runs.flat();
  const sync = samples.flatMap(({ isSync }, index) => (isSync ? [index + 1] : []));
  let offset = at;
  const offsets = runs.map((run) => {
    const start = offset;
    for (const { bytes } of run) offset += bytes;
    return start;
  });
  return box(
    'stbl',
    full('stsd', 0, u32(1), sampleEntry(stream)),
    full('stts', 0, u32(1), u32(samples.length), u32(fps.den)),
    full('stss', 0, u32(sync.length), u32s(sync)),
    full('stsc', 0, u32(runs.length), u32s(runs.flatMap((run, index) => [index + 1, run.length, 1]))),
    full('stsz', 0, u32(0), u32(samples.length), u32s(samples.map(({ bytes }) => bytes))),
    isLong
      ? full('co64', 0, u32(offsets.length), ...offsets.map(u64))
      : full('stco', 0, u32(offsets.length), u32s(offsets)),
  );
}

function sampleEntry({ width, height, sps, pps }: Pick<Mp4Movie, 'width' | 'height' | 'sps' | 'pps'>): Buffer {
  const resolution = u32(72 << 16);
  const bt709 = box('colr', text('nclx'), u16(1), u16(1), u16(1), Buffer.of(0));
  const sizes = [u16(width), u16(height), resolution, resolution];
  const rest = [zeros(4), u16(1), zeros(32), u16(24), u16(0xffff)];
  return box('avc1', zeros(6), u16(1), zeros(16), ...sizes, ...rest, decoderConfiguration(sps, pps), bt709);
}

/** Profiles whose decoders are told of colour sampling and bit depths as well. */
const highProfiles = new Set([100, 110, 122, 144]);

function decoderConfiguration(sps: readonly Buffer[], pps: readonly Buffer[]): Buffer {
  const [profile = 0, compatibility = 0, level = 0] = sps[0]?.subarray(1) ?? [];
  const listed = (units: readonly Buffer[]) => units.flatMap((unit) => [u16(unit.length), unit]);
  const eightBits420 = Buffer.of(0xfd, 0xf8, 0xf8, 0);
  return box(
    'avcC',
    Buffer.of(1, profile, compatibility, level, 0xff, 0xe0 | sps.length),
    ...listed(sps),
    Buffer.of(pps.length),
    ...listed(pps),
    ...(highProfiles.has(profile) ? [eightBits420] : []),
  );
}

function box(type: string, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([u32(content.length + 8), text(type), content]);
}

/** A box of version 0 with flags. */
const full = (type: string, flags: number, ...parts: Buffer[]): Buffer => box(type, u32(flags), ...parts);

const text = (value: string): Buffer => Buffer.from(value, 'latin1');
const zeros = (length: number): Buffer => Buffer.alloc(length);
const u32 = (value: number): Buffer => u32s([value]);

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

function u32s(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, 4 * index);
  return bytes;
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}
