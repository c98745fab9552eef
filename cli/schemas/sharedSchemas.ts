// Schemas that several commands share: errors, locations, warnings.
import { z } from 'zod';
import type { ErrorJson, SourceLocation } from '../../renderer-core/errors.ts';

/** A field that may be absent. */
export const maybe = <T extends z.ZodType>(schema: T) => z.exactOptional(schema);

type KeysOf<T> = T extends unknown ? keyof T : never;

/**
 * Ties a schema to the type of the printed value: a field of the wrong type, or a field of the type that the schema lacks,
 * does not compile.
 */
export const of =
  <T>() =>
  <S extends z.ZodType<T>>(schema: KeysOf<T> extends KeysOf<z.output<S>> ? S : never): S =>
    schema;

export const count = (what: string) => z.number().min(0).describe(what);
export const path = (what: string) => z.string().describe(what);
export const values = z.record(z.string(), z.unknown());
export const seconds = count('Seconds.');

export const place = of<SourceLocation>()(
  z.object({
    file: path('Relative to the project folder, or absolute.'),
    line: maybe(count('From 1.')),
    column: maybe(count('From 1, in UTF-16 units.')),
  }),
).meta({ id: 'Place', description: 'A location in a file.' });

export const error = of<ErrorJson>()(
  z.object({
    code: z.string().describe('For programs, such as asset_missing.'),
    message: z.string().describe('What is wrong, for people.'),
    hint: maybe(z.string().describe('What to do.')),
    place: maybe(place),
    problems: maybe(
      z
        .array(z.object({ message: z.string(), row: maybe(count('From 0.')), place: maybe(place) }))
        .describe('All problems, if the message is only a summary.'),
    ),
    details: maybe(
      z
        .record(z.string(), z.union([z.string(), z.number(), z.null()]))
        .describe('Facts by name, such as the render_id of a render that continues.'),
    ),
  }),
).meta({ id: 'Error', description: 'The reason why a command failed.' });

export const failed = z.object({ error }).meta({ id: 'Failed', description: 'The output of a command that fails.' });

/** The last line of `--progress=ndjson` if the command fails. */
export const errorEvent = z
  .object({ type: z.literal('error'), error })
  .describe('The command failed. This is the last line.');

export const warningEvent = z.object({ type: z.literal('warning'), message: z.string() });

export const stageEvent = <const Stages extends readonly [string, ...string[]]>(stages: Stages) =>
  z
    .object({ type: z.literal('stage'), stage: z.enum(stages), message: z.string().describe('For people.') })
    .describe('The next stage begins.');
