// The contents of manifest.json, next to the outputs of a batch.
import { z } from 'zod';
import { valueIssueSchema } from '../../model/variables/valueIssue.ts';
import { engineSchema } from '../../reports/engine.ts';
import { sourceLocationSchema } from '../../reports/errorJson.ts';
import { count, maybe, path, values } from '../../reports/reportFields.ts';

export const rowErrorSchema = z.object({ code: z.string(), message: z.string(), hint: maybe(z.string()) });
export type RowError = z.infer<typeof rowErrorSchema>;

export const rowStatusSchema = z.enum(['pending', 'running', 'completed', 'failed', 'skipped']);
export type RowStatus = z.infer<typeof rowStatusSchema>;

export const recordedFileSchema = z.object({
  path: path('Relative to the project folder.'),
  sha256: z
    .string()
    .nullable()
    .describe('In hex; null if the file did not exist, empty if it changed while the row was rendered.'),
});
export type RecordedFile = z.infer<typeof recordedFileSchema>;

const rowWarningSchema = z.object({
  message: z.string(),
  // In the batch file, or in the composition that gets the value.
  place: maybe(sourceLocationSchema),
  issue: maybe(valueIssueSchema),
});

/** What is wrong with the values of a row. */
export const rowProblemFields = {
  warnings: maybe(z.array(rowWarningSchema)).describe('Problems of the row that were found before it was rendered.'),
  usedDefaults: maybe(z.array(z.string())).describe(
    'Ids of the variables whose values do not fit, so that the video has their defaults.',
  ),
};

export const size = maybe(z.string()).describe(
  'With --all-sizes: the layout, such as 1080x1920. A row is listed once for each.',
);

const manifestRowSchema = z.object({
  index: count('From 0, in the order of the batch.'),
  size,
  output: path('Absolute path.'),
  status: rowStatusSchema,
  durationMs: z.number().nullable().describe('Duration of the video.'),
  renderTimeMs: z.number().nullable().describe('Duration of the render.'),
  // A later run compares the size, to see whether the file is unchanged.
  bytes: z.number().nullable(),
  error: rowErrorSchema.nullable(),
  startedAt: z.string().nullable().describe('ISO 8601, UTC.'),
  completedAt: z.string().nullable().describe('ISO 8601, UTC.'),
  variables: values,
  ...rowProblemFields,
  engine: maybe(engineSchema),
  inputs: z
    .object({
      options: z.string().describe('Hash of the options that change the frames.'),
      files: z.array(count('Index in the list of files.')).describe('The files that a completed row has read.'),
    })
    .describe('If an input changes, --resume renders the row again.'),
});

export const manifestCounts = {
  total: count('Rows, once for each size.'),
  completed: count('Completed rows.'),
  failed: count('Rows that failed.'),
  skipped: count('Rows that were not started.'),
};

export const manifestFileSchema = z.object({
  version: z.literal(1),
  batch: z
    .string()
    .nullable()
    .describe('Absolute path of the file with the rows; null if the rows were given as values.'),
  ...manifestCounts,
  rows: z.array(manifestRowSchema),
  files: z.array(recordedFileSchema),
});
export type ManifestFile = z.infer<typeof manifestFileSchema>;
export type ManifestRow = ManifestFile['rows'][number];
export type ManifestCounts = Pick<ManifestFile, 'total' | 'completed' | 'failed' | 'skipped'>;
