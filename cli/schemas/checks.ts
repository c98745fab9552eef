// Schemas of the output of `lint` and `check`, and of framework.json.
import { z } from 'zod';
import { type CheckLimits, defaultLimits } from '../../renderer-core/check/limits.ts';
import { checks as checkTable } from '../../renderer-core/lint/checkTable.ts';
import { rules } from '../../renderer-core/lint/ruleTable.ts';
import { ruleLevels } from '../../renderer-core/lint/settings.ts';
import type { LocatedFinding } from '../../renderer-core/lintProject.ts';
import { count, maybe, path } from '../../renderer-core/reports/reportFields.ts';

const span = z
  .object({ start: count('Start offset.'), end: count('End offset, exclusive.') })
  .meta({ id: 'Span', description: 'A range of text in a file, as UTF-16 offsets.' });
const severity = z.enum(['error', 'warning', 'info', 'hint']);
const file = path('Path relative to root, with slashes.');

/** Findings belong to the linter, which the editor uses; so this schema is checked against their type. */
const findingFields = {
  rule: z.string().describe('Id of the rule.'),
  severity,
  message: z.string(),
  file,
  span,
  line: count('From 1.'),
  column: count('From 1.'),
  endLine: count('From 1.'),
  endColumn: count('From 1, exclusive.'),
  related: z.array(z.object({ file, span, message: z.string() })).describe('Related locations.'),
  fixes: z.array(
    z.object({
      title: z.string(),
      isSafe: z.boolean().describe('Whether --fix applies it.'),
      isPreferred: maybe(z.boolean().describe('Whether it is the most likely of several.')),
      edits: z.array(z.object({ file, edits: z.array(z.object({ span, text: z.string() })) })),
    }),
  ),
  isUnnecessary: maybe(z.boolean().describe('Whether the code is unused.')),
  fonts: maybe(z.array(z.string()).describe('Families that framework fonts add can add.')),
  doc: z.string().describe('Documentation of the rule.'),
} satisfies Record<keyof LocatedFinding | 'doc', z.ZodType>;
const finding: z.ZodType<LocatedFinding> = z.object(findingFields);

export const lintReport = z.object({
  root: path('Absolute path of the folder that files are relative to.'),
  files: count('Number of checked composition files.'),
  counts: z.object({
    error: count('Number of findings.'),
    warning: count('Number of findings.'),
    info: count('Number of findings.'),
    hint: count('Number of findings.'),
  }),
  findings: z.array(finding).describe('Sorted by file and position. After --fix: the remaining findings.'),
  fixed: z.array(
    z.object({
      file,
      fixes: z
        .array(z.string())
        .describe('Titles of the applied fixes; with --dry-run, of the fixes that would be applied.'),
    }),
  ),
});

const levels = Object.fromEntries(
  [...rules, ...checkTable].map(({ id, title, severity: usual }) => [
    id,
    maybe(z.enum(ruleLevels as [string, ...string[]]).describe(`${title}. Default: ${usual}.`)),
  ]),
);

const limit = (name: keyof CheckLimits, description: string) =>
  z.number().min(0).describe(`${description} Default: ${defaultLimits[name]}.`);

/** Other keys belong to other tools. */
export const configuration = z.looseObject({
  check: maybe(
    z
      .looseObject({
        stillSeconds: maybe(limit('stillSeconds', 'Longest time without any movement, in seconds.')),
        blankSeconds: maybe(limit('blankSeconds', 'Longest part of one color, in seconds.')),
        safeArea: maybe(limit('safeArea', 'Margin of the safe area, as a share of width and height.')),
      })
      .describe('Limits of framework check.'),
  ),
  lint: maybe(z.looseObject({ rules: maybe(z.object(levels).describe('Severity of rules, by rule id.')) })),
  fonts: maybe(
    z
      .array(z.string())
      .describe(
        'Style sheets with fonts for all compositions, relative to the project folder. Those in fonts/ need no entry.',
      ),
  ),
  allowHosts: maybe(
    z
      .array(z.string())
      .describe('Hosts from which pages may load files, such as cdn.example.com or *.example.com. Default: all.'),
  ),
});
