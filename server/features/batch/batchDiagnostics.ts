// Converts the problems of a batch file to diagnostics.
import { type Diagnostic, DiagnosticSeverity } from 'vscode-languageserver-types';
import type { BatchProblem } from '../../../renderer-core/plan/batchFile.ts';
import { diagnosticSource } from '../diagnostics.ts';
import { type BatchFile, batchRange } from './batchFile.ts';

/** Limits the list if the same mistake is in every row of a long file. */
const maxDiagnostics = 500;

/** Removes duplicates: a wrong CSV column is reported once, not for every row. */
export function batchDiagnostics(batch: BatchFile): Diagnostic[] {
  const seen = new Set<string>();
  const problems = batch.read().problems.filter(({ span, message }) => {
    const key = `${span.start} ${span.end} ${message}`;
    return !seen.has(key) && seen.add(key);
  });
  const more = problems.length - maxDiagnostics;
  return problems.slice(0, maxDiagnostics).map((problem, index) => {
    const isLast = more > 0 && index === maxDiagnostics - 1;
    return diagnostic(batch, problem, isLast ? ` (${more} more problems not shown)` : '');
  });
}

const severities = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  note: DiagnosticSeverity.Information,
} as const;

function diagnostic(batch: BatchFile, { severity, span, message, code }: BatchProblem, more: string): Diagnostic {
  return {
    range: batchRange(batch, span),
    severity: severities[severity],
    source: diagnosticSource,
    code: `batch-${code}`,
    message: message + more,
  };
}
