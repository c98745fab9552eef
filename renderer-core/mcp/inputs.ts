// Parts of tools' inputs that several take, in words for an agent.
import { z } from 'zod';
import { resolutions } from '../plan/resolution.ts';

export const project = z
  .string()
  .optional()
  .describe(
    'Project folder, or one .html composition in it: absolute, or relative to the first allowed folder. Default: that folder.',
  );

export const composition = z
  .string()
  .optional()
  .describe('Composition to show, relative to the project folder. Default: index.html.');

export const variables = z
  .record(z.string(), z.unknown())
  .optional()
  .describe(
    'Values for the declared variables, by id; list_variables tells which there are. The rest keep their defaults.',
  );

export const strict = z
  .boolean()
  .optional()
  .describe('Fail on values that no declaration fits, instead of warning. Default: false.');

export const fps = z.string().optional().describe('Frames per second: "30", "29.97" or "30000/1001".');

export const resolution = z
  .enum(resolutions)
  .optional()
  .describe('1080p makes larger compositions smaller; 4k enlarges. Default: the size of the composition.');

/** The keys that have a value: options that were not given must not appear at all. */
export function given<T extends object>(object: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as never;
}
