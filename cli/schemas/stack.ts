// Schemas of the output of the `serverless` commands.
import { z } from 'zod';
import { count, stageEvent, warningEvent } from '../../renderer-core/reports/reportFields.ts';
import {
  canarySchema,
  entryResultSchema,
  estimateSchema,
  listedRenderSchema,
  listedSiteSchema,
  quotaRequestSchema,
  quotasSchema,
  renderHandleSchema,
  renderProgressSchema,
  uploadEventSchema,
} from '../../serverless/renders/reports.ts';
import { errorEvent } from './errors.ts';

export const deployed = z.object({
  RenderBucketName: z.string(),
  RenderStateMachineArn: z.string(),
  RenderFunctionName: z.string(),
  memoryMb: count('Memory of a worker in MB.'),
  reservedConcurrency: z
    .number()
    .nullable()
    .describe('Workers that only the function may use; null without a reservation.'),
  chunksAtOnce: count('Chunks of one render that are rendered at the same time.'),
  webhooks: z.boolean().describe('Whether the stack sends webhooks.'),
  changed: z.boolean().describe('Whether the stack was changed.'),
  canary: canarySchema.nullable().describe('The test video; null with --no-canary.'),
});
export const destroyed = z.object({
  stackName: z.string(),
  destroyed: z.literal(true),
  keptBucket: z.string().nullable().describe('The results bucket, if it was kept.'),
  deletedObjects: count('Deleted objects of the bucket.'),
});

export const quotas = z.object({
  ...quotasSchema.shape,
  isAdjustable: z.boolean().describe('Whether more workers can be requested.'),
  request: quotaRequestSchema.nullable().describe('The last request for more workers.'),
});

const actions = z.array(z.object({ policy: z.string(), action: z.string() }));
export const policyCheck = z
  .object({ principal: z.string(), allowed: actions, denied: actions })
  .describe('With --check.');

export const signingSecret = z.object({
  secret: z.string().describe('Begins with whsec_.'),
  arn: z.string().describe('ARN of the secret in AWS Secrets Manager.'),
});

export const started = z.object({ ...renderHandleSchema.shape, siteId: z.string() });
export const sites = z.array(listedSiteSchema);
export const siteDeleted = z.object({
  siteId: z.string(),
  deletedFiles: count('Number of files that no other site uses.'),
  deletedBytes: count('Size of these files.'),
});
export const renders = z.array(listedRenderSchema);
export const cancelled = z.object({ renderId: z.string(), executionArn: z.string(), cancelled: z.literal(true) });
export const estimate = estimateSchema.describe('With --dry-run.');
export const waited = z
  .object({
    ...renderProgressSchema.shape,
    output: z.string().nullable().describe('Absolute path of the video; null without --output.'),
  })
  .describe('With --wait or --output.');
export const entries = z.array(entryResultSchema);

const waiting = [
  z.object({ type: z.literal('progress'), ...renderProgressSchema.shape }).describe('While the command waits.'),
  stageEvent(['download']),
  warningEvent,
] as const;
export const siteEvents = z.union([uploadEventSchema, warningEvent, errorEvent]);
export const renderEvents = z.union([
  uploadEventSchema,
  z.object({ type: z.literal('started'), ...renderHandleSchema.shape }),
  ...waiting,
  errorEvent,
]);
export const resumeEvents = z.union([
  z.object({ type: z.literal('started'), ...renderHandleSchema.shape }),
  ...waiting,
  errorEvent,
]);
export const progressEvents = z.union([...waiting, errorEvent]);
export const batchEvents = z.union([
  uploadEventSchema,
  warningEvent,
  z.object({ type: z.literal('entry'), ...entryResultSchema.shape }),
  errorEvent,
]);
