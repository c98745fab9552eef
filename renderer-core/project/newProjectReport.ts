// What `framework new` reports.
import { z } from 'zod';
import { path } from '../reports/reportFields.ts';

export const newProjectSchema = z.object({
  example: z.string().describe('Name of the example.'),
  folder: path('Absolute path.'),
  open: path('Absolute path of the file to open first.'),
  files: z.array(z.string()).describe('Created files.'),
});
export type NewProject = z.infer<typeof newProjectSchema>;
