// Writes the output of ffmpeg: copied or encoded streams of the inputs, interleaved by time.
import * as constants from 'node-av/constants';
import {
  BitStreamFilter,
  BitStreamFilterContext,
  Dictionary,
  FormatContext,
  Option,
  type OutputFormat,
  Packet,
  type Stream,
} from 'node-av/lib';
import { check, need } from './addonErrors.ts';
import { type Command, type Options, streamOption } from './commandLine.ts';
import { encode, encoderFormat, findEncoder } from './encodeStream.ts';
import { filterFrames } from './filterChain.ts';
import {
  decode,
  findStream,
  type InputFile,
  type Kind,
  noPts,
  openInput,
  type Ratio,
  readPackets,
} from './inputFile.ts';
import { textTrack } from './textTrack.ts';
import { turnFilters } from './turn.ts';

/** A stream of the output. `describe` fills in the stream of the muxer. */
type Track = { timeBase: Ratio; describe: (stream: Stream) => void; packets: Generator<Packet> };

export function runCommand(command: Command): void {
  const { url, options } = need(command.output, 'At least one output file must be specified');
  const inputs = command.inputs.map(openInput);
  const context = new FormatContext();
  check(context.allocOutputContext2(null, options.f ?? null, url), `Unknown output format of ${url}`);
  const format = need(context.oformat, 'no output format');
  const planned = planTracks(inputs, options, format);
  const tracks = planned.filter((track) => track !== undefined);
  if (tracks.length < planned.length) {
    // Readers of standard output see that it is empty.
    if (url === 'pipe:1') return;
    throw new Error('Output file is empty, nothing was encoded');
  }
  const streams = tracks.map(({ timeBase, describe }) => {
    const stream = context.newStream();
    stream.timeBase = timeBase as never;
    describe(stream);
    return stream;
  });
  if (!(format.flags & constants.AVFMT_NOFILE)) check(context.openOutputSync(), `Error opening output file ${url}`);
  // Muxers ignore options that they do not know.
  check(context.writeHeaderSync(Dictionary.fromObject(options)), 'Could not write header');
  mux(context, tracks, streams);
  check(context.writeTrailerSync(), 'Error writing trailer');
  if (!(format.flags & constants.AVFMT_NOFILE)) context.closeOutputSync();
}

/** Writes the packets of all tracks, always the earliest one. */
function mux(context: FormatContext, tracks: Track[], streams: Stream[]): void {
  const heads = tracks.map((track, index) => ({
    track,
    stream: need(streams[index], 'no stream'),
    next: track.packets.next(),
  }));
  const timeOf = ({ track: { timeBase }, next }: (typeof heads)[number]): number =>
    (Number(next.value.dts) * timeBase.num) / timeBase.den;
  for (;;) {
    const [first] = heads.filter(({ next }) => !next.done).sort((one, other) => timeOf(one) - timeOf(other));
    if (!first) return;
    const { track, stream } = first;
    const packet: Packet = first.next.value;
    packet.streamIndex = stream.index;
    packet.rescaleTs(track.timeBase, stream.timeBase);
    check(context.interleavedWriteFrameSync(packet), 'Error writing output');
    first.next = track.packets.next();
  }
}

/** `map`: `0:v:0`, several separated by spaces. */
function planTracks(inputs: InputFile[], options: Options, format: OutputFormat): (Track | undefined)[] {
  const { filter_complex: graph, map = '0:v:0' } = options;
  if (graph !== undefined) {
    const kind = format.videoCodec === constants.AV_CODEC_ID_NONE ? 'a' : 'v';
    const sources = inputs.map((input) => ({ input, stream: findStream(input, kind, 0) }));
    return [encodeTrack(sources, graph, kind, options, format)];
  }
  return map.split(' ').map((text) => {
    const [file, kind, index] = text.split(':') as [string, Kind, string];
    const input = need(inputs[Number(file)], `Invalid input file index: ${text}`);
    const stream = findStream(input, kind, Number(index));
    const codec = streamOption(options, 'c', kind);
    if (kind === 's') return textTrack(input, stream, codec ?? '');
    if (codec === 'copy') return copyTrack(input, stream, kind, options, format);
    const filters = (kind === 'v' ? options.vf : options.af) ?? (kind === 'v' ? 'null' : 'anull');
    return encodeTrack([{ input, stream }], filters, kind, options, format);
  });
}

/** Undefined if there are no frames. */
function encodeTrack(
  sources: { input: InputFile; stream: Stream }[],
  filters: string,
  kind: Kind,
  options: Options,
  format: OutputFormat,
): Track | undefined {
  const codec = findEncoder(format, options, kind);
  const filterInputs = sources.map(({ input, stream }) => ({
    ...decode(input, stream, kind),
    rate: stream.rFrameRate.num > 0 ? stream.rFrameRate : stream.avgFrameRate,
    turn: kind === 'v' ? turnFilters(stream.codecpar) : '',
  }));
  const frames = filterFrames(kind, filterInputs, `${filters}${encoderFormat(codec, options, kind)}`);
  const encoded = encode(frames, codec, options, kind, format);
  if (!encoded) return undefined;
  const { encoder, packets } = encoded;
  return {
    timeBase: encoder.timeBase,
    packets,
    describe(stream) {
      check(stream.codecpar.fromContext(encoder), 'Cannot describe the stream');
      if (kind === 'v') {
        stream.avgFrameRate = encoder.framerate;
        stream.sampleAspectRatio = encoder.sampleAspectRatio;
      }
      label(stream, kind, options);
    },
  };
}

function copyTrack(input: InputFile, source: Stream, kind: Kind, options: Options, format: OutputFormat): Track {
  const filter = options[`bsf:${kind}`];
  const packets = timePackets(readPackets(input, source));
  const filtered = filter === undefined ? undefined : filterPackets(packets, source, filter);
  return {
    timeBase: source.timeBase,
    packets: filtered?.packets ?? packets,
    describe(stream) {
      check((filtered?.parameters ?? source.codecpar).copy(stream.codecpar), 'Cannot describe the stream');
      // The muxer chooses its own tag, unless both are of the QuickTime family, as are lists of segments for it.
      const isMovie =
        /^(mp4|mov)$/.test(format.name ?? '') && /\bmov\b|^concat$/.test(input.context.iformat?.name ?? '');
      if (!isMovie) stream.codecpar.codecTag = 0;
      stream.avgFrameRate = source.avgFrameRate;
      stream.rFrameRate = source.rFrameRate;
      stream.sampleAspectRatio = source.sampleAspectRatio;
      label(stream, kind, options);
    },
  };
}

/** Streams without frames that are shown in another order may have no decoding times. */
function* timePackets(packets: Generator<Packet>): Generator<Packet> {
  for (const packet of packets) {
    if (packet.dts === noPts) packet.dts = packet.pts;
    yield packet;
  }
}

/** `filter`: a name, `=`, and options separated by colons. */
function filterPackets(packets: Generator<Packet>, source: Stream, filter: string) {
  const [, name = '', text = ''] = /^([^=]+)=?(.*)$/.exec(filter) ?? [];
  const context = new BitStreamFilterContext();
  check(context.alloc(need(BitStreamFilter.getByName(name), `Bitstream filter ${name} not found`)), name);
  check(source.codecpar.copy(need(context.inputCodecParameters, name)), name);
  context.inputTimeBase = source.timeBase;
  for (const option of text === '' ? [] : text.split(':')) {
    const [key = '', value = ''] = option.split('=');
    check(Option.set(context.getNative(), key, value, constants.AV_OPT_SEARCH_CHILDREN), `${name}: ${option}`);
  }
  check(context.init(), name);
  const parameters = need(context.outputCodecParameters, name);
  return { parameters, packets: throughFilter(context, packets) };
}

function* throughFilter(context: BitStreamFilterContext, packets: Generator<Packet>): Generator<Packet> {
  const output = new Packet();
  output.alloc();
  function* send(packet: Packet | null): Generator<Packet> {
    check(context.sendPacketSync(packet), 'Error in the bitstream filter');
    while (context.receivePacketSync(output) >= 0) {
      yield output;
      output.unref();
    }
  }
  for (const packet of packets) yield* send(packet);
  yield* send(null);
}

function label(stream: Stream, kind: Kind, options: Options): void {
  const tag = options[`tag:${kind}`];
  if (tag !== undefined) stream.codecpar.codecTag = tag;
  const [key, value] = options[`metadata:s:${kind}:0`]?.split('=') ?? [];
  if (key !== undefined && value !== undefined) stream.metadata = Dictionary.fromObject({ [key]: value });
}
