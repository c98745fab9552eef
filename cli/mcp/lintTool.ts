// The tool `lint`: returns findings with their fixes, and applies safe fixes.
import { join } from 'node:path';
import { UserError } from '../../renderer-core/errors.ts';
import type { Fix } from '../../renderer-core/lint/finding.ts';
import { ruleDoc } from '../../renderer-core/lint/ruleTable.ts';
import {
  type LintOptions,
  type LintReport,
  type LocatedFinding,
  lintProject,
} from '../../renderer-core/lintProject.ts';
import { indexLines, positionAt } from '../../renderer-core/model/text/spans.ts';
import { result, type ToolContext, tool } from './tool.ts';
import { lintDefinition } from './toolDefinitions.ts';
import { lintText } from './toolText.ts';

export const lintTool = tool(lintDefinition, async (input, context, { signal }) => {
  const dir = await context.folders.inside(input.project ?? '.');
  const options: LintOptions = { signal, ...(input.rules ? { rules: input.rules } : {}) };
  if (input.fix) await rejectLinks(await lintProject(dir, { ...options, fix: 'dry-run' }), context);
  const report = await withoutLinks(await lintProject(dir, { ...options, fix: input.fix ?? false }), context);
  return result(lintText(report), dataOf(report));
});

/** Fixes are written through links, which may lead outside the allowed folders. */
async function rejectLinks({ root, fixed }: LintReport, { folders }: ToolContext): Promise<void> {
  for (const { file } of fixed) {
    if (await folders.isInside(join(root, file))) continue;
    throw new UserError('usage', `${file} is a link to a file outside the allowed folders; nothing was fixed`, {
      hint: 'Copy the file into the project, or lint without fix.',
    });
  }
}

/** Leaves out findings in files outside the allowed folders, and hints, which are for editors. */
async function withoutLinks(report: LintReport, { folders }: ToolContext): Promise<LintReport> {
  const findings: LocatedFinding[] = [];
  for (const finding of report.findings) {
    if (finding.severity !== 'hint' && (await folders.isInside(join(report.root, finding.file))))
      findings.push(finding);
  }
  const counts = { error: 0, warning: 0, info: 0, hint: 0 };
  for (const { severity } of findings) counts[severity]++;
  return { ...report, findings, counts };
}

function dataOf({ root, files, findings, counts, fixed, texts }: LintReport): object {
  const indexes = new Map([...texts].map(([file, text]) => [file, indexLines(text)]));
  /** Leaves out edits of files whose text is unknown. */
  const editsOf = (fix: Fix) =>
    fix.edits.flatMap(({ file, edits }) => {
      const index = indexes.get(file);
      return edits.flatMap(({ span, text }) =>
        index ? [{ file, start: positionAt(index, span.start), end: positionAt(index, span.end), newText: text }] : [],
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
