// Leaves out the chunks that an interrupted run of the same render has finished.
import type { Chunk } from '../../plan/chunks.ts';
import type { CaptureDecision, CapturedFrames, CaptureJob } from '../types.ts';

export type ResumedCapture = {
  /** Captures the other chunks, and keeps their segments. */
  job: CaptureJob;
  /** Adds the segments that were kept. */
  complete(captured: CapturedFrames): CapturedFrames;
};

export async function resumeCapture(job: CaptureJob, path: CaptureDecision['path']): Promise<ResumedCapture> {
  const { kept, plan, page, onFrames } = job;
  if (!kept) return { job, complete: (captured) => captured };
  const files = await kept.find(path);
  // Only the page that captures the end of the video knows its sounds.
  const isDone = ({ index, end }: Chunk): boolean => files.has(index) && end < plan.frames;
  const done = plan.chunks.filter(isDone);
  const resumedFrames = done.reduce((sum, { start, end }) => sum + end - start, 0);
  let framesBefore = resumedFrames;
  return {
    job: {
      ...job,
      plan: { ...plan, chunks: plan.chunks.filter((chunk) => !isDone(chunk)) },
      // Reported with the first new frame: a page may need long to pass through the frames before it.
      onFrames(count) {
        onFrames(count + framesBefore);
        framesBefore = 0;
      },
      async onSegment({ index }, file) {
        // A file of another host may have changed when the render continues.
        if (!page.services.remote.isUsed()) await kept.keep(path, index, file);
      },
    },
    complete(captured) {
      const captures = [...captured.segments];
      const segments = plan.chunks.map((chunk) => (isDone(chunk) ? files.get(chunk.index) : captures.shift()) ?? '');
      return { ...captured, segments, ...(kept.isResumed ? { resumedFrames } : {}) };
    },
  };
}
