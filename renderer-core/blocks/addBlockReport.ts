// What `framework add` reports.
import { z } from 'zod';
import { path, seconds } from '../reports/reportFields.ts';

export const addedBlockSchema = z.object({
  block: z.string().describe('Name of the block.'),
  composition: path('Absolute path of the changed composition.'),
  file: path('Absolute path of the file of the block.'),
  created: z.boolean().describe('Whether the file is new. Otherwise the project had the same file already.'),
  id: z.string().describe('ID of the inserted element.'),
  start: seconds,
  duration: seconds,
  track: z.number(),
  compositionDuration: z.number().nullable().describe('New duration of the composition; null if it did not change.'),
});
export type AddedBlock = z.infer<typeof addedBlockSchema>;
