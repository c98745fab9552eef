// Schemas of the output of `render` and `snapshot`, and of the manifest of a batch.
import { z } from 'zod';
import type { ValueIssue } from '../../renderer-core/model/values.ts';
import { codecs, formats, qualities } from '../../renderer-core/plan/formats.ts';
import type { RenderPlan } from '../../renderer-core/plan/plan.ts';
import type { BatchEvent, BatchReport } from '../../renderer-core/render/batch/batchTypes.ts';
import type { ManifestFile } from '../../renderer-core/render/batch/manifest.ts';
import type { SnapshotReport } from '../../renderer-core/render/snapshot/takeSnapshot.ts';
import type { RenderEvent, RenderReport } from '../../renderer-core/render/types.ts';
import { count, errorEvent, maybe, of, path, seconds, stageEvent, values } from './sharedSchemas.ts';

const rate = z.string().describe('Frames per second: 30, or 30000/1001.');
const captured = z.enum(['paint', 'screenshot']);
const pixels = count('Pixels.');

export const renderReport = of<RenderReport>()(
  z.object({
    output: path('Absolute path of the video, or of the folder of frames.'),
    frames: count('Number of frames.'),
    fps: rate,
    width: pixels,
    height: pixels,
    durationSeconds: seconds,
    bytes: count('Size of the output.'),
    elapsedMs: count('Duration of the render, in milliseconds.'),
    firstFrameMs: count('From the call to the first captured frame, in milliseconds.'),
    capture: z.object({
      path: captured,
      reason: z.string(),
      directFrames: count('Number of frames whose footage came directly from its decoder.'),
    }),
    workers: z.object({ count: count('Number of pages that captured.'), reason: z.string() }),
    warnings: z.array(z.string()),
  }),
).meta({ id: 'RenderReport', description: 'The report of a finished render.' });

export const renderPlan = of<RenderPlan>()(
  z.object({
    version: z.literal(1),
    composition: path('Relative to the project folder.'),
    variables: values.describe('The given values, without declared defaults.'),
    width: pixels,
    height: pixels,
    page: z
      .object({ width: pixels, height: pixels, zoom: count('Pixels of the video per pixel of the composition.') })
      .describe("The composition's own size."),
    fps: z
      .object({ num: count('Numerator.'), den: count('Denominator.') })
      .describe('Frames per second, in lowest terms.'),
    duration: seconds,
    frames: count('Number of frames.'),
    chunks: z.array(
      z.object({ index: count('From 0.'), start: count('First frame.'), end: count('Last frame, exclusive.') }),
    ),
    format: z.enum(formats),
    codec: z.enum(codecs).nullable(),
    quality: z.enum(qualities),
    hdr: z.boolean(),
    seed: z.number().describe('Seed of Math.random in the page.'),
    epochMs: z.number().describe('Start time of Date in the page, in Unix milliseconds.'),
    output: path('The given path, or the default.'),
  }),
).meta({ id: 'RenderPlan', description: 'The plan of a render.' });

export const dryRun = z.object({ plan: renderPlan, warnings: z.array(z.string()) }).describe('With --dry-run.');

const rowError = z.object({ code: z.string(), message: z.string(), hint: maybe(z.string()) });
const rowStatus = z.enum(['pending', 'running', 'completed', 'failed', 'skipped']);
const warnings = z.array(z.object({ message: z.string(), row: maybe(count('From 0.')) }));
const counts = {
  total: count('Rows.'),
  completed: count('Completed rows.'),
  failed: count('Rows that failed.'),
  skipped: count('Rows that were not started.'),
};

const batchReport = {
  ...counts,
  manifest: path('Absolute path of manifest.json.'),
  resumed: count('Rows completed by an earlier run.'),
  elapsedMs: count('Milliseconds.'),
  warnings,
};
const report = of<BatchReport>()(z.object(batchReport)).meta({ id: 'BatchReport' });

export const batchOutput = z
  .object({
    ...batchReport,
    rows: z.array(
      z.discriminatedUnion('status', [
        z.object({
          status: z.literal('completed'),
          index: count('From 0.'),
          output: path('Absolute path.'),
          report: renderReport,
        }),
        z.object({
          status: z.literal('failed'),
          index: count('From 0.'),
          output: path('Absolute path.'),
          error: rowError,
        }),
      ]),
    ),
  })
  .describe('With --batch.');

export const batchDryRun = z
  .object({
    manifest: path('Absolute path.'),
    total: count('Rows.'),
    estimatedBytes: count('Estimated maximum size of all outputs.'),
    warnings,
    rows: z.array(
      z.object({ index: count('From 0.'), output: path('Absolute path.'), status: rowStatus, variables: values }),
    ),
  })
  .describe('With --batch and --dry-run.');

export const manifest = of<ManifestFile>()(
  z.object({
    version: z.literal(1),
    batch: z
      .string()
      .nullable()
      .describe('Absolute path of the file with the rows; null if the rows were given as values.'),
    ...counts,
    rows: z.array(
      z.object({
        index: count('From 0, in the order of the batch.'),
        output: path('Absolute path.'),
        status: rowStatus,
        durationMs: z.number().nullable().describe('Duration of the video.'),
        renderTimeMs: z.number().nullable().describe('Duration of the render.'),
        bytes: z.number().nullable(),
        error: rowError.nullable() as z.ZodType<ManifestFile['rows'][number]['error']>,
        startedAt: z.string().nullable().describe('ISO 8601, UTC.'),
        completedAt: z.string().nullable().describe('ISO 8601, UTC.'),
        variables: values,
        inputs: z.string().describe('Hash of project, values and options. If it changes, the row is rendered again.'),
      }),
    ),
  }),
);

const issue = of<ValueIssue>()(
  z.object({
    kind: z.enum(['undeclared', 'type-mismatch', 'enum-out-of-range']),
    id: z.string().describe('Variable id.'),
    message: z.string(),
    expected: maybe(z.string()),
    given: z.string().describe('The value, shortened.'),
  }),
);

const stages = ['check', 'launch', 'probe', 'capture', 'assemble'] as const;

const frames = z
  .object({
    type: z.literal('frames'),
    done: count('Captured frames; starts again from 0 if the capture restarts.'),
    total: count('Frames.'),
    framesPerSecond: count('Average of the last seconds.'),
    remainingSeconds: z.number().nullable(),
  })
  .describe('Progress of the capture, at most ten times per second.');

export const renderEvents = z.union([
  of<RenderEvent>()(
    z.discriminatedUnion('type', [
      stageEvent(stages),
      z.object({ type: z.literal('warning'), message: z.string(), issue: maybe(issue) }),
      frames,
      z.object({ type: z.literal('done'), report: renderReport }),
    ]),
  ),
  errorEvent,
]);

export const batchEvents = z.union([
  of<BatchEvent>()(
    z.discriminatedUnion('type', [
      stageEvent(['check', 'launch']),
      z.object({ type: z.literal('warning'), message: z.string(), row: maybe(count('From 0.')) }),
      z.object({
        type: z.literal('row'),
        index: count('From 0.'),
        output: path('Absolute path.'),
        status: z.enum(['running', 'completed', 'failed']),
        error: maybe(rowError as z.ZodType<NonNullable<ManifestFile['rows'][number]['error']>>),
      }),
      z.object({
        type: z.literal('rows'),
        total: count('Rows.'),
        completed: count('Rows.'),
        failed: count('Rows.'),
        running: count('Rows.'),
        remainingSeconds: z.number().nullable(),
      }),
      z.object({ type: z.literal('done'), report }),
    ]),
  ),
  errorEvent,
]);

export const snapshotReport = of<SnapshotReport>()(
  z.object({
    pictures: z.array(
      z.object({
        output: path('Absolute path.'),
        bytes: count('Size of the file.'),
        width: pixels,
        height: pixels,
        frames: z
          .array(z.object({ frame: count('From 0.'), seconds }))
          .describe('One frame, or all frames of the contact sheet.'),
      }),
    ),
    frames: count('Number of frames of the whole video.'),
    fps: rate,
    durationSeconds: seconds,
    capture: z.object({ path: captured, reason: z.string() }),
    elapsedMs: count('Milliseconds.'),
    warnings: z.array(z.string()),
  }),
);

export const snapshotEvents = z.union([
  z.discriminatedUnion('type', [
    stageEvent(stages),
    z.object({ type: z.literal('warning'), message: z.string(), issue: maybe(issue) }),
    frames,
  ]),
  errorEvent,
]);

export const rows = z
  .union([z.array(values), z.object({ rows: z.array(values) })])
  .describe('Each row is an object of values by variable id, and of values for placeholders of the output path.');
