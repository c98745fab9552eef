// The problems of a batch with their locations, and the error that lists them.
import { UserError } from '../../errors.ts';
import type { ProjectGraph } from '../../model/graph.ts';
import { indexLines, positionAt } from '../../model/text/spans.ts';
import { isMisfit } from '../../model/variables/values.ts';
import type { BatchProblem } from '../../plan/batchRows.ts';
import { rowNumber } from '../../plan/numberRanges.ts';
import { locateGiven, type ValuesSource } from '../../plan/valueProblems.ts';
import type { ErrorProblem } from '../../reports/errorJson.ts';
import type { BatchWarning } from './batchReport.ts';

export type LocatedProblem = BatchWarning & Pick<BatchProblem, 'severity' | 'code'>;

/** Adds the locations in the batch file, if there is one, to the problems that are in it. */
export function locate(problems: readonly BatchProblem[], text: string, file: string | null): LocatedProblem[] {
  const lines = indexLines(text);
  return problems
    .filter(({ row, issue }) => row !== null || !issue)
    .map(({ severity, code, message, row, span, issue }) => ({
      ...{ severity, code, message },
      ...(row === null ? {} : { row }),
      ...(issue ? { issue } : {}),
      ...(file === null || code === 'output' ? {} : { place: { file, ...positionAt(lines, span.start) } }),
    }));
}

/** The problems of values for every row. */
export function locateCommon(
  problems: readonly BatchProblem[],
  graph: ProjectGraph,
  source: ValuesSource | undefined,
): LocatedProblem[] {
  return problems.flatMap(({ severity, code, row, issue }) =>
    issue && row === null ? [{ severity, code, issue, ...locateGiven(graph, issue, source) }] : [],
  );
}

/** Throws UserError if there are errors among the problems. */
export function throwErrors(problems: readonly LocatedProblem[], file: string | null, isStrict: boolean): void {
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return;
  const listed = errors.map(({ severity: _, code: __, issue: ___, ...problem }): ErrorProblem => problem);
  const [first] = listed;
  const single = errors.length === 1 && first;
  const code = errors.every((one) => one.code === 'variable') ? 'variables_invalid' : 'batch_invalid';
  throw new UserError(code, single ? rowMessage(single) : summary(errors, file), {
    hint:
      code === 'variables_invalid'
        ? hintForValues(isStrict)
        : 'Nothing was rendered. Correct the rows and run the command again.',
    problems: listed,
    ...(single && 'place' in single ? { place: single.place } : {}),
  });
}

const hintForValues = (isStrict: boolean): string =>
  isStrict
    ? 'Correct the values, or omit --strict-variables to render with warnings.'
    : 'Correct the values, or choose --invalid-rows defaults or --invalid-rows skip.';

const rowMessage = ({ row, message }: ErrorProblem) =>
  row === undefined ? message : `Row ${rowNumber(row)}: ${message}`;

/** Maximum number of different problems in the message; `problems` has all of them. */
const shownProblems = 100;

/** One line per problem, with all rows that have it. */
function summary(problems: readonly LocatedProblem[], file: string | null): string {
  const rows = new Set(problems.map(({ row }) => row));
  const where = rows.has(undefined) ? '' : ` in ${rows.size === 1 ? 'one row' : `${rows.size} rows`}`;
  const head = `${problems.length} problems${where}:`;
  const groups = groupProblems(problems, file);
  const lines = groups.slice(0, shownProblems).map(({ label, message }) => `${label}: ${message}`);
  const rest = groups.length - lines.length;
  return [head, ...lines, ...(rest > 0 ? [`and ${rest} more; use --json to list all`] : [])].join('\n');
}

/** `label` names the rows or the location: `Row 3 (line 5)`, `Rows 3, 4, 9 and 12 more`, `index.html:3:5`. */
function groupProblems(
  problems: readonly LocatedProblem[],
  batchFile: string | null,
): { label: string; message: string }[] {
  const groups = new Map<string, { problem: LocatedProblem; rows: number[] }>();
  for (const problem of problems) {
    const { message, row, issue } = problem;
    // Each wrong value is listed with its line.
    const key = `${inComposition(problem, batchFile)} ${message} ${isMisfit(issue) ? row : ''}`;
    const group = groups.get(key) ?? { problem, rows: [] };
    if (row !== undefined) group.rows.push(rowNumber(row));
    groups.set(key, group);
  }
  return [...groups.values()].map(({ problem, rows }) => {
    const { message, place } = problem;
    const location = inComposition(problem, batchFile);
    const [row] = rows;
    if (row === undefined) return { label: location ?? `Line ${place?.line ?? 1}`, message };
    const line = rows.length === 1 && place?.line !== undefined ? `line ${place.line}` : undefined;
    const where = location ?? line;
    const shown = rows.slice(0, 10).join(', ');
    const more = rows.length > 10 ? ` and ${rows.length - 10} more` : '';
    return { label: `Row${rows.length > 1 ? 's' : ''} ${shown}${more}${where ? ` (${where})` : ''}`, message };
  });
}

/** The location of a problem that is in a composition and not in the batch file. */
function inComposition({ place }: ErrorProblem, batchFile: string | null): string | undefined {
  return place && place.file !== batchFile ? `${place.file}:${place.line}:${place.column}` : undefined;
}
