// An encoder that is started before there is a picture for it: to start the program takes as long as to encode twenty.
import type { PictureInput } from '../media/pictures.ts';
import { type SegmentJob, type SegmentWriter, startSegment } from '../media/segment.ts';
import type { Chunk } from '../plan/chunks.ts';

export type EarlyEncoder = {
  /** Starts the encoder of the first chunk, for pictures of this kind. */
  start(input: PictureInput): void;
  /** The encoder that was started for these pictures of this chunk; undefined where none was. */
  take(input: PictureInput, chunk: Chunk): SegmentWriter | undefined;
  /** Ends it, whoever has it. */
  end(): void;
};

export function openEarlyEncoder(job: SegmentJob): EarlyEncoder {
  const ending = new AbortController();
  let started: { input: PictureInput; chunk: Chunk; segment: SegmentWriter } | undefined;
  return {
    start(input) {
      const [chunk] = job.plan.chunks;
      // Where frames are files of their own, their folder is known later.
      if (!chunk || job.plan.format === 'png' || ending.signal.aborted) return;
      const signal = AbortSignal.any([job.signal, ending.signal]);
      started = { input, chunk, segment: startSegment({ ...job, signal }, input, chunk) };
    },
    take(input, { index }) {
      const { pixels, width, height } = started?.input ?? {};
      const isSame = pixels === input.pixels && width === input.width && height === input.height;
      const segment = isSame && started?.chunk.index === index ? started.segment : undefined;
      if (segment) started = undefined;
      return segment;
    },
    end: () => ending.abort(),
  };
}
