// Checks the outputs and values of all rows of a batch before the first row renders.
import type { ValueIssue } from '../model/variables/valueIssue.ts';
import { exceededLimit } from '../model/variables/valueLimits.ts';
import { checkValues, isMisfit, mergeValues } from '../model/variables/values.ts';
import type { VariableDeclaration } from '../model/variables/variables.ts';
import type { BatchProblem, BatchRow, BatchRows, InvalidRows } from './batchRows.ts';
import { rowNumber } from './numberRanges.ts';
import { collisionKey, fillTemplate, type OutputTemplate, readTemplate, windowsProblem } from './outputTemplate.ts';

/**
 * A row without errors. `output` is the path in the template's folder. `misfits`: the variables whose values do not fit, so that
 * a render uses their defaults; missing if there are none.
 */
export type CheckedRow = { index: number; variables: Record<string, unknown>; output: string; misfits?: string[] };

export type BatchCheck = {
  /** The rows without errors. */
  rows: CheckedRow[];
  /** In the order of the rows. */
  problems: BatchProblem[];
  template: OutputTemplate;
};

export type BatchOptions = {
  /** Variable issues are errors, not warnings. */
  strict?: boolean;
  /** With `fail`, values that do not fit are errors. */
  invalidRows?: InvalidRows;
  /** The ids of declarations that cannot be used. */
  invalid?: readonly string[];
  /** Values for every row. The row's own values take precedence. */
  common?: Readonly<Record<string, unknown>>;
  /** Whether backslashes are separators and Windows' rules for file names apply. */
  isWindows?: boolean;
};

/** The status file in the output folder. */
export const manifestName = 'manifest.json';

/** Checks all rows. The result includes the problems of `batch` itself. Never throws. */
export function checkBatchRows(
  batch: BatchRows,
  declarations: readonly VariableDeclaration[],
  output: string,
  options: BatchOptions = {},
): BatchCheck {
  const template = readTemplate(output, options.isWindows);
  const rows: CheckedRow[] = [];
  const problems = [...batch.problems];
  /** Issues of common values that a row uses. */
  const common = new Map<string, ValueIssue>();
  const taken: TakenPaths = new Map([[manifestName, null]]);
  for (const row of batch.rows) {
    const variables = { ...options.common, ...row.variables };
    const issues = valueIssues(variables, declarations, template, options);
    const values = issues.flatMap((issue) => {
      if (!Object.hasOwn(row.variables, issue.id)) common.set(issue.id, issue);
      return Object.hasOwn(row.variables, issue.id) ? [rowProblem(row, issue, options)] : [];
    });
    const { path, problems: found } = outputOf(row, mergeValues(declarations, variables), template, taken, options);
    problems.push(...values, ...limitProblems(row, declarations), ...found);
    const misfits = issues.filter(isMisfit).map(({ id }) => id);
    if (path !== undefined)
      rows.push({
        ...{ index: row.index, variables, output: joined(template, path) },
        ...(misfits.length > 0 ? { misfits } : {}),
      });
  }
  problems.push(...[...common.values()].map((issue) => commonProblem(issue, options)));
  return { rows, problems: inOrder(problems), template };
}

/** The row of each output path; null for the manifest. */
type TakenPaths = Map<string, { index: number; path: string } | null>;

/** The path of a row in the output folder; undefined if there is an error. Adds it to `taken`. */
function outputOf(
  row: BatchRow,
  values: Readonly<Record<string, unknown>>,
  template: OutputTemplate,
  taken: TakenPaths,
  { isWindows = false }: BatchOptions,
): { path?: string; problems: BatchProblem[] } {
  const filled = fillTemplate(template, row.index, values);
  if (Array.isArray(filled))
    return { problems: filled.map(({ code, message, key }) => problemOf(row, code, message, key)) };
  const { path } = filled;
  const windows = windowsProblem(template.placeholders, path, values);
  const problems = windows
    ? [
        {
          ...problemOf(row, 'placeholder', windows.message, windows.key),
          severity: isWindows ? ('error' as const) : ('warning' as const),
        },
      ]
    : [];
  const owner = taken.get(collisionKey(path));
  if (owner !== undefined) return { problems: [...problems, collision(row, path, owner, template)] };
  taken.set(collisionKey(path), { index: row.index, path });
  return windows && isWindows ? { problems } : { path, problems };
}

/** The keys of placeholders that have a value in every row: its own one, or a declared default. `index` is not included. */
export function placeholderKeys(rows: readonly BatchRow[], declarations: readonly VariableDeclaration[]): string[] {
  const keys = rows.map(({ variables }) => new Set(Object.keys(mergeValues(declarations, variables))));
  const [first = new Set<string>()] = keys;
  return [...first].filter((key) => key !== 'index' && keys.every((own) => own.has(key)));
}

const joined = ({ folder, text }: OutputTemplate, path: string): string => {
  if (folder === '.' && !text.startsWith('./')) return path;
  return folder.endsWith('/') ? `${folder}${path}` : `${folder}/${path}`;
};

/** A key that is used in the output path may be undeclared. */
const valueIssues = (
  variables: Record<string, unknown>,
  declarations: readonly VariableDeclaration[],
  { placeholders }: OutputTemplate,
  { invalid }: BatchOptions,
): ValueIssue[] =>
  checkValues(declarations, variables, invalid).filter(
    ({ kind, id }) => kind !== 'undeclared' || !placeholders.includes(id),
  );

const rowProblem = (row: BatchRow, issue: ValueIssue, options: BatchOptions): BatchProblem => ({
  ...problemOf(row, 'variable', issue.message, issue.id),
  ...(issue.kind === 'undeclared' && { span: row.keySpanOf(issue.id) }),
  severity: severityOf(issue, options),
  issue,
});

const commonProblem = (issue: ValueIssue, options: BatchOptions): BatchProblem => ({
  ...{ code: 'variable', row: null, path: [issue.id], span: { start: 0, end: 0 }, message: issue.message, issue },
  severity: severityOf(issue, options),
});

export const severityOf = (
  issue: ValueIssue | undefined,
  { strict, invalidRows }: Pick<BatchOptions, 'strict' | 'invalidRows'>,
): 'error' | 'warning' => (strict || (invalidRows === 'fail' && isMisfit(issue)) ? 'error' : 'warning');

/** Warnings, also with strict checking: a render uses values beyond their limits. */
function limitProblems(row: BatchRow, declarations: readonly VariableDeclaration[]): BatchProblem[] {
  return declarations.flatMap((declaration) => {
    const { id } = declaration;
    const exceeded = Object.hasOwn(row.variables, id) ? exceededLimit(declaration, row.variables[id]) : undefined;
    if (!exceeded) return [];
    const message = `Variable "${id}" should be ${exceeded.rule}`;
    return [{ ...problemOf(row, 'variable', message, id), severity: 'warning' as const }];
  });
}

function collision(
  row: BatchRow,
  path: string,
  owner: { index: number; path: string } | null,
  { placeholders, text }: OutputTemplate,
): BatchProblem {
  if (owner === null) return problemOf(row, 'collision', `${path} is reserved for the manifest of the batch`, null);
  if (placeholders.length === 0) {
    const message = `Every row would be written to ${text}; add a placeholder such as {index} to the output`;
    return problemOf(row, 'collision', message, null);
  }
  const same =
    owner.path === path
      ? `Row ${rowNumber(owner.index)} is also written to ${path}`
      : `${path} and ${owner.path} of row ${rowNumber(owner.index)} are the same file on a disk that ignores letter case`;
  return problemOf(row, 'collision', `${same}; add {index} to the output to make it unique`, placeholders[0] ?? null);
}

function problemOf(row: BatchRow, code: BatchProblem['code'], message: string, key: string | null): BatchProblem {
  const path = key !== null && Object.hasOwn(row.variables, key) ? [...row.path, key] : row.path;
  const span = key === null ? row.span : row.spanOf(key);
  return { code, severity: 'error', row: row.index, path, span, message };
}

/** Sorts by row, problems of the file first. */
function inOrder(problems: BatchProblem[]): BatchProblem[] {
  return problems.sort((a, b) => (a.row ?? -1) - (b.row ?? -1));
}
