// What `framework setup` reports, and its progress events.
import { z } from 'zod';
import { count, path } from '../reports/reportFields.ts';
import { setupParts } from './builds.ts';

export const setupPart = z.enum(setupParts);

export const setUpReportSchema = z.object({
  folder: path('Folder of the programs.'),
  programs: z.array(
    z.object({
      program: setupPart,
      status: z.enum(['present', 'downloaded', 'planned']).describe('planned: with --dry-run.'),
      name: z.string(),
      path: z.string().nullable(),
      source: z.string().nullable().describe('Where an installed program was found.'),
      bytes: count('Size of the download.'),
      diskBytes: count('Size on disk.'),
    }),
  ),
  elapsedMs: count('Milliseconds.'),
});
export type SetUpReport = z.infer<typeof setUpReportSchema>;
export type SetUpRow = SetUpReport['programs'][number];

export const setUpEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('stage'), message: z.string() }),
  z.object({
    type: z.literal('download'),
    program: setupPart,
    name: z.string(),
    doneBytes: count('Downloaded bytes.'),
    // Null while they are unknown.
    totalBytes: z.number().nullable(),
    remainingSeconds: z.number().nullable(),
  }),
]);
export type SetupEvent = z.infer<typeof setUpEventSchema>;
