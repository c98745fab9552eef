// The sounds that analysers read: files of media elements, and decoded sounds that scripts play.
import { describeElement } from '../../runtime/describeElement.ts';
import type { Videos } from '../video/videoInPage.ts';

/** The sample of a channel, or of all together, at a time of the composition in seconds; 0 for silence. */
export type ReadSample = (seconds: number, channel?: number) => number;

type Page = Window & typeof globalThis;

/** `full`: what a sample of 1 is stored as. */
type Sound = { channels: readonly ArrayLike<number>[]; full: number; rate: number };

export type AudioSources = {
  /** Reads the sound of a source; undefined for nodes that make no sound. */
  read(node: AudioNode): ReadSample | undefined;
  /** Messages about files that cannot be decoded. */
  problems(): string[];
};

/** Call before scripts run. */
export function watchSources(window: Page, now: () => number, videos: () => Videos | undefined): AudioSources {
  const { MediaElementAudioSourceNode, AudioBufferSourceNode } = window;
  const { soundOf, problems } = createFiles(window);
  const starts = watchStarts(window, now);
  const { createMediaElementSource } = window.AudioContext.prototype;
  window.AudioContext.prototype.createMediaElementSource = function (this: AudioContext, element) {
    // It is decoded by the next frame.
    soundOf(element, this);
    return createMediaElementSource.call(this, element);
  };
  const readElement = ({ mediaElement: element, context }: MediaElementAudioSourceNode): ReadSample => {
    const sound = soundOf(element, context);
    const volume = element.muted ? 0 : element.volume;
    return (seconds, channel) => {
      const at = videos()?.position(element, seconds);
      return sound && at !== undefined ? volume * sampleAt(sound, at, channel) : 0;
    };
  };
  const readPlayed = (node: AudioBufferSourceNode): ReadSample | undefined => {
    const start = starts.get(node);
    if (!start || !node.buffer) return undefined;
    const { duration, sampleRate: rate } = node.buffer;
    const sound = { channels: channelsOf(node.buffer), full: 1, rate };
    return (seconds, channel) => {
      const at = positionIn(node, start, seconds, duration);
      return at === undefined ? 0 : sampleAt(sound, at, channel);
    };
  };
  const read = (node: AudioNode): ReadSample | undefined => {
    if (node instanceof MediaElementAudioSourceNode) return readElement(node);
    return node instanceof AudioBufferSourceNode ? readPlayed(node) : undefined;
  };
  return { read, problems };
}

type Files = { soundOf(element: HTMLMediaElement, context: BaseAudioContext): Sound | undefined; problems(): string[] };

/**
 * The sounds of elements at the rate of a context. Undefined until a file is decoded: its request and its decoding hold back
 * frames, as those of scripts do.
 */
function createFiles(window: Page): Files {
  // Scripts may replace them later. Frames wait for this `fetch`.
  const { fetch, OfflineAudioContext } = window;
  const problems = new Set<string>();
  const files = new Map<string, Sound | null>();
  const load = async (url: string, rate: number): Promise<Sound> => {
    const response = await fetch(url);
    const context = new OfflineAudioContext(1, 1, rate);
    return toSmall(await context.decodeAudioData(await response.arrayBuffer()));
  };
  const soundOf: Files['soundOf'] = (element, { sampleRate }) => {
    const { currentSrc, src } = element;
    const url = currentSrc || src;
    const key = `${sampleRate} ${url}`;
    if (url !== '' && !files.has(key)) {
      files.set(key, null);
      load(url, sampleRate).then(
        (sound) => files.set(key, sound),
        () =>
          problems.add(
            `The browser cannot decode the sound of ${describeElement(element)}, so its analyser reads silence`,
          ),
      );
    }
    return files.get(key) ?? undefined;
  };
  return { soundOf, problems: () => [...problems] };
}

const channelsOf = (buffer: AudioBuffer): Float32Array[] =>
  Array.from({ length: buffer.numberOfChannels }, (_, channel) => buffer.getChannelData(channel));

/** With 16 bits instead of 32: the sound of a long file fills much of the memory. */
function toSmall(buffer: AudioBuffer): Sound {
  const full = 32_768;
  const small = (samples: Float32Array): Int16Array => {
    const result = new Int16Array(samples.length);
    for (let at = 0; at < result.length; at++)
      result[at] = Math.max(-full, Math.min(full - 1, Math.round(full * (samples[at] ?? 0))));
    return result;
  };
  return { channels: channelsOf(buffer).map(small), full, rate: buffer.sampleRate };
}

/** Between two samples, a value between them. `channel`: undefined for the mean of all. */
function sampleAt({ channels, full, rate }: Sound, seconds: number, channel?: number): number {
  const at = seconds * rate;
  const before = Math.floor(at);
  const share = at - before;
  const between = (samples: ArrayLike<number> = []) =>
    ((samples[before] ?? 0) * (1 - share) + (samples[before + 1] ?? 0) * share) / full;
  if (channel !== undefined) return between(channels[channel]);
  return channels.reduce((sum, samples) => sum + between(samples), 0) / channels.length;
}

/** In seconds of the composition. */
type Start = { at: number; offset: number; end: number };

function watchStarts({ AudioBufferSourceNode }: Page, now: () => number): WeakMap<AudioNode, Start> {
  const starts = new WeakMap<AudioNode, Start>();
  const { start, stop } = AudioBufferSourceNode.prototype;
  const inComposition = ({ context }: AudioNode, when: number): number =>
    now() + Math.max(0, when - context.currentTime);
  AudioBufferSourceNode.prototype.start = function (
    this: AudioBufferSourceNode,
    when = 0,
    offset = 0,
    duration?: number,
  ) {
    start.call(this, ...([when, offset, ...(duration === undefined ? [] : [duration])] as [number, number]));
    const at = inComposition(this, when);
    starts.set(this, { at, offset, end: duration === undefined ? Number.POSITIVE_INFINITY : at + duration });
  };
  AudioBufferSourceNode.prototype.stop = function (this: AudioBufferSourceNode, when = 0) {
    stop.call(this, when);
    const known = starts.get(this);
    if (known) known.end = inComposition(this, when);
  };
  return starts;
}

/** The position in a decoded sound of `length` seconds; undefined if it is not heard. */
function positionIn(
  { playbackRate, loop, loopStart, loopEnd }: AudioBufferSourceNode,
  { at, offset, end }: Start,
  seconds: number,
  length: number,
): number | undefined {
  if (seconds < at || seconds >= end) return undefined;
  const position = offset + (seconds - at) * playbackRate.value;
  const last = loopEnd > 0 ? loopEnd : length;
  if (!loop) return position < length ? position : undefined;
  return position < last ? position : loopStart + ((position - loopStart) % (last - loopStart));
}
