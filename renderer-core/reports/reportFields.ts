// Fields and events that the schemas of several reports share.
import { z } from 'zod';

/** A field that may be absent. */
export const maybe = <T extends z.ZodType>(schema: T) => z.exactOptional(schema);

export const count = (what: string) => z.number().min(0).describe(what);
export const path = (what: string) => z.string().describe(what);
export const values = z.record(z.string(), z.unknown());
export const seconds = count('Seconds.');
export const pixels = count('Pixels.');

export const warningEvent = z.object({ type: z.literal('warning'), message: z.string() });

export const stageEvent = <const Stages extends readonly [string, ...string[]]>(stages: Stages) =>
  z
    .object({ type: z.literal('stage'), stage: z.enum(stages), message: z.string().describe('For people.') })
    .describe('The next stage begins.');
