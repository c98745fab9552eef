// Progress events of a hosted render.
import { z } from 'zod';
import { count, stageEvent, warningEvent } from '../../renderer-core/reports/reportFields.ts';
import { renderStatuses } from './apiTypes.ts';

const status = z.enum(renderStatuses);

export const cloudEventSchema = z.discriminatedUnion('type', [
  stageEvent(['check', 'pack', 'upload', 'submit', 'wait', 'download']),
  warningEvent,
  z.object({
    type: z.literal('bytes'),
    stage: z.enum(['upload', 'download']),
    done: count('Bytes.'),
    // Null when the length of a download is unknown.
    total: z.number().nullable(),
  }),
  z.object({ type: z.literal('submitted'), renderId: z.string(), status }),
  // After each status request.
  z.object({
    type: z.literal('status'),
    renderId: z.string(),
    status,
    progress: z.number().describe('From 0 to 1.'),
    elapsedMs: count('Milliseconds.'),
  }),
  // After a temporary error.
  z.object({
    type: z.literal('retry'),
    stage: z.enum(['wait', 'download']),
    message: z.string(),
    inMs: count('Milliseconds.'),
  }),
  z.object({ type: z.literal('done'), renderId: z.string(), status, output: z.string().nullable() }),
]);
export type CloudEvent = z.infer<typeof cloudEventSchema>;
export type CloudStage = Extract<CloudEvent, { type: 'stage' }>['stage'];
export type OnCloudEvent = (event: CloudEvent) => void;
