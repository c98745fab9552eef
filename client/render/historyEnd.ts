// Converts the outcome of a job to a change of its history entry.
import { l10n } from 'vscode';
import type { Outcome } from './cliJob.ts';
import type { RenderEntry } from './history.ts';

type End = Pick<
  RenderEntry,
  'state' | 'output' | 'error' | 'message' | 'percent' | 'measured' | 'poster' | 'usedDefaults'
> & {
  lines: string[];
};

/** A render with a `remoteId` continues after it was cancelled here, so its state stays `running`. */
export function endOf(outcome: Outcome, remoteId: string | undefined): End {
  if (outcome === 'cancelled') {
    const message = l10n.t('Continues remotely');
    return remoteId === undefined ? { state: 'cancelled', lines: [] } : { state: 'running', message, lines: [message] };
  }
  if ('error' in outcome) {
    const { message, hint } = outcome.error;
    return { state: 'failed', error: message, lines: [message, ...(hint === undefined ? [] : [hint])] };
  }
  const { report, remoteResult } = outcome;
  if (report && 'manifest' in report) {
    const { manifest, total, failed, skipped, skippedInvalid = 0, usedDefaults = 0 } = report;
    // The user has decided to leave out invalid rows.
    const missing = failed + skipped - skippedInvalid;
    const error = l10n.t('{0} of {1} rows were not rendered.', missing, total);
    if (missing > 0) return { state: 'failed', output: manifest, error, lines: [error] };
    const defaults = usedDefaults > 0 ? { usedDefaults } : {};
    return { state: 'completed', output: manifest, percent: 100, lines: [], ...defaults };
  }
  if (report) {
    const { output, frames, width, height, bytes, elapsedMs, posterSeconds } = report;
    const measured = { frames, pixels: width * height, bytes, elapsedMs };
    return {
      state: 'completed',
      percent: 100,
      lines: [],
      output,
      measured,
      ...(posterSeconds === undefined ? {} : { poster: posterSeconds }),
    };
  }
  const output = outputOf(remoteResult);
  return { state: 'completed', percent: 100, lines: [], ...(output === undefined ? {} : { output }) };
}

/** The path that a render in the cloud or on AWS was downloaded to. */
export function outputOf(remoteResult: unknown): string | undefined {
  const hasOutput = typeof remoteResult === 'object' && remoteResult !== null && 'output' in remoteResult;
  const output = hasOutput ? remoteResult.output : undefined;
  return typeof output === 'string' ? output : undefined;
}
