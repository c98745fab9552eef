// The report of a check.
import { z } from 'zod';
import { count, path, seconds } from '../reports/reportFields.ts';

const severity = z.enum(['error', 'warning', 'info', 'hint']);
const offset = count('UTF-16 offset.');
const span = z.object({ start: offset, end: offset }).describe('Span of the text; the end is exclusive.');

const box = z
  .object({ left: z.number(), top: z.number(), width: z.number(), height: z.number() })
  .describe('In pixels of the composition.');

export const checkFindingSchema = z.object({
  rule: z.string().describe('The id of the check.'),
  severity,
  message: z.string(),
  file: z.string().describe('Relative to root.'),
  span,
  line: count('From 1.'),
  column: count('From 1.'),
  endLine: count('From 1.'),
  endColumn: count('From 1; exclusive.'),
  frame: count('The frame that shows it best, from 0.'),
  seconds,
  box: box.nullable().describe('Where it is in that frame; null if it is about the whole frame.'),
  row: count('The row of the batch that it is found in, from 0.').nullable().describe('Null with the default values.'),
  rows: z.array(z.number()).describe('All rows that have it, from 0.'),
  size: z.string().describe('The layout that frame and box are of, such as 1080x1920.'),
  sizes: z.array(z.string()).describe('All layouts that have it.'),
  related: z.array(z.object({ file: z.string(), span, message: z.string() })),
  fixes: z.array(
    z.object({
      title: z.string(),
      isSafe: z.boolean(),
      edits: z.array(z.object({ file: z.string(), edits: z.array(z.object({ span, text: z.string() })) })),
    }),
  ),
});
export type CheckFinding = z.infer<typeof checkFindingSchema>;

export const checkedRowSchema = z.object({
  index: count('From 0.'),
  label: z.string().describe('The values that tell the row from others.'),
  findings: count('Number of findings.'),
  error: z.string().nullable().describe('Why the row could not be checked.'),
});
export type CheckedRow = z.infer<typeof checkedRowSchema>;

export const soundFactsSchema = z.object({
  loudness: z.number().nullable().describe('Integrated loudness in LUFS (EBU R 128); null if it is silent.'),
  truePeak: z.number().nullable().describe('In dBTP; null if it is silent.'),
});
export type SoundFacts = z.infer<typeof soundFactsSchema>;

export const checkReportSchema = z.object({
  root: path('Absolute path of the folder that all files are relative to.'),
  composition: z.string(),
  sizes: z.array(z.string()).describe('The layouts that were looked at, such as 1080x1920.'),
  frames: count('Number of frames of the video.'),
  looked: count('Number of frames that were looked at, in all rows and sizes.'),
  durationSeconds: seconds,
  counts: z.object({ error: z.number(), warning: z.number(), info: z.number(), hint: z.number() }),
  findings: z.array(checkFindingSchema),
  rows: z.array(checkedRowSchema).describe('Empty without rows.'),
  sound: soundFactsSchema.nullable().describe('Null without sound.'),
  stills: z.array(path('Absolute path of an image.')),
  elapsedMs: count('Milliseconds.'),
});

/** `texts`: the files with findings, by path. */
export type CheckReport = z.infer<typeof checkReportSchema> & { texts: ReadonlyMap<string, string> };
