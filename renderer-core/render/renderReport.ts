// The report of a render, and its progress events. `--json` and `--progress=ndjson` print them.
import { z } from 'zod';
import { valueIssueSchema } from '../model/variables/valueIssue.ts';
import { engineSchema } from '../reports/engine.ts';
import { count, maybe, path, pixels, seconds, stageEvent } from '../reports/reportFields.ts';

export const rate = z.string().describe('Frames per second: 30, or 30000/1001.');
export const capturePath = z.enum(['paint', 'screenshot']);

export const graphicsCard = z
  .string()
  .nullable()
  .describe('The graphics card that drew, so that frames may differ on other machines; null if software did.');

export const usedFonts = z
  .array(
    z.object({
      family: z.string().describe('The name under which the composition uses it.'),
      weights: z.array(z.string()).describe('Weights of the faces, such as 400 or 100 900.'),
      source: z
        .enum(['composition', 'project', 'pinned'])
        .describe('An @font-face rule of the page, a font sheet of the project, or the fonts of the product.'),
      substitute: z.string().nullable().describe('The pinned family that replaces a system font.'),
    }),
  )
  .nullable()
  .describe('The fonts of the text; null with the fonts of the machine.');

export const renderReportSchema = z
  .object({
    output: path('Absolute path of the video, or of the folder of an HLS stream or of frames.'),
    captions: maybe(path('Absolute path of the file of captions, if there is one.')),
    frames: count('Number of frames.'),
    fps: rate,
    width: pixels,
    height: pixels,
    durationSeconds: seconds,
    posterSeconds: maybe(count('Time of data-poster-time in the video, if the video shows it.')),
    bytes: count('Size of the output.'),
    elapsedMs: count('Duration of the render, in milliseconds.'),
    firstFrameMs: count('From the call to the first captured frame, in milliseconds.'),
    capture: z.object({
      path: capturePath,
      reason: z.string(),
      card: graphicsCard,
      directFrames: count('Number of frames with a video that did not pass through the page.'),
    }),
    engine: engineSchema,
    resumedFrames: maybe(
      count('Number of frames that an interrupted render had finished, if this one has continued it.'),
    ),
    workers: z.object({ count: count('Number of pages that captured.'), reason: z.string() }),
    fonts: usedFonts,
    warnings: z.array(z.string()),
  })
  .meta({ id: 'RenderReport', description: 'The report of a finished render.' });
export type RenderReport = z.infer<typeof renderReportSchema>;

const share = z.number().describe('Share of the whole render that is done, from 0 to 1, with mixing and joining.');
const remainingSeconds = z
  .number()
  .nullable()
  .describe('Until the end of the render, with mixing and joining; null while unknown.');

const framesEvent = z
  .object({
    type: z.literal('frames'),
    done: count('Captured frames; starts again from 0 if the capture restarts.'),
    total: count('Frames.'),
    fraction: share,
    framesPerSecond: count('Average of the last seconds.'),
    remainingSeconds,
  })
  .describe('Progress of the capture, at most ten times per second.');

const assembleEvent = z
  .object({ type: z.literal('assemble'), fraction: share, remainingSeconds })
  .describe('Progress of mixing the sound and joining the video, at most ten times per second.');

/** The events before the end, which snapshots also have. */
export const captureEvents = [
  stageEvent(['check', 'launch', 'probe', 'capture', 'assemble']),
  z.object({ type: z.literal('warning'), message: z.string(), issue: maybe(valueIssueSchema) }),
  framesEvent,
] as const;

export const renderEventSchema = z.discriminatedUnion('type', [
  ...captureEvents,
  assembleEvent,
  z.object({ type: z.literal('done'), report: renderReportSchema }),
]);
/** Progress of a render. */
export type RenderEvent = z.infer<typeof renderEventSchema>;
