// What is wrong in a batch file, in the words of the Language Server Protocol.
import { type Diagnostic, DiagnosticSeverity } from 'vscode-languageserver-types';
import type { BatchProblem } from '../../renderer-core/plan/batchFile.ts';
import { type BatchFile, batchRange } from './batchFile.ts';
import { diagnosticSource } from './diagnostics.ts';

/** One mistake in every row of a long file helps nobody find the others. */
const mostDiagnostics = 500;

/** One diagnostic for each problem and place: a column of a CSV is wrong once, not in every row. */
export function batchDiagnostics(batch: BatchFile): Diagnostic[] {
  const seen = new Set<string>();
  const problems = batch.read().problems.filter(({ span, message }) => {
    const key = `${span.start} ${span.end} ${message}`;
    return !seen.has(key) && seen.add(key);
  });
  const more = problems.length - mostDiagnostics;
  return problems.slice(0, mostDiagnostics).map((problem, index) => {
    const isLast = more > 0 && index === mostDiagnostics - 1;
    return diagnostic(batch, problem, isLast ? `; ${more} more problems follow` : '');
  });
}

function diagnostic(batch: BatchFile, { severity, span, message, code }: BatchProblem, more: string): Diagnostic {
  return {
    range: batchRange(batch, span),
    severity: severity === 'error' ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning,
    source: diagnosticSource,
    code: `batch-${code}`,
    message: message + more,
  };
}
