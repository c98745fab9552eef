// Opens an input of ffmpeg, and reads the packets and frames of one of its streams.
import * as constants from 'node-av/constants';
import {
  avChannelLayoutDefault,
  avRescaleDelta,
  avRescaleQ,
  Codec,
  CodecContext,
  type CodecParameters,
  Dictionary,
  FormatContext,
  Frame,
  InputFormat,
  Packet,
  type Stream,
} from 'node-av/lib';
import { check, need } from './addonErrors.ts';
import type { CommandFile, Options } from './commandLine.ts';

export type Kind = 'v' | 'a' | 's';
export type Ratio = { num: number; den: number };

export type InputFile = { context: FormatContext; options: Options; offsetMicros: bigint };

const micros: Ratio = { num: 1, den: 1_000_000 };
export const noPts = constants.AV_NOPTS_VALUE;

/** The demuxer image2pipe has to be told the codec in a way that this library does not offer. */
const imagePipes: Options = { png: 'png_pipe', mjpeg: 'jpeg_pipe' };

export function openInput({ url, options }: CommandFile): InputFile {
  const context = new FormatContext();
  const name = options.f === 'image2pipe' ? imagePipes[options['c:v'] ?? ''] : options.f;
  const format = name === undefined ? null : need(InputFormat.findInputFormat(name), `Unknown input format: ${name}`);
  // Demuxers have other names for some options, and ignore those that they do not know. Bare sound is always stereo.
  const { pix_fmt: pixel_format, s: video_size, ar: sample_rate } = options;
  const ch_layout = options.ac === undefined ? undefined : 'stereo';
  const dictionary = Dictionary.fromObject({ ...options, pixel_format, video_size, sample_rate, ch_layout });
  check(context.openInputSync(url, format, dictionary), `Error opening input file ${url}`);
  check(context.findStreamInfoSync(), `Cannot read the streams of ${url}`);
  for (const { codecpar } of context.streams) guessLayout(codecpar);
  return { context, options, offsetMicros: seek(context, options) };
}

/** Files may only declare the number of channels. */
function guessLayout(parameters: CodecParameters): void {
  const isSound = parameters.codecType === constants.AVMEDIA_TYPE_AUDIO && parameters.channels > 0;
  if (isSound && parameters.channelLayout.order === constants.AV_CHANNEL_ORDER_UNSPEC)
    parameters.channelLayout = avChannelLayoutDefault(parameters.channels);
}

/** Seeks to `-ss`. Returns what has to be added to time stamps so that the output starts at 0. */
function seek(context: FormatContext, options: Options): bigint {
  const start = context.startTime === noPts ? 0n : context.startTime;
  const position = start + BigInt(Math.round(Number(options.ss ?? 0) * 1e6));
  if (options.ss !== undefined)
    check(context.seekFrameSync(-1, position, constants.AVSEEK_FLAG_BACKWARD), 'Cannot seek');
  return options.copyts === undefined ? -position : 0n;
}

const streamTypes: Record<Kind, number> = {
  v: constants.AVMEDIA_TYPE_VIDEO,
  a: constants.AVMEDIA_TYPE_AUDIO,
  s: constants.AVMEDIA_TYPE_SUBTITLE,
};

/** `index`: the number of the stream among those of its kind. */
export function findStream({ context }: InputFile, kind: Kind, index: number): Stream {
  const streams = context.streams.filter(({ codecpar }) => codecpar.codecType === streamTypes[kind]);
  return need(streams[index], `Stream specifier '${kind}:${index}' matches no streams.`);
}

/** The packet is valid until the next one is read. */
export function* readPackets(input: InputFile, stream: Stream): Generator<Packet> {
  const { context, options, offsetMicros } = input;
  for (const other of context.streams) if (other.index !== stream.index) other.discard = constants.AVDISCARD_ALL;
  const packet = new Packet();
  packet.alloc();
  let offset = avRescaleQ(offsetMicros, micros, stream.timeBase);
  let end = 0n;
  for (;;) {
    const status = context.readFrameSync(packet);
    if (status === constants.AVERROR_EAGAIN) continue;
    if (status === constants.AVERROR_EOF && options.stream_loop === '-1' && end > offset) {
      check(context.seekFrameSync(-1, 0n, constants.AVSEEK_FLAG_BACKWARD), 'Cannot seek');
      offset = end;
      continue;
    }
    if (status === constants.AVERROR_EOF) return;
    check(status, 'Error during demuxing');
    if (packet.streamIndex === stream.index) {
      if (packet.pts !== noPts) packet.pts += offset;
      if (packet.dts !== noPts) packet.dts += offset;
      if (packet.pts !== noPts && packet.pts + packet.duration > end) end = packet.pts + packet.duration;
      yield packet;
    }
    packet.unref();
  }
}

export type FrameSource = { frames: Generator<Frame>; timeBase: Ratio };

export function decode(input: InputFile, stream: Stream, kind: Kind): FrameSource {
  const name = input.options[`c:${kind}`];
  const codec =
    name === undefined ? Codec.findDecoder(stream.codecpar.codecId) : Codec.findDecoderByName(name as never);
  const decoder = new CodecContext();
  decoder.allocContext3(need(codec, `Decoder ${name ?? stream.codecpar.codecId} not found`));
  check(decoder.parametersToContext(stream.codecpar), 'Cannot decode');
  decoder.pktTimebase = stream.timeBase;
  check(decoder.open2Sync(codec, Dictionary.fromObject({ threads: 'auto' })), 'Cannot open the decoder');
  const frames = readFrames(input, stream, decoder);
  if (kind === 'v') return { frames: timeFrames(frames, input, stream), timeBase: stream.timeBase };
  return { frames: timeSound(frames, stream), timeBase: { num: 1, den: decoder.sampleRate || 48_000 } };
}

/** The frame is valid until the next one is read. Damaged packets are skipped, unless most are damaged. */
function* readFrames(input: InputFile, stream: Stream, decoder: CodecContext): Generator<Frame> {
  const frame = new Frame();
  frame.alloc();
  let [good, bad] = [0, 0];
  function* drain(): Generator<Frame> {
    for (;;) {
      const status = decoder.receiveFrameSync(frame);
      if (status === constants.AVERROR_EAGAIN || status === constants.AVERROR_EOF) return;
      if (status < 0) {
        bad++;
        return;
      }
      good++;
      yield frame;
      frame.unref();
    }
  }
  for (const packet of readPackets(input, stream)) {
    if (decoder.sendPacketSync(packet) < 0) bad++;
    yield* drain();
  }
  decoder.sendPacketSync(null);
  yield* drain();
  if (bad > 2 * good) throw new Error(`Error while decoding: ${bad} of ${bad + good} packets are damaged`);
}

/** Frames without a time follow the one before. Frames before the position of `-ss` are left out. */
function* timeFrames(frames: Generator<Frame>, { options }: InputFile, stream: Stream): Generator<Frame> {
  const rate = stream.avgFrameRate.num > 0 ? stream.avgFrameRate : stream.rFrameRate;
  const usual = rate.num > 0 ? avRescaleQ(1n, { num: rate.den, den: rate.num }, stream.timeBase) : 1n;
  const isAccurate = options.ss !== undefined && options.noaccurate_seek === undefined;
  let next = 0n;
  for (const frame of frames) {
    frame.pts = frame.bestEffortTimestamp === noPts ? next : frame.bestEffortTimestamp;
    if (frame.duration <= 0n) frame.duration = usual;
    next = frame.pts + frame.duration;
    if (!isAccurate || frame.pts >= 0n) yield frame;
  }
}

/** Counts time in samples. Rounded times of the container do not leave gaps. */
function* timeSound(frames: Generator<Frame>, stream: Stream): Generator<Frame> {
  const last = { value: noPts };
  let next = 0n;
  for (const frame of frames) {
    const samples: Ratio = { num: 1, den: frame.sampleRate };
    frame.pts =
      frame.pts === noPts ? next : avRescaleDelta(stream.timeBase, frame.pts, samples, frame.nbSamples, last, samples);
    next = frame.pts + BigInt(frame.nbSamples);
    yield frame;
  }
}
