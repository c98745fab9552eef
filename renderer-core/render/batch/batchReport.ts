// The report of a batch, the results of its rows, and its progress events.
import { z } from 'zod';
import { valueIssueSchema } from '../../model/variables/valueIssue.ts';
import { sourceLocationSchema } from '../../reports/errorJson.ts';
import { count, maybe, path, stageEvent } from '../../reports/reportFields.ts';
import { renderReportSchema } from '../renderReport.ts';
import { manifestCounts, rowErrorSchema, rowProblemFields, size } from './manifestFile.ts';

const row = maybe(count('From 0.'));

export const batchWarningSchema = z.object({
  message: z.string(),
  row,
  // In the batch file, or in the composition that has the value or the declaration.
  place: maybe(sourceLocationSchema),
  // If a value does not match its declaration.
  issue: maybe(valueIssueSchema),
});
export type BatchWarning = z.infer<typeof batchWarningSchema>;

export const batchReportSchema = z
  .object({
    ...manifestCounts,
    manifest: path('Absolute path of manifest.json.'),
    // They count as completed.
    resumed: count('Rows completed by an earlier run.'),
    usedDefaults: count('Completed rows with values that do not fit, for which defaults were used.'),
    skippedInvalid: count('Rows that were skipped because of values that do not fit. They count as skipped.'),
    elapsedMs: count('Milliseconds.'),
    warnings: z.array(batchWarningSchema),
  })
  .meta({ id: 'BatchReport' });
export type BatchReport = z.infer<typeof batchReportSchema>;

const reason = z.string().describe('Such as: media/a.mp4 changed.');

export const batchResultSchema = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('completed'),
    index: count('From 0.'),
    size,
    output: path('Absolute path.'),
    reason: maybe(reason),
    ...rowProblemFields,
    report: renderReportSchema,
  }),
  z.object({
    status: z.literal('failed'),
    index: count('From 0.'),
    size,
    output: path('Absolute path.'),
    reason: maybe(reason),
    ...rowProblemFields,
    error: rowErrorSchema,
  }),
]);
/** The result of one row. */
export type BatchResult = z.infer<typeof batchResultSchema>;

export const batchEventSchema = z.discriminatedUnion('type', [
  stageEvent(['check', 'launch']),
  z.object({ type: z.literal('warning'), ...batchWarningSchema.shape }),
  z.object({ type: z.literal('note'), ...batchWarningSchema.shape }).describe('What was skipped in the batch file.'),
  z
    .object({ type: z.literal('rerender'), row: count('From 0.'), size, reason })
    .describe('With --resume: why a row is not kept from the earlier run.'),
  z.object({
    type: z.literal('row'),
    index: count('From 0.'),
    size,
    output: path('Absolute path.'),
    status: z.enum(['running', 'completed', 'failed']),
    usedDefaults: rowProblemFields.usedDefaults,
    error: maybe(rowErrorSchema),
  }),
  z.object({
    type: z.literal('rows'),
    total: count('Rows.'),
    completed: count('Rows.'),
    failed: count('Rows.'),
    running: count('Rows.'),
    remainingSeconds: z.number().nullable(),
  }),
  z.object({ type: z.literal('done'), report: batchReportSchema }),
]);
/** Progress of a batch. */
export type BatchEvent = z.infer<typeof batchEventSchema>;
