// Schemas of commands that fail.
import { z } from 'zod';
import { errorSchema } from '../../renderer-core/reports/errorJson.ts';

export const failed = z
  .object({ error: errorSchema })
  .meta({ id: 'Failed', description: 'The output of a command that fails.' });

/** The last line of `--progress=ndjson` if the command fails. */
export const errorEvent = z
  .object({ type: z.literal('error'), error: errorSchema })
  .describe('The command failed. This is the last line.');
