// Schemas of the output of `render` and `snapshot`.
import { z } from 'zod';
import { renderPlanSchema } from '../../renderer-core/plan/renderPlan.ts';
import {
  batchEventSchema,
  batchReportSchema,
  batchResultSchema,
  batchWarningSchema,
} from '../../renderer-core/render/batch/batchReport.ts';
import { rowProblemFields, rowStatusSchema, size } from '../../renderer-core/render/batch/manifestFile.ts';
import { captureEvents, renderEventSchema, renderReportSchema } from '../../renderer-core/render/renderReport.ts';
import { count, maybe, path, values } from '../../renderer-core/reports/reportFields.ts';
import { errorEvent } from './errors.ts';

export const dryRun = z.object({ plan: renderPlanSchema, warnings: z.array(z.string()) }).describe('With --dry-run.');

export const sizesOutput = z.object({ videos: z.array(renderReportSchema) }).describe('With --all-sizes.');

export const sizesDryRun = z
  .object({ videos: z.array(z.object({ plan: renderPlanSchema, warnings: z.array(z.string()) })) })
  .describe('With --all-sizes and --dry-run.');

export const batchOutput = z
  .object({ ...batchReportSchema.shape, rows: z.array(batchResultSchema) })
  .describe('With --batch.');

export const batchDryRun = z
  .object({
    manifest: path('Absolute path.'),
    total: count('Rows.'),
    estimatedBytes: count('Estimated maximum size of all outputs.'),
    warnings: z.array(batchWarningSchema),
    rows: z.array(
      z.object({
        index: count('From 0.'),
        size,
        output: path('Absolute path.'),
        status: rowStatusSchema,
        ...rowProblemFields,
        reason: maybe(z.string().describe('With --resume: why the row is not kept from the earlier run.')),
        variables: values,
      }),
    ),
  })
  .describe('With --batch and --dry-run.');

export const renderEvents = z.union([renderEventSchema, errorEvent]);
export const batchEvents = z.union([batchEventSchema, errorEvent]);
export const snapshotEvents = z.union([z.discriminatedUnion('type', captureEvents), errorEvent]);

export const rows = z
  .union([z.array(values), z.object({ rows: z.array(values) })])
  .describe('Each row is an object of values by variable id, and of values for placeholders of the output path.');
