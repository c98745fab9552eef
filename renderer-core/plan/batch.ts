// Checks the outputs and values of all rows of a batch before the first row renders.
import * as l10n from '@vscode/l10n';
import type { ValueIssue } from '../model/valueIssue.ts';
import { exceededLimit } from '../model/valueLimits.ts';
import { checkValues, mergeValues } from '../model/values.ts';
import type { VariableDeclaration } from '../model/variables.ts';
import type { BatchProblem, BatchRow, BatchRows } from './batchFile.ts';
import { collisionKey, fillTemplate, type OutputTemplate, readTemplate } from './outputTemplate.ts';

/** A valid row. `output` is the path in the template's folder. */
export type CheckedRow = { index: number; variables: Record<string, unknown>; output: string };

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
  /** The row of each output path; null for the manifest. */
  const taken = new Map<string, { index: number; path: string } | null>([[manifestName, null]]);
  for (const row of batch.rows) {
    const variables = { ...options.common, ...row.variables };
    const issues = valueIssues(variables, declarations, template, options);
    const values = issues.flatMap((issue) => {
      if (!Object.hasOwn(row.variables, issue.id)) common.set(issue.id, issue);
      return Object.hasOwn(row.variables, issue.id) ? [rowProblem(row, issue, options)] : [];
    });
    const filled = fillTemplate(template, row.index, mergeValues(declarations, variables), options.isWindows);
    const outputProblems = Array.isArray(filled)
      ? filled.map(({ code, message, key }) => problemOf(row, code, message, key))
      : [];
    const path = Array.isArray(filled) ? undefined : filled.path;
    if (path !== undefined) {
      const key = collisionKey(path);
      const owner = taken.get(key);
      if (owner !== undefined) outputProblems.push(collision(row, path, owner, template));
      else taken.set(key, { index: row.index, path });
    }
    problems.push(...values, ...limitProblems(row, declarations), ...outputProblems);
    if (path !== undefined && outputProblems.length === 0)
      rows.push({ index: row.index, variables, output: joined(template, path) });
  }
  problems.push(...[...common.values()].map((issue) => commonProblem(issue, options)));
  return { rows, problems: inOrder(problems), template };
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

const rowProblem = (row: BatchRow, { kind, id, message }: ValueIssue, { strict }: BatchOptions): BatchProblem => ({
  ...problemOf(row, 'variable', message, id),
  ...(kind === 'undeclared' && { span: row.keySpanOf(id) }),
  severity: strict ? 'error' : 'warning',
});

const commonProblem = (issue: ValueIssue, { strict }: BatchOptions): BatchProblem => ({
  ...{ code: 'variable', row: null, path: [issue.id], span: { start: 0, end: 0 }, message: issue.message, issue },
  severity: strict ? 'error' : 'warning',
});

/** Warnings, also with strict checking: a render uses values beyond their limits. */
function limitProblems(row: BatchRow, declarations: readonly VariableDeclaration[]): BatchProblem[] {
  return declarations.flatMap((declaration) => {
    const { id } = declaration;
    const exceeded = Object.hasOwn(row.variables, id) ? exceededLimit(declaration, row.variables[id]) : undefined;
    if (!exceeded) return [];
    const message = l10n.t`Variable "${id}" should be ${exceeded.rule}`;
    return [{ ...problemOf(row, 'variable', message, id), severity: 'warning' as const }];
  });
}

function collision(
  row: BatchRow,
  path: string,
  owner: { index: number; path: string } | null,
  { placeholders, text }: OutputTemplate,
): BatchProblem {
  if (owner === null)
    return problemOf(row, 'collision', l10n.t`${path} is reserved for the manifest of the batch`, null);
  if (placeholders.length === 0) {
    const message = l10n.t`Every row would be written to ${text}; add a placeholder such as {index} to the output`;
    return problemOf(row, 'collision', message, null);
  }
  const same =
    owner.path === path
      ? l10n.t`Row ${owner.index} is also written to ${path}`
      : l10n.t`${path} and ${owner.path} of row ${owner.index} are the same file on a disk that ignores letter case`;
  return problemOf(
    row,
    'collision',
    l10n.t`${same}; add {index} to the output to make it unique`,
    placeholders[0] ?? null,
  );
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
