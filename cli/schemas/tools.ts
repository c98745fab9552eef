// Schemas of the output of `new`, `add`, `preview` and `setup`.
import { z } from 'zod';
import { count, path } from '../../renderer-core/reports/reportFields.ts';
import { setUpEventSchema, setupPart } from '../../renderer-core/setup/setupReport.ts';
import { errorEvent } from './errors.ts';

export const examples = z
  .object({
    examples: z.array(
      z.object({
        name: z.string(),
        title: z.string(),
        description: z.string(),
        shape: z.string().describe('For people.'),
      }),
    ),
  })
  .describe('With --list.');

export const blocks = z
  .object({
    blocks: z.array(z.object({ name: z.string(), title: z.string(), description: z.string() })),
  })
  .describe('With --list, or without a block.');

export const preview = z.object({
  url: z.string().describe('Address of the preview page on this machine.'),
  root: path('Absolute path of the project folder.'),
  composition: z.string().nullable().describe('Path relative to root.'),
});

export const setUpRemoval = z
  .object({
    folder: path('Folder of the programs.'),
    removed: z.array(z.object({ program: setupPart, version: z.string(), bytes: count('Size on disk.') })),
    bytes: count('Total size.'),
  })
  .describe('With --remove.');

export const setUpEvents = z.union([setUpEventSchema, errorEvent]);
