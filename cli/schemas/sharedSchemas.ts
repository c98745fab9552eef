// Parts that several answers have: errors, places, warnings. Every answer of `--json` is either a command's own or an error.
import { z } from 'zod';
import type { ErrorJson, SourcePlace } from '../errors.ts';

/** A field that is left out where there is nothing to say. */
export const maybe = <T extends z.ZodType>(schema: T) => z.exactOptional(schema);

/** Ties a schema to the type of what is printed: a field of the wrong type does not compile. */
export const of =
  <T>() =>
  <S extends z.ZodType<T>>(schema: S): S =>
    schema;

export const count = (what: string) => z.number().min(0).describe(what);
export const path = (what: string) => z.string().describe(what);
export const values = z.record(z.string(), z.unknown());
export const seconds = count('Seconds.');

export const place = of<SourcePlace>()(
  z.object({
    file: path('Relative to the project folder, or absolute.'),
    line: maybe(count('From 1.')),
    column: maybe(count('From 1, in UTF-16 units.')),
  }),
).meta({ id: 'Place', description: 'A place in a file.' });

export const error = of<ErrorJson>()(
  z.object({
    code: z.string().describe('One word for programs, such as asset_missing.'),
    message: z.string().describe('What is wrong, for people.'),
    hint: maybe(z.string().describe('What to do.')),
    place: maybe(place),
    problems: maybe(
      z
        .array(z.object({ message: z.string(), row: maybe(count('From 0.')), place: maybe(place) }))
        .describe('All of it, where the message sums up.'),
    ),
    details: maybe(
      z
        .record(z.string(), z.union([z.string(), z.number(), z.null()]))
        .describe('Facts by name, such as the render_id of a render that goes on.'),
    ),
  }),
).meta({ id: 'Error', description: 'Why a command has failed.' });

export const failed = z
  .object({ error })
  .meta({ id: 'Failed', description: 'Printed instead when the command fails.' });

/** The last line of `--progress=ndjson` when the command fails. */
export const errorEvent = z
  .object({ type: z.literal('error'), error })
  .describe('The command has failed: the last line.');

export const warningEvent = z.object({ type: z.literal('warning'), message: z.string() });

export const stageEvent = <const Stages extends readonly [string, ...string[]]>(stages: Stages) =>
  z
    .object({ type: z.literal('stage'), stage: z.enum(stages), message: z.string().describe('For people.') })
    .describe('Another part of the work begins.');
