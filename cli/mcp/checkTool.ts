// The tool `check`: returns what viewers would notice, and one image with the worst of it.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkProject } from '../../renderer-core/check/checkProject.ts';
import type { CheckReport } from '../../renderer-core/check/checkReport.ts';
import { UserError } from '../../renderer-core/errors.ts';
import { ruleDoc } from '../../renderer-core/lint/ruleTable.ts';
import { given } from '../../renderer-core/model/variables/given.ts';
import { rowNumber } from '../../renderer-core/plan/numberRanges.ts';
import { folderOf } from './snapshotTool.ts';
import { result, tool } from './tool.ts';
import { checkDefinition } from './toolDefinitions.ts';

export const checkTool = tool(
  checkDefinition,
  async (input, { folders, programs, surroundings }, { signal, progress }) => {
    const dir = await folders.inside(input.project ?? '.');
    if (input.rows !== undefined && input.extremes)
      throw new UserError('usage', 'rows and extremes cannot be used together', { hint: 'Use one after the other.' });
    const rows = typeof input.rows === 'string' ? await folders.inside(input.rows, folderOf(dir)) : input.rows;
    const output = await mkdtemp(join(tmpdir(), 'framework-check-'));
    try {
      const report = await checkProject(
        {
          ...programs,
          projectDir: dir,
          output,
          signal,
          onEvent: (event) => {
            if (event.type === 'stage') progress(0, undefined, event.message);
            if (event.type === 'frames' || event.type === 'rows')
              progress(event.done, event.total, `${event.done} ${event.type}`);
          },
          ...given({
            composition: input.composition,
            variables: input.variables,
            rules: input.rules,
            allSizes: input.allSizes,
            rows: rows ?? (input.extremes ? ('extremes' as const) : undefined),
          }),
        },
        surroundings,
      );
      return await withSheet(report);
    } finally {
      await rm(output, { recursive: true, force: true });
    }
  },
);

/** The last picture shows all of them. */
async function withSheet(report: CheckReport) {
  const { texts: _, stills, ...data } = report;
  const findings = data.findings.map((finding) => ({ ...finding, doc: ruleDoc(finding.rule) }));
  const sheet = stills.at(-1);
  const { content, ...rest } = result(checkText(report), { ...data, findings });
  if (sheet === undefined) return { ...rest, content };
  const image = { type: 'image' as const, data: (await readFile(sheet)).toString('base64'), mimeType: 'image/png' };
  return { ...rest, content: [image, ...content] };
}

function checkText({ findings, rows, sizes, looked }: CheckReport): string {
  const lines = findings.map(({ file, line, column, severity, message, rule, rows: found, sizes: ofSizes }) => {
    const ofRows = found.length === 0 ? '' : ` (rows ${found.map(rowNumber).join(', ')})`;
    const where = sizes.length > 1 ? ` (${ofSizes.join(', ')})` : '';
    return `${file}:${line}:${column} ${severity} ${message}${ofRows}${where} [${rule}]`;
  });
  const failed = rows.flatMap(({ index, error }) =>
    error === null ? [] : [`Row ${rowNumber(index)} cannot be shown: ${error}`],
  );
  const all = [...lines, ...failed];
  return all.length > 0 ? all.join('\n') : `No problems found in ${looked} frames.`;
}
