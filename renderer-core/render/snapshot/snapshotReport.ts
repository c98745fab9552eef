// The report of a snapshot.
import { z } from 'zod';
import { engineSchema } from '../../reports/engine.ts';
import { count, path, pixels, seconds } from '../../reports/reportFields.ts';
import { capturePath, graphicsCard, rate, usedFonts } from '../renderReport.ts';

export const snapshotReportSchema = z.object({
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
  capture: z.object({ path: capturePath, reason: z.string(), card: graphicsCard }),
  engine: engineSchema,
  fonts: usedFonts,
  elapsedMs: count('Milliseconds.'),
  warnings: z.array(z.string()),
});
export type SnapshotReport = z.infer<typeof snapshotReportSchema>;
/** An image that was written. */
export type SnapshotPicture = SnapshotReport['pictures'][number];
