// Schemas of the output of `new`, `preview` and `setup`.
import { z } from 'zod';
import type { SetUpReport } from '../../renderer-core/doctor/installMissing.ts';
import type { NewProject } from '../../renderer-core/project/newProject.ts';
import { programs } from '../../renderer-core/setup/builds.ts';
import type { SetupEvent } from '../../renderer-core/setup/install.ts';
import { count, errorEvent, of, path } from './sharedSchemas.ts';

export const newProject = of<NewProject>()(
  z.object({
    example: z.string().describe('Name of the example.'),
    folder: path('Absolute path.'),
    open: path('Absolute path of the file to open first.'),
    files: z.array(z.string()).describe('Created files.'),
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
  .describe('With --list.');

export const preview = z.object({
  url: z.string().describe('Address of the preview page on this machine.'),
  root: path('Absolute path of the project folder.'),
  composition: z.string().nullable().describe('Path relative to root.'),
});

const program = z.enum(programs);

export const setUpReport = of<SetUpReport>()(
  z.object({
    folder: path('Folder of the programs.'),
    programs: z.array(
      z.object({
        program,
        status: z.enum(['present', 'downloaded', 'planned']).describe('planned: with --dry-run.'),
        name: z.string(),
        path: z.string().nullable(),
        source: z.string().nullable().describe('Where an installed program was found.'),
        bytes: count('Size of the download.'),
        diskBytes: count('Size on disk.'),
      }),
    ),
    elapsedMs: count('Milliseconds.'),
  }),
);
export const setUpRemoval = z
  .object({
    folder: path('Folder of the programs.'),
    removed: z.array(z.object({ program, version: z.string(), bytes: count('Size on disk.') })),
    bytes: count('Total size.'),
  })
  .describe('With --remove.');

export const setUpEvents = z.union([
  of<SetupEvent>()(
    z.discriminatedUnion('type', [
      z.object({ type: z.literal('stage'), message: z.string() }),
      z.object({
        type: z.literal('download'),
        program,
        name: z.string(),
        doneBytes: count('Downloaded bytes.'),
        totalBytes: z.number().nullable(),
        remainingSeconds: z.number().nullable(),
      }),
    ]),
  ),
  errorEvent,
]);
