// What `framework doctor` reports.
import { z } from 'zod';
import { count, maybe } from '../reports/reportFields.ts';
import { setupPart } from '../setup/setupReport.ts';

export const diagnosisSchema = z.object({
  ok: z.boolean().describe('Whether this machine can render.'),
  rows: z.array(
    z.object({
      name: z.string(),
      status: z.enum(['ok', 'warning', 'missing']),
      value: z.string(),
      // In every row that is not ok.
      fix: maybe(z.string().describe('How to fix it.')),
      remedy: maybe(
        z
          .object({ program: setupPart, bytes: count('Approximate size of the download.') })
          .describe('What framework setup can download to fix it.'),
      ),
    }),
  ),
});
export type Diagnosis = z.infer<typeof diagnosisSchema>;
export type DiagnosisRow = Diagnosis['rows'][number];
