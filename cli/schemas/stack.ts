// Schemas of the output of the `serverless` commands.
import { z } from 'zod';
import type { EntryResult } from '../../serverless/batch.ts';
import type { Estimate } from '../../serverless/estimate.ts';
import type { RenderProgress } from '../../serverless/progress.ts';
import { count, errorEvent, maybe, of, stageEvent, warningEvent } from './sharedSchemas.ts';

export const deployed = z.object({
  RenderBucketName: z.string(),
  RenderStateMachineArn: z.string(),
  RenderFunctionName: z.string(),
  changed: z.boolean().describe('Whether the stack was changed.'),
});
export const destroyed = z.object({
  stackName: z.string(),
  destroyed: z.literal(true),
  keptBucket: z.string().nullable().describe('The results bucket, if it was kept.'),
});

const actions = z.array(z.object({ policy: z.string(), action: z.string() }));
export const policyCheck = z
  .object({ principal: z.string(), allowed: actions, denied: actions })
  .describe('With --check.');

export const site = z.object({
  siteId: z.string(),
  bucketName: z.string(),
  files: count('Number of files.'),
  bytes: count('Total size.'),
  uploadedFiles: count('Number of files that were not uploaded before.'),
  uploadedBytes: count('Size of these files.'),
});

export const started = z.object({
  renderId: z.string(),
  executionArn: z.string(),
  bucketName: z.string(),
  outputKey: z.string(),
  siteId: z.string(),
});

const cost = z.looseObject({ usd: z.number() }).describe('US dollars, by the prices of one region.');

export const estimate = of<Pick<Estimate, 'frames' | 'chunks' | 'seconds' | 'warnings'>>()(
  z.object({
    frames: count('Number of frames.'),
    chunks: count('Number of chunks.'),
    framesPerChunk: count('Maximum frames per chunk.'),
    seconds: count('Estimated time if each chunk has a free worker.'),
    shareOfLimit: count("A chunk's share of the time limit of a worker."),
    cost,
    assumed: z.record(z.string(), z.unknown()).describe('Assumptions of the estimate.'),
    warnings: z.array(z.string()),
  }),
).describe('With --dry-run.');

const progressFields = {
  renderId: z.string(),
  executionArn: z.string(),
  status: z.enum(['RUNNING', 'SUCCEEDED', 'FAILED', 'TIMED_OUT', 'ABORTED']),
  overallProgress: z.number().describe('From 0 to 1.'),
  framesRendered: count('Number of rendered frames.'),
  totalFrames: z.number().nullable(),
  chunks: z.object({ done: count('Finished chunks.'), total: z.number().nullable() }),
  workersInvoked: count('Number of invocations.'),
  costs: z.object({ usd: z.number(), estimated: z.literal(true) }),
  slowestChunk: z
    .object({ index: count('From 0.'), seconds: count('Elapsed seconds.'), shareOfLimit: z.number() })
    .nullable()
    .describe('The slowest chunk, and its share of the time limit of a worker.'),
  outputFile: z.object({ s3Uri: z.string(), bytes: count('Size.') }).nullable(),
  errors: z.array(
    z.object({
      state: z.string(),
      error: z.string(),
      cause: z.string(),
      log: maybe(z.object({ group: z.string(), stream: z.string(), requestId: z.string() })),
    }),
  ),
  warnings: z.array(z.string()),
  startedAt: z.string().describe('ISO 8601.'),
  endedAt: z.string().nullable().describe('ISO 8601.'),
};
export const progress = of<RenderProgress>()(z.object(progressFields)).meta({
  id: 'RenderProgress',
  description: 'The progress of a render.',
});

const entryFields = {
  line: count('Line of the batch file, from 1.'),
  outputKey: z.string(),
  status: z.enum(['started', 'failed-to-start', 'would-invoke']),
  renderId: maybe(z.string()),
  executionArn: maybe(z.string()),
  error: maybe(z.object({ code: z.string(), message: z.string() })),
};
export const waited = z
  .object({
    ...progressFields,
    output: z.string().nullable().describe('Absolute path of the video; null without --output.'),
  })
  .describe('With --wait or --output.');
export const entries = z.array(of<EntryResult>()(z.object(entryFields)));

const uploadEvent = z.object({
  type: z.literal('upload'),
  done: count('Bytes.'),
  total: count('Bytes.'),
  bytes: count('Bytes.'),
});
const { siteId: _, ...handle } = started.shape;
const waiting = [
  z.object({ type: z.literal('progress'), ...progressFields }).describe('While the command waits.'),
  stageEvent(['download']),
  warningEvent,
] as const;
export const siteEvents = z.union([uploadEvent, warningEvent, errorEvent]);
export const renderEvents = z.union([
  uploadEvent,
  z.object({ type: z.literal('started'), ...handle }),
  ...waiting,
  errorEvent,
]);
export const progressEvents = z.union([...waiting, errorEvent]);
export const batchEvents = z.union([
  uploadEvent,
  warningEvent,
  z.object({ type: z.literal('entry'), ...entryFields }),
  errorEvent,
]);
