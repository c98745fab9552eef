// What the `serverless` commands print.
import { z } from 'zod';
import type { EntryResult } from '../serverless/batch.ts';
import type { Estimate } from '../serverless/estimate.ts';
import type { RenderProgress } from '../serverless/progress.ts';
import { count, errorEvent, maybe, of, stageEvent, warningEvent } from './shared.ts';

export const deployed = z.object({
  RenderBucketName: z.string(),
  RenderStateMachineArn: z.string(),
  RenderFunctionName: z.string(),
  changed: z.boolean().describe('Whether anything was to be done.'),
});
export const destroyed = z.object({
  stackName: z.string(),
  destroyed: z.literal(true),
  keptBucket: z.string().nullable().describe('A bucket that was left because something is in it.'),
});

const actions = z.array(z.object({ policy: z.string(), action: z.string() }));
export const policyCheck = z
  .object({ principal: z.string(), allowed: actions, denied: actions })
  .describe('Of --check.');

export const site = z.object({
  siteId: z.string(),
  bucketName: z.string(),
  files: count('How many.'),
  bytes: count('Of all files.'),
  uploadedFiles: count('That were not there yet.'),
  uploadedBytes: count('Of those.'),
});

export const started = z.object({
  renderId: z.string(),
  executionArn: z.string(),
  bucketName: z.string(),
  outputKey: z.string(),
  siteId: z.string(),
});

const cost = z.looseObject({ usd: z.number() }).describe('In US dollars, by the price list of one region.');

export const estimate = of<Pick<Estimate, 'frames' | 'chunks' | 'seconds' | 'warnings'>>()(
  z.object({
    frames: count('How many.'),
    chunks: count('How many.'),
    framesPerChunk: count('At most.'),
    seconds: count('From start to end, with a free worker for each chunk.'),
    shareOfLimit: count("A chunk's share of the time that a worker has."),
    cost,
    assumed: z.record(z.string(), z.unknown()).describe('What it was reckoned with.'),
    warnings: z.array(z.string()),
  }),
).describe('Of --dry-run.');

const progressFields = {
  renderId: z.string(),
  executionArn: z.string(),
  status: z.enum(['RUNNING', 'SUCCEEDED', 'FAILED', 'TIMED_OUT', 'ABORTED']),
  overallProgress: z.number().describe('From 0 to 1.'),
  framesRendered: count('How many.'),
  totalFrames: z.number().nullable(),
  chunks: z.object({ done: count('How many.'), total: z.number().nullable() }),
  workersInvoked: count('How often.'),
  costs: z.object({ usd: z.number(), estimated: z.literal(true) }),
  slowestChunk: z
    .object({ index: count('From 0.'), seconds: count('So far.'), shareOfLimit: z.number() })
    .nullable()
    .describe('The chunk that takes longest, and its share of the time that a worker has.'),
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
  description: 'How far a render is.',
});

const entryFields = {
  line: count('Of the batch file, from 1.'),
  outputKey: z.string(),
  status: z.enum(['started', 'failed-to-start', 'would-invoke']),
  renderId: maybe(z.string()),
  executionArn: maybe(z.string()),
  error: maybe(z.object({ code: z.string(), message: z.string() })),
};
/** With --wait or --output; `output` is where the video was brought to. */
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
  z.object({ type: z.literal('progress'), ...progressFields }).describe('While it is waited for.'),
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
