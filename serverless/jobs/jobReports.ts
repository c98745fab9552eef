// What the `chunks` commands report.
import { z } from 'zod';
import { capturePath } from '../../renderer-core/render/renderReport.ts';
import { engineSchema } from '../../renderer-core/reports/engine.ts';
import { count } from '../../renderer-core/reports/reportFields.ts';

const job = z.string().describe('The folder, or the s3:// address.');
const capture = z.object({ path: capturePath, reason: z.string() });

export const plannedJobSchema = z.object({
  job,
  chunks: count('Number of chunks. Their indexes start with 0.'),
  frames: count('Number of frames.'),
  output: z.string().describe('The name of the video.'),
  capture,
  engine: engineSchema,
  files: count('Number of files of the project.'),
  uploadedFiles: count('Number of files that were not uploaded before.'),
  uploadedBytes: count('Size of these files.'),
  warnings: z.array(z.string()),
});
export type PlannedJob = z.infer<typeof plannedJobSchema>;

export const renderedChunkSchema = z.object({
  job,
  index: z.number(),
  frames: count('Number of frames.'),
  bytes: count('Size of its segment.'),
  elapsedMs: count('Milliseconds.'),
  isReused: z.boolean().describe('Whether it had been rendered before.'),
});
export type RenderedJobChunk = z.infer<typeof renderedChunkSchema>;

export const joinedJobSchema = z.object({
  job,
  output: z.string().describe('The absolute path of the video.'),
  bytes: count('Size of the video.'),
  frames: count('Number of frames.'),
  durationSeconds: z.number(),
  warnings: z.array(z.string()),
});
export type JoinedJob = z.infer<typeof joinedJobSchema>;

export const chunkStates = ['waiting', 'started', 'failed', 'done'] as const;
export const jobStatusSchema = z.object({
  job,
  frames: count('Number of frames.'),
  framesDone: count('Number of rendered frames.'),
  done: count('Number of finished chunks.'),
  total: count('Number of chunks.'),
  chunks: z.array(
    z.object({
      index: z.number(),
      state: z
        .enum(chunkStates)
        .describe('started: a process has started it and has not ended; it may also have been killed, see updatedAt.'),
      frames: count('Number of frames.'),
      framesDone: count('Number of rendered frames.'),
      attempts: count('Number of processes that have started it.'),
      updatedAt: z.string().nullable().describe('When its last process has written its progress.'),
      error: z.object({ code: z.string(), message: z.string() }).nullable(),
    }),
  ),
});
export type JobStatus = z.infer<typeof jobStatusSchema>;
