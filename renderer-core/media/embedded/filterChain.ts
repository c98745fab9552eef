// A filter graph of ffmpeg with one output. It is built again when the format of the frames changes.
import * as constants from 'node-av/constants';
import {
  avChannelLayoutDescribe,
  avGetPixFmtName,
  avGetSampleFmtName,
  Filter,
  type FilterContext,
  FilterGraph,
  FilterInOut,
  Frame,
} from 'node-av/lib';
import { check, need } from './addonErrors.ts';
import type { FrameSource, Kind, Ratio } from './inputFile.ts';

export type FilteredFrame = { frame: Frame; sink: FilterContext };

/** `turn`: filters that rotate the frames of the input as players do. */
export type FilterInput = FrameSource & { rate: Ratio; turn: string };

/**
 * The frames that `filters` returns for the frames of the inputs. Inputs after the first are read to their end before it,
 * so they should be short. A frame is valid until the next one is read.
 */
export function* filterFrames(kind: Kind, inputs: FilterInput[], filters: string): Generator<FilteredFrame> {
  const [main, ...rest] = inputs;
  if (!main) return;
  const firsts = rest.map((input) => input.frames.next());
  const output = new Frame();
  output.alloc();
  let graph: Graph | undefined;
  let format = '';
  for (const frame of main.frames) {
    const current = describe(kind, frame, main);
    if (graph && current !== format) {
      send(graph.sources[0], null);
      yield* drain(graph, output);
      graph.graph.free();
      graph = undefined;
    }
    if (!graph) {
      format = current;
      const others = rest.map((input, index) =>
        describe(kind, need(firsts[index]?.value, 'An input has no frames'), input),
      );
      graph = buildGraph(kind, [current, ...others], [main, ...rest], filters);
      for (const [index, input] of rest.entries()) feedWhole(graph.sources[index + 1], firsts[index]?.value, input);
    }
    const wantsMore = send(graph.sources[0], frame);
    yield* drain(graph, output);
    if (!wantsMore) return graph.graph.free();
  }
  if (!graph) return;
  send(graph.sources[0], null);
  yield* drain(graph, output);
  graph.graph.free();
}

type Graph = { graph: FilterGraph; sources: FilterContext[]; sink: FilterContext };

function feedWhole(source: FilterContext | undefined, first: Frame | undefined, input: FilterInput): void {
  if (first) send(source, first);
  for (const frame of input.frames) send(source, frame);
  send(source, null);
}

/** Keeps the frame, which its generator uses again. Returns whether the filters can use more frames. */
function send(source: FilterContext | undefined, frame: Frame | null): boolean {
  const status = need(source, 'no source').buffersrcAddFrameSync(frame, constants.AV_BUFFERSRC_FLAG_KEEP_REF);
  return status !== constants.AVERROR_EOF && check(status, 'Error while filtering') >= 0;
}

function* drain({ sink }: Graph, frame: Frame): Generator<FilteredFrame> {
  for (;;) {
    const status = sink.buffersinkGetFrameSync(frame);
    if (status === constants.AVERROR_EAGAIN || status === constants.AVERROR_EOF) return;
    check(status, 'Error while filtering');
    yield { frame, sink };
    frame.unref();
  }
}

/** The arguments of the source filter for frames like this one. */
function describe(kind: Kind, frame: Frame, { timeBase, rate }: FilterInput): string {
  const time = `time_base=${timeBase.num}/${timeBase.den}`;
  if (kind === 'a') {
    const format = avGetSampleFmtName(frame.format as never);
    const layout = avChannelLayoutDescribe(frame.channelLayout);
    return `${time}:sample_rate=${frame.sampleRate}:sample_fmt=${format}:channel_layout=${layout}`;
  }
  const { width, height, sampleAspectRatio: pixel, colorSpace, colorRange } = frame;
  const speed = rate.num > 0 ? `:frame_rate=${rate.num}/${rate.den}` : '';
  const shape = `video_size=${width}x${height}:pixel_aspect=${pixel.num}/${Math.max(1, pixel.den)}`;
  return `${shape}:pix_fmt=${avGetPixFmtName(frame.format as never)}:${time}${speed}:colorspace=${colorSpace}:range=${colorRange}`;
}

function buildGraph(kind: Kind, descriptions: string[], inputs: FilterInput[], filters: string): Graph {
  const graph = new FilterGraph();
  graph.alloc();
  const create = (name: string, label: string, args: string | null) =>
    need(
      graph.createFilter(need(Filter.getByName(name), `Filter ${name} not found`), label, args),
      `Cannot create ${label}`,
    );
  const sources = descriptions.map((args, index) => create(kind === 'v' ? 'buffer' : 'abuffer', `in${index}`, args));
  const sink = create(kind === 'v' ? 'buffersink' : 'abuffersink', 'out', null);
  connect(graph, `${inputs[0]?.turn ?? ''}${filters}`, sources, sink);
  check(graph.configSync(), `Cannot configure the filters ${filters}`);
  return { graph, sources, sink };
}

/** Links the open ends of `filters`. An input is named after its number: `[1:v]`; a single one may have no name. */
function connect(graph: FilterGraph, filters: string, sources: FilterContext[], sink: FilterContext): void {
  const segment = need(graph.segmentParse(filters), `Cannot parse the filters ${filters}`);
  check(segment.createFilters(), `Cannot create the filters ${filters}`);
  check(segment.applyOpts(), `Invalid options in the filters ${filters}`);
  const [ins, outs] = [new FilterInOut(), new FilterInOut()];
  check(segment.apply(ins, outs), `Cannot link the filters ${filters}`);
  for (let open: FilterInOut | null = ins; open?.filterCtx; open = open.next) {
    const source = need(sources[Number(open.name?.split(':')[0] ?? 0)], `No input for ${open.name}`);
    check(source.link(0, open.filterCtx, open.padIdx), `Cannot link the filters ${filters}`);
  }
  check(need(outs.filterCtx, 'The filters have no output').link(outs.padIdx, sink, 0), 'Cannot link the filters');
  ins.free();
  outs.free();
  segment.free();
}
