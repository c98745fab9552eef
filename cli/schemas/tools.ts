// What `new`, `preview` and `setup` print.
import { z } from 'zod';
import type { NewProject } from '../project/newProject.ts';
import type { SetUpReport } from '../render/setUp.ts';
import { programs } from '../setup/builds.ts';
import type { SetUpEvent } from '../setup/install.ts';
import { count, errorEvent, of, path } from './shared.ts';

export const newProject = of<NewProject>()(
  z.object({
    example: z.string().describe('What it was made from.'),
    folder: path('Absolute.'),
    open: path('Absolute path of the file to open first.'),
    files: z.array(z.string()).describe('What was made.'),
  }),
);
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
  .describe('Of --list.');

export const preview = z.object({
  url: z.string().describe('Of the page, on this machine.'),
  root: path('Absolute path of the project folder.'),
  composition: z.string().nullable().describe('Relative to it.'),
});

const program = z.enum(programs);

export const setUpReport = of<SetUpReport>()(
  z.object({
    folder: path('Where programs are put.'),
    programs: z.array(
      z.object({
        program,
        status: z.enum(['present', 'downloaded', 'planned']).describe('planned: of --dry-run.'),
        name: z.string(),
        path: z.string().nullable(),
        source: z.string().nullable().describe('Where a present one comes from.'),
        bytes: count('To download.'),
        diskBytes: count('On the disk.'),
      }),
    ),
    elapsedMs: count('Milliseconds.'),
  }),
);
export const setUpRemoval = z
  .object({
    folder: path('Where programs are put.'),
    removed: z.array(z.object({ program, version: z.string(), bytes: count('On the disk.') })),
    bytes: count('Of all of them.'),
  })
  .describe('Of --remove.');

export const setUpEvents = z.union([
  of<SetUpEvent>()(
    z.discriminatedUnion('type', [
      z.object({ type: z.literal('stage'), message: z.string() }),
      z.object({
        type: z.literal('download'),
        program,
        name: z.string(),
        doneBytes: count('So far.'),
        totalBytes: z.number().nullable(),
        remainingSeconds: z.number().nullable(),
      }),
    ]),
  ),
  errorEvent,
]);
