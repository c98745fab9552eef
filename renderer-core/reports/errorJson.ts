// An error as `--json` prints it.
import { z } from 'zod';
import { count, maybe, path } from './reportFields.ts';

export const sourceLocationSchema = z
  .object({
    file: path('Relative to the project folder, or absolute.'),
    line: maybe(count('From 1.')),
    column: maybe(count('From 1, in UTF-16 units.')),
  })
  .meta({ id: 'Place', description: 'A location in a file.' });
export type SourceLocation = z.infer<typeof sourceLocationSchema>;

const errorProblemSchema = z.object({
  message: z.string(),
  row: maybe(count('From 0.')),
  place: maybe(sourceLocationSchema),
});

export const errorSchema = z
  .object({
    code: z.string().describe('For programs, such as asset_missing.'),
    message: z.string().describe('What is wrong, for people.'),
    hint: maybe(z.string().describe('What to do.')),
    place: maybe(sourceLocationSchema),
    problems: maybe(z.array(errorProblemSchema).describe('All problems, if the message is only a summary.')),
    details: maybe(
      z
        .record(z.string(), z.union([z.string(), z.number(), z.null()]))
        .describe('Facts by name, such as the render_id of a render that continues.'),
    ),
  })
  .meta({ id: 'Error', description: 'The reason why a command failed.' });
export type ErrorJson = z.infer<typeof errorSchema>;
/** One of several problems. `row` is set for problems of a batch row. */
export type ErrorProblem = NonNullable<ErrorJson['problems']>[number];
