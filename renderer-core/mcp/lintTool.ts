// The tool `lint`: findings with places and fixes, and the safe fixes applied where that is asked for.
import { join } from 'node:path';
import { z } from 'zod';
import { UserError } from '../errors.ts';
import type { Fix } from '../lint/finding.ts';
import { ruleDoc } from '../lint/rules.ts';
import { ruleLevels } from '../lint/settings.ts';
import { type LintOptions, type LintReport, type LocatedFinding, lintProject } from '../lintProject.ts';
import { indexLines, placeAt } from '../model/spans.ts';
import { project } from './inputs.ts';
import { answer, tool, type Workplace } from './tool.ts';

export const lintTool = tool({
  name: 'lint',
  title: 'Lint compositions',
  description:
    'Checks compositions statically: variables, timing, embedded files, assets, scripts. Answers with findings: file, line, column, severity, rule, message and possible fixes. Starts no browser. Run it after every edit, before snapshot or render. With fix it writes the fixes that can only be what was meant.',
  input: {
    project,
    fix: z.boolean().optional().describe('Apply the safe fixes and write the files. Default: false.'),
    rules: z
      .record(z.string(), z.enum(ruleLevels))
      .optional()
      .describe('Levels of rules for this run, over those of framework.json: {"unused-variable": "off"}.'),
  },
  writes: true,
  async run(input, workplace, { signal }) {
    const dir = await workplace.folders.inside(input.project ?? '.');
    const options: LintOptions = { signal, ...(input.rules ? { rules: input.rules } : {}) };
    if (input.fix) await refuseLinks(await lintProject(dir, { ...options, fix: 'dry-run' }), workplace);
    const report = await withoutLinks(await lintProject(dir, { ...options, fix: input.fix ?? false }), workplace);
    return answer(textOf(report), dataOf(report));
  },
});

/** A fix is written through links. */
async function refuseLinks({ root, fixed }: LintReport, { folders }: Workplace): Promise<void> {
  for (const { file } of fixed) {
    if (await folders.isInside(join(root, file))) continue;
    throw new UserError('usage', `${file} is a link out of the folders that may be worked in; nothing was fixed`, {
      hint: 'Copy the file into the project, or lint without fix.',
    });
  }
}

/** What links outside lead to is not told of. Hints are for editors. */
async function withoutLinks(report: LintReport, { folders }: Workplace): Promise<LintReport> {
  const findings: LocatedFinding[] = [];
  for (const finding of report.findings) {
    if (finding.severity !== 'hint' && (await folders.isInside(join(report.root, finding.file))))
      findings.push(finding);
  }
  const counts = { error: 0, warning: 0, info: 0, hint: 0 };
  for (const { severity } of findings) counts[severity]++;
  return { ...report, findings, counts };
}

/** Lines as every editor and terminal writes them. */
function textOf({ root, files, findings, counts, fixed }: LintReport): string {
  const lines = findings.map(({ file, line, column, severity, message, rule, fixes }) => {
    const [fix] = fixes;
    const way = fix ? ` Fix: ${fix.title}${fix.isSafe ? ' (safe)' : ''}.` : '';
    return `${file}:${line}:${column} ${severity} ${message} (${rule}).${way}`;
  });
  const changed = fixed.map(({ file, fixes }) => `Fixed ${file}: ${fixes.join('; ')}.`);
  const sum = `${files} composition files in ${root}: ${counts.error} errors, ${counts.warning} warnings, ${counts.info} notes.`;
  return [...changed, ...lines, sum].join('\n');
}

function dataOf({ root, files, findings, counts, fixed, texts }: LintReport): object {
  const indexes = new Map([...texts].map(([file, text]) => [file, indexLines(text)]));
  /** Empty where an edit is in a file whose text is not at hand. */
  const editsOf = (fix: Fix) =>
    fix.edits.flatMap(({ file, edits }) => {
      const index = indexes.get(file);
      return edits.flatMap(({ span, text }) =>
        index ? [{ file, start: placeAt(index, span.start), end: placeAt(index, span.end), newText: text }] : [],
      );
    });
  return {
    root,
    files,
    counts,
    fixed: fixed.map(({ file, fixes }) => ({ file, fixes })),
    findings: findings.map(({ file, line, column, endLine, endColumn, severity, rule, message, fixes }) => ({
      ...{ file, line, column, endLine, endColumn, severity, rule, message, doc: ruleDoc(rule) },
      fixes: fixes.map((fix) => ({ title: fix.title, isSafe: fix.isSafe, edits: editsOf(fix) })),
    })),
  };
}
