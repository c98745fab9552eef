// The engine of a render, as reports name it: its browser and its FFmpeg.
import { z } from 'zod';

const version = z.string().describe('Such as 153.0.8010.0.');

export const engineSchema = z
  .object({
    browser: z.object({ version, source: z.enum(['option', 'environment', 'set-up', 'installed', 'embedded']) }),
    ffmpeg: z.object({
      version,
      source: z.enum(['option', 'environment', 'set-up', 'installed', 'embedded']),
    }),
  })
  .describe(
    'The browser and the FFmpeg that rendered, and where they come from: an option or the environment, framework setup, an installation, or an npm package.',
  );
export type Engine = z.infer<typeof engineSchema>;
