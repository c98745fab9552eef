// What `framework doctor` reports.
import { z } from 'zod';
import { maybe } from '../reports/reportFields.ts';
import type { Program } from '../setup/builds.ts';

const diagnosisRowSchema = z.object({
  name: z.string(),
  status: z.enum(['ok', 'warning', 'missing']),
  value: z.string(),
  // In every row that is not ok.
  fix: maybe(z.string().describe('How to fix it.')),
});
/** The program that `framework setup` can download. `bytes`: the approximate size of the download. */
export type Remedy = { program: Program; bytes: number };

/** `remedy`: set if `framework setup` can fix the problem. */
export type DiagnosisRow = z.infer<typeof diagnosisRowSchema> & { remedy?: Remedy };

export const diagnosisSchema = z.object({
  ok: z.boolean().describe('Whether this machine can render.'),
  rows: z.array(diagnosisRowSchema),
});
export type Diagnosis = Omit<z.infer<typeof diagnosisSchema>, 'rows'> & { rows: DiagnosisRow[] };
