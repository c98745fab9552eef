// Fast path `early-encoder`: in a batch, starts the next row's ffmpeg before its first frame exists.
//
// Measured: starting a distribution's ffmpeg takes 57 ms of a core, as long as encoding about twenty frames
// (docs/internals/benchmarks.md, "Batches").
import type { FrameInput } from '../../media/frameFormat.ts';
import { type SegmentJob, type SegmentWriter, startSegment } from '../../media/segment.ts';
import type { Chunk } from '../../plan/chunks.ts';

export type EarlyEncoder = {
  /** Starts the encoder of the plan's first chunk, for frames like `input`. */
  start(input: FrameInput): void;
  /** Returns the encoder if it was started for this input and chunk; the caller then owns it. */
  take(input: FrameInput, chunk: Chunk): SegmentWriter | undefined;
  /** Ends the encoder, also after `take`, and prevents a later start. */
  stop(): void;
};

export function createEarlyEncoder(job: SegmentJob): EarlyEncoder {
  const stopping = new AbortController();
  let started: { input: FrameInput; chunk: Chunk; segment: SegmentWriter } | undefined;
  return {
    start(input) {
      const [chunk] = job.plan.chunks;
      // The folder for PNG frames is not known yet.
      if (!chunk || job.plan.format === 'png' || stopping.signal.aborted) return;
      const signal = AbortSignal.any([job.signal, stopping.signal]);
      started = { input, chunk, segment: startSegment({ ...job, signal }, input, chunk) };
    },
    take(input, { index }) {
      const { pixels, width, height } = started?.input ?? {};
      const isSame = pixels === input.pixels && width === input.width && height === input.height;
      const segment = isSame && started?.chunk.index === index ? started.segment : undefined;
      if (segment) started = undefined;
      return segment;
    },
    stop: () => stopping.abort(),
  };
}
