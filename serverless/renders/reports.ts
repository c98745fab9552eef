// What the `serverless` commands report about sites, estimates and renders.
import { z } from 'zod';
import { capturePath, usedFonts } from '../../renderer-core/render/renderReport.ts';
import { engineSchema } from '../../renderer-core/reports/engine.ts';
import { count, maybe } from '../../renderer-core/reports/reportFields.ts';
import { renderStatuses } from './renderStatuses.ts';

export const siteSchema = z.object({
  siteId: z.string(),
  bucketName: z.string(),
  files: count('Number of files.'),
  bytes: count('Total size.'),
  uploadedFiles: count('Number of files that were not uploaded before.'),
  uploadedBytes: count('Size of these files.'),
});
/** The result of `deploySite`. */
export type SiteUpload = z.infer<typeof siteSchema> & { warnings: string[] };
/** The input of `renderToServerless`. */
export type SiteHandle = Pick<SiteUpload, 'siteId' | 'bucketName' | 'files' | 'bytes'>;

export const uploadEventSchema = z.object({
  type: z.literal('upload'),
  done: count('Bytes.'),
  total: count('Bytes.'),
  bytes: count('Bytes.'),
});
export type SiteEvent = z.infer<typeof uploadEventSchema>;

export const renderHandleSchema = z.object({
  renderId: z.string(),
  executionArn: z.string(),
  bucketName: z.string(),
  outputKey: z.string(),
});
/** A started render. Its progress can be read by `renderId` or `executionArn`. */
export type RenderHandle = z.infer<typeof renderHandleSchema>;

/** Cost and assumptions may get further fields. */
export const estimateSchema = z.object({
  frames: count('Number of frames.'),
  chunks: count('Number of chunks.'),
  framesPerChunk: count('Maximum frames per chunk.'),
  seconds: count('Estimated time if each chunk has a free worker.'),
  shareOfLimit: count("A chunk's share of the time limit of a worker."),
  cost: z.looseObject({ usd: z.number() }).describe('US dollars, by the prices of one region.'),
  assumed: z.record(z.string(), z.unknown()).describe('Assumptions of the estimate.'),
  warnings: z.array(z.string()),
});

export const renderProgressSchema = z
  .object({
    renderId: z.string(),
    executionArn: z.string(),
    status: z.enum(renderStatuses),
    overallProgress: z.number().describe('From 0 to 1.'),
    framesRendered: count('Number of rendered frames.'),
    totalFrames: z.number().nullable(),
    chunks: z.object({ done: count('Finished chunks.'), total: z.number().nullable() }),
    capture: z
      .object({ path: capturePath, reason: z.string() })
      .nullable()
      .describe('How all chunks are captured; null until the render is planned.'),
    engine: engineSchema.nullable(),
    fonts: usedFonts.describe('The fonts of the text; null until the render has succeeded.'),
    workersInvoked: count('Number of invocations.'),
    costs: z.object({ usd: z.number(), estimated: z.literal(true) }),
    timings: z
      .object({
        stages: z.array(
          z.object({
            step: z.enum(['plan', 'chunks', 'assemble']),
            stage: z.string().describe('`wait` is the time until a worker had started.'),
            medianSeconds: z.number(),
            longestSeconds: z.number(),
          }),
        ),
        framesPerSecond: z.number().nullable().describe('Of one worker; the median of finished chunks.'),
        coldWorkers: count('Workers that had not run before.'),
      })
      .nullable()
      .describe('How long the finished steps took; null until the render is planned.'),
    slowestChunk: z
      .object({ index: count('From 0.'), seconds: count('Elapsed seconds.'), shareOfLimit: z.number() })
      .nullable()
      .describe('The slowest chunk, and its share of the time limit of a worker.'),
    outputFile: z
      .object({
        s3Uri: z.string(),
        bytes: count('Size.'),
        url: maybe(z.string()).describe(
          'Downloads the video without credentials for an hour. Only if it was requested.',
        ),
      })
      .nullable(),
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
  })
  .meta({ id: 'RenderProgress', description: 'The progress of a render.' });
export type RenderProgress = z.infer<typeof renderProgressSchema>;
export type RenderError = RenderProgress['errors'][number];

export const listedRenderSchema = z.object({
  renderId: z.string(),
  executionArn: z.string(),
  status: z.enum(renderStatuses),
  startedAt: z.string().describe('ISO 8601.'),
  endedAt: z.string().nullable().describe('ISO 8601.'),
});
/** A render of the last 90 days. */
export type ListedRender = z.infer<typeof listedRenderSchema>;

export const listedSiteSchema = z.object({
  siteId: z.string(),
  files: count('Number of files.'),
  bytes: count('Total size.'),
  uploadedAt: z.string().describe('ISO 8601.'),
});
/** An uploaded project. */
export type ListedSite = z.infer<typeof listedSiteSchema>;

export const entryResultSchema = z.object({
  line: count('Line of the batch file, from 1.'),
  outputKey: z.string(),
  status: z
    .enum(['started', 'failed-to-start', 'would-invoke', 'skipped', 'succeeded', 'failed'])
    .describe('The last two only if the command waits.'),
  usedDefaults: maybe(z.array(z.string())).describe(
    'Ids of the variables whose values do not fit, so that defaults are used.',
  ),
  renderId: maybe(z.string()),
  executionArn: maybe(z.string()),
  inputSha256: maybe(z.string()).describe('Identifies project, options and values of a started render.'),
  output: maybe(z.string()).describe('Absolute path of the downloaded video.'),
  error: maybe(z.object({ code: z.string(), message: z.string() })),
});
/** One row of the manifest of a batch. */
export type EntryResult = z.infer<typeof entryResultSchema>;

export const quotasSchema = z.object({
  concurrency: count('Workers of all functions that may run at the same time.'),
  unreserved: count('Workers that are not reserved for a function.'),
  memoryMb: count('Maximum memory of a worker in MB; assumed, because AWS does not report it.'),
});
/** The quotas of an account in a region. */
export type Quotas = z.infer<typeof quotasSchema>;

export const quotaRequestSchema = z.object({
  concurrency: count('Requested number of concurrent workers.'),
  status: z.string().describe('As AWS reports it: `PENDING`, `CASE_OPENED`, `APPROVED`, `DENIED`, ...'),
  requestedAt: z.string().nullable().describe('ISO 8601.'),
});
/** A request for more concurrent workers. */
export type QuotaRequest = z.infer<typeof quotaRequestSchema>;

/** What a worker needs for 1920x1080, measured by the test video of a deployment. */
export const measuredSchema = z.object({
  measuredAt: z.string().describe('ISO 8601.'),
  memoryMb: count('Memory of a worker in MB.'),
  chunksAtOnce: count('Chunks of one render that are rendered at the same time.'),
  capturePath,
  framesPerSecond: z.number().describe('Of one worker.'),
  coldStartSeconds: z.number().describe('From the end of the plan step to the first frame of a new worker.'),
  planSeconds: z.number(),
  assembleSeconds: z.number(),
});
export type Measured = z.infer<typeof measuredSchema>;

const canaryChecks = ['upload', 'workflow', 'browser', 'fonts', 'ffmpeg', 'storage'] as const;
export type CanaryCheck = (typeof canaryChecks)[number];

export const canarySchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), renderId: z.string(), measured: measuredSchema }),
  z.object({
    ok: z.literal(false),
    check: z.enum(canaryChecks).describe('What failed.'),
    message: z.string(),
    hint: z.string(),
    renderId: z.string().nullable(),
  }),
]);
/** The result of the test video of a deployment. */
export type Canary = z.infer<typeof canarySchema>;
