// The report of a thumbnail.
import { z } from 'zod';
import { count, path, pixels, seconds } from '../../reports/reportFields.ts';

export const thumbnailReportSchema = z.object({
  output: path('Absolute path.'),
  bytes: count('Size of the file.'),
  width: pixels,
  height: pixels,
  seconds: count('Time of the frame in the video, in seconds.'),
  durationSeconds: seconds,
});
export type ThumbnailReport = z.infer<typeof thumbnailReportSchema>;
