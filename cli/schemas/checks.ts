// Schemas of the output of `lint`, `variables` and `doctor`, and of framework.json.
import { z } from 'zod';
import type { ProjectDescription } from '../../renderer-core/describeProject.ts';
import type { Diagnosis } from '../../renderer-core/doctor/diagnose.ts';
import { rules } from '../../renderer-core/lint/ruleTable.ts';
import { ruleLevels } from '../../renderer-core/lint/settings.ts';
import type { LocatedFinding } from '../../renderer-core/lintProject.ts';
import { type VariableDeclaration, variableTypes } from '../../renderer-core/model/variables.ts';
import { count, maybe, of, path, values } from './sharedSchemas.ts';

const span = z
  .object({ start: count('Start offset.'), end: count('End offset, exclusive.') })
  .meta({ id: 'Span', description: 'A range of text in a file, as UTF-16 offsets.' });
const severity = z.enum(['error', 'warning', 'info', 'hint']);
const file = path('Path relative to root, with slashes.');

const finding = of<LocatedFinding>()(
  z.object({
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
        edits: z.array(z.object({ file, edits: z.array(z.object({ span, text: z.string() })) })),
      }),
    ),
    isUnnecessary: maybe(z.boolean().describe('Whether the code is unused.')),
    doc: z.string().describe('Documentation of the rule.'),
  }),
);

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

const declaration = of<VariableDeclaration>()(
  z.object({
    id: z.string(),
    type: z.enum(variableTypes),
    label: maybe(z.string()),
    default: maybe(z.union([z.string(), z.number(), z.boolean()])),
    placeholder: maybe(z.string().describe('Only for type string.')),
    maxLength: maybe(z.number().describe('Only for type string.')),
    min: maybe(z.number().describe('Only for type number.')),
    max: maybe(z.number().describe('Only for type number.')),
    step: maybe(z.number().describe('Only for type number.')),
    unit: maybe(z.string().describe('Only for type number.')),
    options: maybe(z.array(z.object({ value: z.string(), label: z.string() })).describe('Only for type enum.')),
  }),
).meta({ id: 'VariableDeclaration', description: 'A valid variable declaration.' });

const declared = (what: string) => z.number().nullable().describe(`${what}; null if the file does not declare it.`);

export const projectDescription = of<ProjectDescription>()(
  z.object({
    root: path('Absolute path of the folder that files are relative to.'),
    compositions: z.array(
      z.object({
        file,
        project: path('The project folder, relative to root.'),
        composition: path('Path relative to the project folder, as for --composition.'),
        id: z.string().nullable(),
        width: declared('Pixels'),
        height: declared('Pixels'),
        duration: declared('Seconds'),
        fps: declared('Frames per second'),
        variables: z.array(declaration),
        rejected: z
          .array(z.object({ message: z.string(), line: count('From 1.'), column: count('From 1.') }))
          .describe('Invalid declarations with the reasons.'),
        embeds: z.array(
          z.object({
            file: z.string().nullable().describe('Path relative to root; null if the file does not exist.'),
            source: z.string().describe('The path as written.'),
            line: count('From 1.'),
            column: count('From 1.'),
            values: values.describe('Variable values that it is given.'),
          }),
        ),
        embeddedBy: z.array(file),
      }),
    ),
  }),
);

export const diagnosis = of<Diagnosis>()(
  z.object({
    ok: z.boolean().describe('Whether this machine can render.'),
    rows: z.array(
      z.object({
        name: z.string(),
        status: z.enum(['ok', 'warning', 'missing']),
        value: z.string(),
        fix: maybe(z.string().describe('How to fix it.')),
      }),
    ),
  }),
);

const levels = Object.fromEntries(
  rules.map(({ id, title, severity: usual }) => [
    id,
    maybe(z.enum(ruleLevels as [string, ...string[]]).describe(`${title}. Default: ${usual}.`)),
  ]),
);

/** Other keys belong to other tools. */
export const configuration = z.looseObject({
  lint: maybe(z.looseObject({ rules: maybe(z.object(levels).describe('Severity of rules, by rule id.')) })),
});
