// What `lint`, `variables` and `doctor` print, and the configuration file framework.json.
import { z } from 'zod';
import type { ProjectDescription } from '../describeProject.ts';
import { rules } from '../lint/rules.ts';
import { ruleLevels } from '../lint/settings.ts';
import type { LocatedFinding } from '../lintProject.ts';
import { type VariableDeclaration, variableTypes } from '../model/variables.ts';
import type { Diagnosis } from '../render/diagnose.ts';
import { count, maybe, of, path, values } from './shared.ts';

const span = z
  .object({ start: count('First.'), end: count('After the last.') })
  .meta({ id: 'Span', description: 'A piece of the text of a file, as UTF-16 offsets.' });
const severity = z.enum(['error', 'warning', 'info', 'hint']);
const file = path('Relative to root, with slashes.');

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
    endColumn: count('From 1, after the last.'),
    related: z.array(z.object({ file, span, message: z.string() })).describe('Places that explain it.'),
    fixes: z.array(
      z.object({
        title: z.string(),
        isSafe: z.boolean().describe('Whether it can only be what was meant: --fix applies these.'),
        edits: z.array(z.object({ file, edits: z.array(z.object({ span, text: z.string() })) })),
      }),
    ),
    isUnnecessary: maybe(z.boolean().describe('Code that nothing uses.')),
    doc: z.string().describe('Where the rule is described.'),
  }),
);

export const lintReport = z.object({
  root: path('Absolute path of the folder that files are relative to.'),
  files: count('Composition files that were looked at.'),
  counts: z.object({
    error: count('How many.'),
    warning: count('How many.'),
    info: count('How many.'),
    hint: count('How many.'),
  }),
  findings: z.array(finding).describe('By file, then by place. After --fix: what is left.'),
  fixed: z.array(z.object({ file, fixes: z.array(z.string()).describe('Their titles.') })),
});

const declaration = of<VariableDeclaration>()(
  z.object({
    id: z.string(),
    type: z.enum(variableTypes),
    label: maybe(z.string()),
    default: maybe(z.union([z.string(), z.number(), z.boolean()])),
    placeholder: maybe(z.string().describe('Of a string.')),
    maxLength: maybe(z.number().describe('Of a string.')),
    min: maybe(z.number().describe('Of a number.')),
    max: maybe(z.number().describe('Of a number.')),
    step: maybe(z.number().describe('Of a number.')),
    unit: maybe(z.string().describe('Of a number.')),
    options: maybe(z.array(z.object({ value: z.string(), label: z.string() })).describe('Of an enum.')),
  }),
).meta({ id: 'VariableDeclaration', description: 'A variable that can be used.' });

const said = (what: string) => z.number().nullable().describe(`${what}; null where the file does not say.`);

export const projectDescription = of<ProjectDescription>()(
  z.object({
    root: path('Absolute path of the folder that files are relative to.'),
    compositions: z.array(
      z.object({
        file,
        project: path('The project folder, relative to root.'),
        composition: path('Relative to the project folder: what --composition takes.'),
        id: z.string().nullable(),
        width: said('Pixels'),
        height: said('Pixels'),
        duration: said('Seconds'),
        fps: said('Frames per second'),
        variables: z.array(declaration),
        rejected: z
          .array(z.object({ message: z.string(), line: count('From 1.'), column: count('From 1.') }))
          .describe('Declarations that nothing uses, and why.'),
        embeds: z.array(
          z.object({
            file: z.string().nullable().describe('Relative to root; null where there is no such file.'),
            source: z.string().describe('As it is written.'),
            line: count('From 1.'),
            column: count('From 1.'),
            values: values.describe('What it is given there.'),
          }),
        ),
        embeddedBy: z.array(file),
      }),
    ),
  }),
);

export const diagnosis = of<Diagnosis>()(
  z.object({
    ok: z.boolean().describe('False when a render could not work.'),
    rows: z.array(
      z.object({
        name: z.string(),
        status: z.enum(['ok', 'warning', 'missing']),
        value: z.string(),
        fix: maybe(z.string().describe('What to do.')),
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

/** Other keys are for others. */
export const configuration = z.looseObject({
  lint: maybe(z.looseObject({ rules: maybe(z.object(levels).describe('Levels of rules, by their ids.')) })),
});
