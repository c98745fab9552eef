// The rows of a batch file as a table: a column for each variable and each other key, with the problems of each cell.

import { invalidIds } from '../../../renderer-core/model/variables/readDeclarations.ts';
import { isMisfit } from '../../../renderer-core/model/variables/values.ts';
import { checkBatchRows } from '../../../renderer-core/plan/batch.ts';
import { type BatchProblem, readBatchRows } from '../../../renderer-core/plan/batchFile.ts';
import type { RowTable, TableRow } from '../../protocol.ts';
import type { BatchFile } from './batchFile.ts';

/** `output`: the template of the output paths. Never throws. */
export function rowTable({ document, kind, target }: BatchFile, output: string): RowTable {
  const declarations = target?.composition.declarations ?? [];
  const read = readBatchRows(document.getText(), kind, declarations);
  const invalid = target ? invalidIds(target.composition.variables) : [];
  const checked = checkBatchRows(read, declarations, output, { invalid });
  const rows = new Map<number, TableRow>();
  for (const { index, variables } of read.rows) rows.set(index, { index, values: variables, problems: [] });
  for (const row of checked.rows) {
    const known = rows.get(row.index);
    if (known) known.output = row.output;
  }
  for (const problem of checked.problems) {
    const { row, message, severity, issue } = problem;
    if (row === null) continue;
    const known = rows.get(row) ?? { index: row, values: {}, problems: [] };
    known.problems.push({ key: keyOf(problem), message, isError: severity === 'error' });
    if (isMisfit(issue)) known.isInvalid = true;
    rows.set(row, known);
  }
  const declared = new Set(declarations.map(({ id }) => id));
  const keys = new Set([...rows.values()].flatMap(({ values }) => Object.keys(values)));
  return {
    others: [...keys].filter((key) => !declared.has(key)),
    rows: [...rows.values()].sort((one, other) => one.index - other.index),
    problems: checked.problems
      .filter(({ row }) => row === null)
      .map(({ message, severity, span }) => ({
        message,
        line: document.positionAt(span.start).line + 1,
        isError: severity === 'error',
      })),
  };
}

function keyOf({ path }: BatchProblem): string | null {
  const last = path.at(-1);
  return typeof last === 'string' && path.length > 1 ? last : null;
}
