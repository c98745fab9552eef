// What `framework fonts add` reports.
import { z } from 'zod';
import { count, path } from '../reports/reportFields.ts';

export const fontAdditionSchema = z.object({
  root: path('Absolute path of the project folder.'),
  family: z.string().describe('The name for font-family.'),
  source: z.enum(['npm', 'google']).describe('An npm package, or Google Fonts.'),
  package: z.string().nullable().describe('The npm package of the files; null for Google Fonts.'),
  version: z.string().nullable().describe('The version of the package.'),
  weights: z.array(z.string()).describe('As in CSS: 400, or 100 900 for a variable font.'),
  styles: z.array(z.string()).describe('normal, italic.'),
  sheet: path('The style sheet that declares the family, relative to root.'),
  files: z.array(
    z.object({
      path: path('Path relative to root.'),
      status: z.enum(['new', 'unchanged', 'changed']),
      bytes: count('Size.'),
    }),
  ),
  dryRun: z.boolean().describe('Whether nothing was written.'),
});
export type FontAddition = z.infer<typeof fontAdditionSchema>;
