// Encodes filtered frames to packets, with the options of ffmpeg's command line.
import * as constants from 'node-av/constants';
import {
  avGetPixFmtName,
  avGetSampleFmtName,
  avRescaleQ,
  Codec,
  CodecContext,
  Dictionary,
  type Frame,
  type OutputFormat,
  Packet,
  Rational,
} from 'node-av/lib';
import { check, need } from './addonErrors.ts';
import { type Options, streamOption } from './commandLine.ts';
import { type FilteredFrame, filterFrames } from './filterChain.ts';
import type { Kind, Ratio } from './inputFile.ts';

/** ffmpeg's unit of `-q`. */
const lambda = 118;

export function findEncoder(format: OutputFormat, options: Options, kind: Kind): Codec {
  const name = streamOption(options, 'c', kind);
  const codec =
    name === undefined
      ? Codec.findEncoder(kind === 'v' ? format.videoCodec : format.audioCodec)
      : Codec.findEncoderByName(name as never);
  return need(codec, `Encoder ${name ?? 'of the format'} not found`);
}

/** Filters at the end of the chain that return frames which the encoder accepts. */
export function encoderFormat(codec: Codec, options: Options, kind: Kind): string {
  if (kind === 'v') {
    const formats = options.pix_fmt ?? (codec.pixelFormats ?? []).map(avGetPixFmtName).join('|');
    return formats === '' ? '' : `,format=pix_fmts=${formats}`;
  }
  const formats = (codec.sampleFormats ?? []).map(avGetSampleFmtName).join('|');
  const wanted = [
    ...(formats === '' ? [] : [`sample_fmts=${formats}`]),
    ...(options.ac === '2' ? ['channel_layouts=stereo'] : []),
  ];
  return wanted.length === 0 ? '' : `,aformat=${wanted.join(':')}`;
}

export type EncodedStream = { encoder: CodecContext; packets: Generator<Packet> };

/** Opens the encoder for the first frame. Undefined if there are no frames. */
export function encode(
  frames: Generator<FilteredFrame>,
  codec: Codec,
  options: Options,
  kind: Kind,
  format: OutputFormat,
): EncodedStream | undefined {
  const first = frames.next();
  if (first.done) return undefined;
  const encoder = openEncoder(first.value, codec, options, kind, format);
  const timed =
    kind === 'v'
      ? paced(first.value, frames, encoder.timeBase, options)
      : sized(first.value, frames, encoder.frameSize, encoder.timeBase);
  return { encoder, packets: readPackets(encoder, timed) };
}

function openEncoder({ frame, sink }: FilteredFrame, codec: Codec, options: Options, kind: Kind, format: OutputFormat) {
  const encoder = new CodecContext();
  encoder.allocContext3(codec);
  if (kind === 'v') describePicture(encoder, frame, sink.buffersinkGetFrameRate());
  else {
    encoder.sampleFormat = frame.format as never;
    encoder.sampleRate = frame.sampleRate;
    encoder.channelLayout = frame.channelLayout;
    encoder.timeBase = new Rational(1, frame.sampleRate);
  }
  if (format.flags & constants.AVFMT_GLOBALHEADER) encoder.setFlags(constants.AV_CODEC_FLAG_GLOBAL_HEADER);
  const quality = options[`q:${kind}`] ?? options[`qscale:${kind}`];
  if (quality !== undefined) {
    encoder.setFlags(constants.AV_CODEC_FLAG_QSCALE);
    encoder.globalQuality = lambda * Number(quality);
  }
  // Encoders ignore options that they do not know.
  const own = Object.entries(options).flatMap(([name, value]) => {
    const [base = '', stream = kind] = name.split(':');
    return stream === kind ? [[base, value] as const] : [];
  });
  check(
    encoder.open2Sync(codec, Dictionary.fromObject({ threads: 'auto', ...Object.fromEntries(own) })),
    'Error while opening the encoder',
  );
  return encoder;
}

function describePicture(encoder: CodecContext, frame: Frame, rate: Rational): void {
  encoder.width = frame.width;
  encoder.height = frame.height;
  encoder.pixelFormat = frame.format as never;
  encoder.sampleAspectRatio = frame.sampleAspectRatio;
  encoder.framerate = rate.num > 0 ? rate : new Rational(25, 1);
  encoder.timeBase = encoder.framerate.inv();
  encoder.colorRange = frame.colorRange;
  encoder.colorPrimaries = frame.colorPrimaries;
  encoder.colorTrc = frame.colorTrc;
  encoder.colorSpace = frame.colorSpace;
}

/** Rounds times to the frame rate. As in ffmpeg, a frame at the time of the one before it is left out. */
function* paced(
  first: FilteredFrame,
  rest: Generator<FilteredFrame>,
  timeBase: Ratio,
  options: Options,
): Generator<Frame> {
  const most = Number(options['frames:v'] ?? Number.POSITIVE_INFINITY);
  let next = 0;
  let count = 0;
  for (const { frame, sink } of chain(first, rest)) {
    if (count >= most) return;
    const from = sink.buffersinkGetTimeBase();
    const scale = (from.num * timeBase.den) / (from.den * timeBase.num);
    const time = Number(frame.pts) * scale;
    const late = time - next + Math.max(1, Number(frame.duration) * scale);
    if (late <= -0.6) continue;
    if (late > 0.6) next = Math.round(time);
    frame.pts = BigInt(next++);
    frame.duration = 1n;
    frame.pictType = constants.AV_PICTURE_TYPE_NONE;
    count++;
    yield frame;
  }
}

/** Frames of as many samples as the encoder wants. */
function* sized(first: FilteredFrame, rest: Generator<FilteredFrame>, size: number, timeBase: Ratio): Generator<Frame> {
  function* timed(): Generator<Frame> {
    for (const { frame, sink } of chain(first, rest)) {
      frame.pts = avRescaleQ(frame.pts, sink.buffersinkGetTimeBase(), timeBase);
      yield frame;
    }
  }
  if (size === 0) return yield* timed();
  const input = { frames: timed(), timeBase, rate: { num: 0, den: 1 }, turn: '' };
  for (const { frame } of filterFrames('a', [input], `asetnsamples=n=${size}:p=0`)) yield frame;
}

/** The first value must be used before the generator continues. */
function* chain<T>(first: T, rest: Generator<T>): Generator<T> {
  yield first;
  yield* rest;
}

function* readPackets(encoder: CodecContext, frames: Generator<Frame>): Generator<Packet> {
  const packet = new Packet();
  packet.alloc();
  function* drain(): Generator<Packet> {
    for (;;) {
      const status = encoder.receivePacketSync(packet);
      if (status === constants.AVERROR_EAGAIN || status === constants.AVERROR_EOF) return;
      check(status, 'Error while encoding');
      yield packet;
      packet.unref();
    }
  }
  for (const frame of frames) {
    check(encoder.sendFrameSync(frame), 'Error while encoding');
    yield* drain();
  }
  check(encoder.sendFrameSync(null), 'Error while encoding');
  yield* drain();
}
