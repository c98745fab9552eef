// What `framework fonts` reports.
import { z } from 'zod';
import { fontSources } from '../plan/fonts/usedFonts.ts';
import { count, path } from '../reports/reportFields.ts';

const listedFontSchema = z.object({
  family: z.string().describe('As the project writes it.'),
  source: z
    .enum(fontSources)
    .describe(
      'project: a font sheet of the project. composition: an @font-face rule of the page. pinned: ships with the product. system: only fonts of the machine have the name, so text differs between machines.',
    ),
  project: path('The project folder, relative to root.'),
  file: z.string().nullable().describe('Path relative to root of the file that declares the family.'),
  substitute: z.string().nullable().describe('The pinned family that is used.'),
  weights: z.array(z.string()).describe('As in CSS: 400, or 100 900 for a variable font. Empty if unknown.'),
  uses: z
    .array(z.object({ file: path('Path relative to root.'), line: count('From 1.'), column: count('From 1.') }))
    .describe('Where the family is named. Empty for a font of the project that is not used.'),
});

export const fontListSchema = z.object({
  root: path('Absolute path of the folder that files are relative to.'),
  fonts: z.array(listedFontSchema),
});
export type FontList = z.infer<typeof fontListSchema>;
export type ListedFont = FontList['fonts'][number];
