// Lines of a serverless batch with values that do not fit: they use defaults, are skipped, or are errors.
import { UserError } from '../../../renderer-core/errors.ts';
import type { Composition } from '../../../renderer-core/model/composition.ts';
import { isMisfit } from '../../../renderer-core/model/variables/values.ts';
import type { InvalidRows } from '../../../renderer-core/plan/batchRows.ts';
import { checkValuesOf } from '../../../renderer-core/plan/valueProblems.ts';
import type { BatchEntry, EntryCheck } from '../../../serverless/renders/batch.ts';
import type { EntryResult } from '../../../serverless/renders/reports.ts';

export type InvalidLines = EntryCheck & {
  /** The lines that are not rendered. */
  skipped: EntryResult[];
  /** The variables with defaults, by line. */
  usedDefaults: ReadonlyMap<number, string[]>;
};

export function treatInvalidLines(
  { entries, problems }: EntryCheck,
  composition: Composition,
  mode: InvalidRows,
): InvalidLines {
  const misfits = new Map(
    entries.map(({ line, variables }) => [line, checkValuesOf(composition, variables).filter(isMisfit)]),
  );
  const of = (line: number) => misfits.get(line) ?? [];
  const isWrong = ({ line }: BatchEntry) => of(line).length > 0;
  const isFailure = (line: number, message: string) =>
    mode === 'fail' && of(line).some((one) => one.message === message);
  const wrong = entries.filter(isWrong);
  const withoutMisfits = ({ variables, ...entry }: BatchEntry): BatchEntry => {
    const ids = new Set(of(entry.line).map(({ id }) => id));
    return { ...entry, variables: Object.fromEntries(Object.entries(variables).filter(([id]) => !ids.has(id))) };
  };
  return {
    problems: problems.map((problem) =>
      isFailure(problem.line, problem.message) ? { ...problem, severity: 'error' } : problem,
    ),
    entries: mode === 'skip' ? entries.filter((entry) => !isWrong(entry)) : entries.map(withoutMisfits),
    skipped: mode === 'skip' ? wrong.map(({ line, outputKey }) => ({ line, outputKey, status: 'skipped' })) : [],
    usedDefaults: new Map(
      mode === 'skip' ? [] : wrong.map(({ line }) => [line, of(line).map(({ id }) => id)] as const),
    ),
  };
}

/** Throws UserError `usage`. */
export function invalidRowsMode(given: string | undefined, isStrict: boolean): InvalidRows {
  const mode = (given ?? (isStrict ? 'fail' : 'defaults')) as InvalidRows;
  if (!isStrict || mode === 'fail') return mode;
  throw new UserError('usage', `--strict-variables and --invalid-rows ${mode} contradict each other`, {
    hint: '--strict-variables starts nothing if a line is invalid. Use only one of them.',
  });
}
