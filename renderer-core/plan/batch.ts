// Checks a whole batch before its first row renders: every row's output and values, every problem with its place.
import { checkValues } from '../model/values.ts';
import type { VariableDeclaration } from '../model/variables.ts';
import type { BatchProblem, BatchRow, BatchRows } from './batchFile.ts';
import { collisionKey, fillTemplate, type OutputTemplate, readTemplate } from './outputTemplate.ts';

/** A row that can be rendered. `output` is the template's folder and the row's own path below it. */
export type CheckedRow = { index: number; variables: Record<string, unknown>; output: string };

export type BatchCheck = {
  /** The rows without an error; complete only where no problem is an error. */
  rows: CheckedRow[];
  /** In the order of the rows. */
  problems: BatchProblem[];
  template: OutputTemplate;
};

export type BatchOptions = {
  /** Variable issues are errors, not warnings. */
  strict?: boolean;
  /** Values for every row, below the row's own. */
  common?: Readonly<Record<string, unknown>>;
  /** Backslashes are separators, and some names are not allowed. */
  isWindows?: boolean;
};

/** The file of the statuses, in the output folder. */
export const manifestName = 'manifest.json';

/** Never throws. The problems of `batch` itself come along. */
export function checkBatchRows(
  batch: BatchRows,
  declarations: readonly VariableDeclaration[],
  output: string,
  options: BatchOptions = {},
): BatchCheck {
  const template = readTemplate(output, options.isWindows);
  const rows: CheckedRow[] = [];
  const problems = [...batch.problems];
  /** Whose output a path is; the manifest is nobody's. */
  const taken = new Map<string, { index: number; path: string } | null>([[manifestName, null]]);
  for (const row of batch.rows) {
    const variables = { ...options.common, ...row.variables };
    const values = valueProblems(row, variables, declarations, template, options.strict ?? false);
    const filled = fillTemplate(template, row.index, variables, options.isWindows);
    const faults = Array.isArray(filled)
      ? filled.map((fault) => problemOf(row, fault.code, fault.message, fault.key))
      : [];
    const path = Array.isArray(filled) ? undefined : filled.path;
    if (path !== undefined) {
      const key = collisionKey(path);
      const owner = taken.get(key);
      if (owner !== undefined) faults.push(collision(row, path, owner, template));
      else taken.set(key, { index: row.index, path });
    }
    problems.push(...values, ...faults);
    if (path !== undefined && faults.length === 0)
      rows.push({ index: row.index, variables, output: joined(template, path) });
  }
  return { rows, problems: inOrder(problems), template };
}

const joined = ({ folder, text }: OutputTemplate, path: string): string => {
  if (folder === '.' && !text.startsWith('./')) return path;
  return folder.endsWith('/') ? `${folder}${path}` : `${folder}/${path}`;
};

function valueProblems(
  row: BatchRow,
  variables: Record<string, unknown>,
  declarations: readonly VariableDeclaration[],
  { placeholders }: OutputTemplate,
  isStrict: boolean,
): BatchProblem[] {
  // A key that the output's name is made of is there for a reason.
  const issues = checkValues(declarations, variables).filter(
    ({ kind, id }) => kind !== 'undeclared' || !placeholders.includes(id),
  );
  return issues.map(({ kind, id, message }) => ({
    ...problemOf(row, 'variable', message, id),
    ...(kind === 'undeclared' && { span: row.keySpanOf(id) }),
    severity: isStrict ? ('error' as const) : ('warning' as const),
  }));
}

function collision(
  row: BatchRow,
  path: string,
  owner: { index: number; path: string } | null,
  { placeholders, text }: OutputTemplate,
): BatchProblem {
  if (owner === null) return problemOf(row, 'collision', `${path} is the name of the batch's own manifest`, null);
  if (placeholders.length === 0) {
    const message = `Every row would be written to ${text}: put {index} or a key of the rows in braces into the output`;
    return problemOf(row, 'collision', message, null);
  }
  const same =
    owner.path === path
      ? `Row ${owner.index} is written to ${path} too`
      : `${path} and ${owner.path} of row ${owner.index} are one file where upper and lower case are the same`;
  return problemOf(row, 'collision', `${same}; {index} in the output makes it unique`, placeholders[0] ?? null);
}

function problemOf(row: BatchRow, code: BatchProblem['code'], message: string, key: string | null): BatchProblem {
  const path = key !== null && Object.hasOwn(row.variables, key) ? [...row.path, key] : row.path;
  const span = key === null ? row.span : row.spanOf(key);
  return { code, severity: 'error', row: row.index, path, span, message };
}

/** The file's own problems first. */
function inOrder(problems: BatchProblem[]): BatchProblem[] {
  return problems.sort((a, b) => (a.row ?? -1) - (b.row ?? -1));
}
