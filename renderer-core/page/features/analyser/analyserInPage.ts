// Analysers of an AudioContext. The browser plays no sound while it renders, so their values are calculated from the samples of
// the sounds at the time of the frame. Gains and splitters count; other nodes between pass the sound on unchanged.
import type { PagePart } from '../../runtime/pagePart.ts';
import type { Videos } from '../video/videoInPage.ts';
import { watchConnections } from './audioGraph.ts';
import { watchParams } from './audioParams.ts';
import { type ReadSample, watchSources } from './audioSources.ts';
import { decibels, levelByte, magnitudes, sampleByte, smoothed } from './spectrum.ts';

/** What an analyser has last calculated: at a time, the same values again. */
type Analysis = { at: number; spectrum: Float32Array };

export const analyserInPage: PagePart = {
  install({ window, now, handles }) {
    const { AnalyserNode, ChannelSplitterNode, GainNode, OfflineAudioContext } = window;
    if (!AnalyserNode) return {};
    watchParams(window);
    const graph = watchConnections(window);
    const sounds = watchSources(window, now, () => handles.video as Videos | undefined);
    const analyses = new WeakMap<AnalyserNode, Analysis>();

    /** The sources that reach a node, with the product of the gains on the way. `channel`: undefined for all together. */
    const sourcesOf = (
      node: AudioNode,
      gain: number,
      channel: number | undefined,
      seen: ReadonlySet<AudioNode>,
    ): { read: ReadSample; gain: number; channel: number | undefined }[] =>
      graph.inputs(node).flatMap(({ from, output }) => {
        if (seen.has(from)) return [];
        const read = sounds.read(from);
        if (read) return [{ read, gain, channel }];
        // The gain at the end of what is read counts for all of it: a few hundredths of a second.
        const factor = from instanceof GainNode ? from.gain.value : 1;
        const only = from instanceof ChannelSplitterNode ? output : channel;
        return sourcesOf(from, gain * factor, only, new Set([...seen, from]));
      });

    const samplesOf = (analyser: AnalyserNode, count: number): Float32Array => {
      const sources = sourcesOf(analyser, 1, undefined, new Set([analyser]));
      const { sampleRate } = analyser.context;
      const end = now();
      return Float32Array.from({ length: count }, (_, at) => {
        const seconds = end - (count - at) / sampleRate;
        return sources.reduce((sum, { read, gain, channel }) => sum + gain * read(seconds, channel), 0);
      });
    };

    const spectrumOf = (analyser: AnalyserNode): Float32Array => {
      const before = analyses.get(analyser);
      const at = now();
      if (before?.at === at && before.spectrum.length === analyser.frequencyBinCount) return before.spectrum;
      const current = magnitudes(samplesOf(analyser, analyser.fftSize));
      const spectrum = smoothed(before?.spectrum, current, analyser.smoothingTimeConstant);
      analyses.set(analyser, { at, spectrum });
      return spectrum;
    };

    const replace = <Name extends keyof AnalyserNode>(
      name: Name,
      read: (analyser: AnalyserNode, count: number) => ArrayLike<number>,
    ): void => {
      const original = AnalyserNode.prototype[name] as (array: Float32Array | Uint8Array) => void;
      Object.assign(AnalyserNode.prototype, {
        [name](this: AnalyserNode, array: Float32Array | Uint8Array) {
          if (this.context instanceof OfflineAudioContext) return original.call(this, array);
          const values = read(this, array.length);
          for (let at = 0; at < Math.min(array.length, values.length); at++) array[at] = values[at] ?? 0;
        },
      });
    };
    replace('getFloatFrequencyData', (analyser) => spectrumOf(analyser).map(decibels));
    replace('getByteFrequencyData', (analyser) =>
      spectrumOf(analyser).map((value) => levelByte(decibels(value), analyser.minDecibels, analyser.maxDecibels)),
    );
    const wave = (analyser: AnalyserNode) => samplesOf(analyser, analyser.fftSize);
    replace('getFloatTimeDomainData', wave);
    replace('getByteTimeDomainData', (analyser) => wave(analyser).map(sampleByte));
    return { warnings: sounds.problems };
  },
};
