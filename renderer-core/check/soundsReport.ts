// The report of `framework sounds`.
import { z } from 'zod';
import { count, maybe, path, seconds } from '../reports/reportFields.ts';
import { soundFactsSchema } from './checkReport.ts';

export const listedSoundSchema = z.object({
  name: z.string().describe('The element, such as <audio id="music">.'),
  file: z.string().describe('Relative to the project folder, if the file is in it.'),
  start: seconds.describe('When it begins in the video.'),
  end: seconds.describe('When it ends in the video.'),
  ...soundFactsSchema.shape,
});
export type ListedSound = z.infer<typeof listedSoundSchema>;

export const soundsReportSchema = z
  .object({
    composition: z.string(),
    durationSeconds: seconds,
    sounds: z.array(listedSoundSchema).describe('In the order of their starts, with volume, fades and ducking.'),
    mix: soundFactsSchema.describe('The finished sound.'),
    image: maybe(path('Absolute path of the image.')),
    elapsedMs: count('Milliseconds.'),
    warnings: z.array(z.string()),
  })
  .meta({ id: 'SoundsReport', description: 'The sounds of a video.' });
export type SoundsReport = z.infer<typeof soundsReportSchema>;
