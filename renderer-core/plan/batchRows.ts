// The rows of a batch, and the problems in its file.
import type { Span } from '../model/text/spans.ts';
import type { ValueIssue } from '../model/variables/valueIssue.ts';

/**
 * A problem of a batch. `row` counts from 0, like `{index}`; null if the file itself is invalid, or if it is a problem of a
 * value for every row, which has an `issue` and no span. `issue`: the value does not match its declaration.
 */
export type BatchProblem = {
  code: 'file' | 'skipped' | 'duplicate' | 'placeholder' | 'collision' | 'outside' | 'variable' | 'output';
  severity: 'error' | 'warning' | 'note';
  row: number | null;
  /** The JSON path of keys and indices; empty for the whole file. */
  path: (string | number)[];
  span: Span;
  message: string;
  issue?: ValueIssue;
};

/**
 * One row of the file. `spanOf` is the span of a key's value, `keySpanOf` that of the key (in CSV, of the column name); both
 * return the span of the row if it does not have the key.
 */
export type BatchRow = {
  index: number;
  span: Span;
  path: (string | number)[];
  variables: Record<string, unknown>;
  spanOf(key: string): Span;
  keySpanOf(key: string): Span;
};

/** What happens to rows with values that do not fit: they use defaults, they are not rendered, or nothing is rendered. */
export const invalidRowsChoices = ['defaults', 'skip', 'fail'] as const;
export type InvalidRows = (typeof invalidRowsChoices)[number];

export type BatchRows = { rows: BatchRow[]; problems: BatchProblem[] };

export function collectRows(found: readonly (BatchRow | BatchProblem)[]): BatchRows {
  return {
    rows: found.filter((one): one is BatchRow => 'variables' in one),
    problems: found.filter((one): one is BatchProblem => 'severity' in one),
  };
}

export const broken = (message: string, span: Span): BatchRows => ({
  rows: [],
  problems: [fileProblem(message, span)],
});

export function fileProblem(message: string, span: Span): BatchProblem {
  return { code: 'file', severity: 'error', row: null, path: [], span, message };
}
