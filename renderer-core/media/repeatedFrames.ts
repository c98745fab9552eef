// Repeats frames of an H.264 stream without an encoder: a P frame whose macroblocks are all skipped takes a dozen bytes and
// shows the frame before it. Static parts of a video need neither a pipe nor an encoder. Rec. ITU-T H.264, 7.3 and 7.4.

/** Supported streams are progressive, have no B frames, one slice per frame and one reference frame. */
type Sequence = { frameNumBits: number; macroblocks: number };

export const unitType = { slice: 1, idr: 5, sps: 7, pps: 8 } as const;

/** The id of our picture parameter set; the encoder's is 0. It uses CAVLC, where a run of skipped macroblocks is one number. */
const skippedFramePps = 1;

/**
 * Returns the frames of `stream` (Annex B), each with its parameter sets, and inserts `repeats[n]` skipped frames after
 * frame n. Of the later frames only `frame_num` changes, which counts reference frames. Throws an Error for streams other
 * than those of x264 with `bframes=0:ref=1`.
 */
export function insertSkippedFrames(stream: Buffer, repeats: readonly number[]): Buffer[] {
  const frames: Buffer[] = [];
  let sequence: Sequence | undefined;
  let before: Buffer[] = [];
  let coded = 0;
  let added = 0;
  for (const unit of splitUnits(stream)) {
    const type = (unit[0] ?? 0) & 31;
    if (type !== unitType.idr && type !== unitType.slice) {
      before.push(startCode, unit);
      if (type === unitType.sps) sequence = readSequence(unit);
      if (type === unitType.pps) before.push(startCode, skippedFrameParameters());
      continue;
    }
    if (!sequence) throw new Error('the H.264 stream must begin with a sequence parameter set');
    if (type === unitType.idr) added = 0;
    const moved = shiftFrameNum(unit, sequence, added);
    frames.push(Buffer.concat([...before, startCode, moved.unit]));
    before = [];
    for (let repeat = 1; repeat <= (repeats[coded] ?? 0); repeat++) {
      added++;
      frames.push(Buffer.concat([startCode, skippedFrame(sequence, moved.frameNum + repeat)]));
    }
    coded++;
  }
  return frames;
}

const startCode = Buffer.from([0, 0, 0, 1]);

/** The NAL units between start codes, without the zero bytes that may follow them. */
export function* splitUnits(stream: Buffer): Generator<Buffer> {
  const next = (from: number) => {
    const at = stream.indexOf('\0\0\x01', from, 'latin1');
    return at < 0 ? stream.length : at;
  };
  for (let at = next(0); at < stream.length; ) {
    const start = at + 3;
    at = next(start);
    let end = at;
    while (end > start && stream[end - 1] === 0) end--;
    yield stream.subarray(start, end);
  }
}

/** Removes emulation prevention bytes: a 3 after two zero bytes, which keeps data from looking like a start code. */
function withoutPrevention(unit: Buffer): Buffer {
  const bytes = Buffer.alloc(unit.length);
  let length = 0;
  let zeros = 0;
  for (const byte of unit) {
    const prevention = zeros >= 2 && byte === 3;
    if (!prevention) bytes[length++] = byte;
    zeros = byte === 0 ? zeros + 1 : 0;
  }
  return bytes.subarray(0, length);
}

function withPrevention(unit: Buffer): Buffer {
  const bytes = Buffer.alloc(Math.ceil(unit.length * 1.5));
  let length = 0;
  let zeros = 0;
  for (const byte of unit) {
    if (zeros >= 2 && byte <= 3) {
      bytes[length++] = 3;
      zeros = 0;
    }
    bytes[length++] = byte;
    zeros = byte === 0 ? zeros + 1 : 0;
  }
  return bytes.subarray(0, length);
}

class BitReader {
  /** In bits; the first byte of a unit is its type. */
  position = 8;
  readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  bits(count: number): number {
    let value = 0;
    for (let bit = 0; bit < count; bit++, this.position++) {
      value = value * 2 + (((this.bytes[this.position >> 3] ?? 0) >> (7 - (this.position & 7))) & 1);
    }
    return value;
  }

  /** ue(v): Exp-Golomb. */
  number(): number {
    let zeros = 0;
    while (zeros < 32 && this.bits(1) === 0) zeros++;
    return 2 ** zeros - 1 + this.bits(zeros);
  }
}

/** Builds a NAL unit from its first byte and strings of bits. */
function writeUnit(header: number, ...parts: string[]): Buffer {
  const bits = `${parts.join('')}1`;
  const padded = bits.padEnd(Math.ceil(bits.length / 8) * 8, '0');
  return withPrevention(
    Buffer.from([header, ...(padded.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))]),
  );
}

/** The bits of an unsigned Exp-Golomb number. */
const expGolomb = (value: number): string => {
  const binary = (value + 1).toString(2);
  return '0'.repeat(binary.length - 1) + binary;
};

const profilesWithChroma = new Set([100, 110, 122, 244, 44, 83, 86, 118, 128]);

function readSequence(unit: Buffer): Sequence {
  const bits = new BitReader(withoutPrevention(unit));
  const profile = bits.bits(8);
  bits.bits(16);
  bits.number();
  if (profilesWithChroma.has(profile)) {
    // Chroma format, two bit depths, lossless flag, scaling matrix flag.
    requireProperty(
      '8-bit 4:2:0 samples and no scaling lists',
      [bits.number(), bits.number(), bits.number(), bits.bits(2)],
      [1, 0, 0, 0],
    );
  }
  const frameNumBits = bits.number() + 4;
  requireProperty('the same decoding and display order', [bits.number()], [2]);
  requireProperty('one reference frame', [bits.number(), bits.bits(1)], [1, 0]);
  const macroblocks = (bits.number() + 1) * (bits.number() + 1);
  requireProperty('progressive frames', [bits.bits(1)], [1]);
  return { frameNumBits, macroblocks };
}

function requireProperty(property: string, found: number[], expected: number[]): void {
  if (found.join() !== expected.join())
    throw new Error(`cannot repeat frames of this H.264 stream: it must have ${property}`);
}

/** Bit position of `frame_num` in a slice: after the first macroblock, the slice type and the picture parameter set's id. */
function frameNumPosition(bytes: Buffer): number {
  const bits = new BitReader(bytes);
  requireProperty('one slice per frame', [bits.number()], [0]);
  bits.number();
  bits.number();
  return bits.position;
}

function shiftFrameNum(unit: Buffer, { frameNumBits }: Sequence, by: number): { unit: Buffer; frameNum: number } {
  const bytes = withoutPrevention(unit);
  const bits = new BitReader(bytes);
  const position = frameNumPosition(bytes);
  bits.position = position;
  const frameNum = (bits.bits(frameNumBits) + by) % 2 ** frameNumBits;
  if (by === 0) return { unit, frameNum };
  for (let bit = 0; bit < frameNumBits; bit++) {
    const at = position + bit;
    const mask = 128 >> (at & 7);
    const set = (frameNum >> (frameNumBits - 1 - bit)) & 1;
    bytes[at >> 3] = set ? (bytes[at >> 3] ?? 0) | mask : (bytes[at >> 3] ?? 0) & ~mask;
  }
  return { unit: withPrevention(bytes), frameNum };
}

/** pic_parameter_set_rbsp: CAVLC, one slice group, one reference, and a deblocking filter that slices can switch off. */
function skippedFrameParameters(): Buffer {
  return writeUnit(
    0x68,
    expGolomb(skippedFramePps),
    expGolomb(0),
    '0',
    '0',
    expGolomb(0),
    expGolomb(0),
    expGolomb(0),
    '0',
    '00',
    expGolomb(0),
    expGolomb(0),
    expGolomb(0),
    '1',
    '0',
    '0',
  );
}

/** slice_layer_without_partitioning_rbsp of a P frame that is one run of skipped macroblocks. */
function skippedFrame({ frameNumBits, macroblocks }: Sequence, frameNum: number): Buffer {
  const counted = (frameNum % 2 ** frameNumBits).toString(2).padStart(frameNumBits, '0');
  const header = [
    expGolomb(0),
    expGolomb(5),
    expGolomb(skippedFramePps),
    counted,
    '0',
    '0',
    '0',
    expGolomb(0),
    expGolomb(1),
  ];
  return writeUnit(0x41, ...header, expGolomb(macroblocks));
}
