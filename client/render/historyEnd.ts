// What the history keeps of a render's end.
import { l10n } from 'vscode';
import type { Outcome } from './cliJob.ts';
import type { RenderEntry } from './history.ts';

type End = Pick<RenderEntry, 'state' | 'output' | 'error' | 'message' | 'percent'> & { lines: string[] };

/** What runs elsewhere under `remoteId` goes on when nobody waits for it any longer: it stays `running`. */
export function endOf(outcome: Outcome, remoteId: string | undefined): End {
  if (outcome === 'cancelled') {
    const message = l10n.t('Nobody waits for it here; it goes on.');
    return remoteId === undefined ? { state: 'cancelled', lines: [] } : { state: 'running', message, lines: [message] };
  }
  if ('error' in outcome) {
    const { message, hint } = outcome.error;
    return { state: 'failed', error: message, lines: [message, ...(hint === undefined ? [] : [hint])] };
  }
  const { report, answer } = outcome;
  if (report && 'manifest' in report) {
    const { manifest, total, failed, skipped } = report;
    const lost = failed + skipped;
    const error = l10n.t('{0} of {1} rows were not rendered.', lost, total);
    if (lost > 0) return { state: 'failed', output: manifest, error, lines: [error] };
    return { state: 'completed', output: manifest, percent: 100, lines: [] };
  }
  const output = report?.output ?? outputOf(answer);
  return { state: 'completed', percent: 100, lines: [], ...(output === undefined ? {} : { output }) };
}

/** Where a render elsewhere was brought to: the `output` of its answer. */
export function outputOf(answer: unknown): string | undefined {
  const output = typeof answer === 'object' && answer !== null && 'output' in answer ? answer.output : undefined;
  return typeof output === 'string' ? output : undefined;
}
