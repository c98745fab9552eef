// What `render`, its batches and `snapshot` print, and the manifest of a batch.
import { z } from 'zod';
import type { ValueIssue } from '../model/values.ts';
import { codecs, formats, qualities } from '../plan/formats.ts';
import type { RenderPlan } from '../plan/plan.ts';
import type { ManifestFile } from '../render/manifest.ts';
import type { BatchEvent, BatchReport } from '../render/renderBatch.ts';
import type { RenderEvent, RenderReport } from '../render/renderVideo.ts';
import type { SnapshotReport } from '../render/snapshot.ts';
import { count, errorEvent, maybe, of, path, seconds, stageEvent, values } from './shared.ts';

const rate = z.string().describe('Frames per second: 30, or 30000/1001.');
const captured = z.enum(['paint', 'screenshot']);
const pixels = count('Pixels.');

export const renderReport = of<RenderReport>()(
  z.object({
    output: path('Absolute path of the video, or of the folder of frames.'),
    frames: count('How many.'),
    fps: rate,
    width: pixels,
    height: pixels,
    durationSeconds: seconds,
    bytes: count('Size of the output.'),
    elapsedMs: count('How long it took, in milliseconds.'),
    firstFrameMs: count('From the call to the first captured frame, in milliseconds.'),
    capture: z.object({
      path: captured,
      reason: z.string(),
      directFrames: count('In so many frames, footage came straight from its decoder.'),
    }),
    workers: z.object({ count: count('Pages that captured.'), reason: z.string() }),
    warnings: z.array(z.string()),
  }),
).meta({ id: 'RenderReport', description: 'A render that is done.' });

export const renderPlan = of<RenderPlan>()(
  z.object({
    version: z.literal(1),
    composition: path('Relative to the project folder.'),
    variables: values.describe('Those that were given, over the declared defaults.'),
    width: pixels,
    height: pixels,
    page: z
      .object({ width: pixels, height: pixels, zoom: count('Pixels of the video for one of the composition.') })
      .describe("The composition's own size."),
    fps: z
      .object({ num: count('Numerator.'), den: count('Denominator.') })
      .describe('Frames per second, in lowest terms.'),
    duration: seconds,
    frames: count('How many.'),
    chunks: z.array(z.object({ index: count('From 0.'), start: count('First frame.'), end: count('After the last.') })),
    format: z.enum(formats),
    codec: z.enum(codecs).nullable(),
    quality: z.enum(qualities),
    hdr: z.boolean(),
    seed: z.number().describe('What Math.random starts from in the page.'),
    epochMs: z.number().describe('What Date starts from in the page, in Unix milliseconds.'),
    output: path('As it was given, or the default.'),
  }),
).meta({ id: 'RenderPlan', description: 'What a render would do.' });

export const dryRun = z.object({ plan: renderPlan, warnings: z.array(z.string()) }).describe('Of --dry-run.');

const rowError = z.object({ code: z.string(), message: z.string(), hint: maybe(z.string()) });
const rowStatus = z.enum(['pending', 'running', 'completed', 'failed', 'skipped']);
const warnings = z.array(z.object({ message: z.string(), row: maybe(count('From 0.')) }));
const counts = {
  total: count('Rows.'),
  completed: count('Rows with a whole output.'),
  failed: count('Rows that failed.'),
  skipped: count('Rows that were not begun.'),
};

const batchReport = {
  ...counts,
  manifest: path('Absolute path of manifest.json.'),
  resumed: count('Rows that an earlier run had completed.'),
  elapsedMs: count('Milliseconds.'),
  warnings,
};
const report = of<BatchReport>()(z.object(batchReport)).meta({ id: 'BatchReport' });

export const batchAnswer = z
  .object({
    ...batchReport,
    rows: z.array(
      z.discriminatedUnion('status', [
        z.object({
          status: z.literal('completed'),
          index: count('From 0.'),
          output: path('Absolute.'),
          report: renderReport,
        }),
        z.object({ status: z.literal('failed'), index: count('From 0.'), output: path('Absolute.'), error: rowError }),
      ]),
    ),
  })
  .describe('Of --batch.');

export const batchDryRun = z
  .object({
    manifest: path('Absolute.'),
    total: count('Rows.'),
    estimatedBytes: count('What the outputs take at most, about.'),
    warnings,
    rows: z.array(
      z.object({ index: count('From 0.'), output: path('Absolute.'), status: rowStatus, variables: values }),
    ),
  })
  .describe('Of --batch with --dry-run.');

export const manifest = of<ManifestFile>()(
  z.object({
    version: z.literal(1),
    batch: z
      .string()
      .nullable()
      .describe('Absolute path of the file with the rows; null where they were given as values.'),
    ...counts,
    rows: z.array(
      z.object({
        index: count('From 0, in the order of the batch.'),
        output: path('Absolute.'),
        status: rowStatus,
        durationMs: z.number().nullable().describe('Length of the video.'),
        renderTimeMs: z.number().nullable().describe('How long it took to render.'),
        bytes: z.number().nullable(),
        error: rowError.nullable() as z.ZodType<ManifestFile['rows'][number]['error']>,
        startedAt: z.string().nullable().describe('ISO 8601, UTC.'),
        completedAt: z.string().nullable().describe('ISO 8601, UTC.'),
        variables: values,
        inputs: z.string().describe('Hash of project, values and options: a row of other inputs is rendered again.'),
      }),
    ),
  }),
);

const issue = of<ValueIssue>()(
  z.object({
    kind: z.enum(['undeclared', 'type-mismatch', 'enum-out-of-range']),
    id: z.string().describe('Of the variable.'),
    message: z.string(),
    expected: maybe(z.string()),
    given: z.string().describe('The value in a short form.'),
  }),
);

const stages = ['check', 'launch', 'probe', 'capture', 'assemble'] as const;

const frames = z
  .object({
    type: z.literal('frames'),
    done: count('Frames; from 0 again when the capture begins anew.'),
    total: count('Frames.'),
    framesPerSecond: count('Of the last seconds.'),
    remainingSeconds: z.number().nullable(),
  })
  .describe('How far the capture is; at most ten times a second.');

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
        output: path('Absolute.'),
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
        output: path('Absolute.'),
        bytes: count('Size of the file.'),
        width: pixels,
        height: pixels,
        frames: z.array(z.object({ frame: count('From 0.'), seconds })).describe('One, or those of the sheet.'),
      }),
    ),
    frames: count('Of the whole video.'),
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
  .describe('Each row is an object of values by the id of the variable, and of what placeholders of the output take.');
