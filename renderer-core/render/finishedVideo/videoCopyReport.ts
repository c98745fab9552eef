// The report of a copy of a video.
import { z } from 'zod';
import { count, path } from '../../reports/reportFields.ts';

export const videoCopyReportSchema = z.object({
  output: path('Absolute path.')
    .nullable()
    .describe('Absolute path; null for a video without sound, which is not copied.'),
  bytes: count('Size of the copy.'),
});
export type VideoCopyReport = z.infer<typeof videoCopyReportSchema>;
