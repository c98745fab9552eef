// A render's events and its report in a few words.
import { l10n } from 'vscode';
import type { CliError, CliEvent, CliReport, SourcePlace } from '../cli/cliEvents.ts';

/** What stands beside the bar; undefined for events that say nothing about the progress. */
export function progressText(event: CliEvent): string | undefined {
  switch (event.type) {
    case 'stage':
      return event.message;
    case 'frames':
      return l10n.t('{0} of {1} frames', event.done, event.total) + leftText(event.remainingSeconds);
    case 'rows': {
      const done = event.completed + event.failed;
      const rows = l10n.t('{0} of {1} rows', done, event.total);
      const faults = event.failed === 0 ? '' : l10n.t(', {0} failed', event.failed);
      return rows + faults + leftText(event.remainingSeconds);
    }
    default:
      return remoteText(event);
  }
}

function remoteText(event: CliEvent): string | undefined {
  switch (event.type) {
    case 'bytes':
      return event.stage === 'upload' ? uploadText(event) : downloadText(event);
    case 'upload':
      return uploadText(event);
    case 'submitted':
    case 'started':
      return l10n.t('Accepted; waiting for its turn');
    case 'status':
      if (event.status === 'rendering') return l10n.t('Rendering, {0} %', Math.floor(event.progress * 100));
      return event.status === 'queued' ? l10n.t('Waiting for its turn') : undefined;
    case 'progress':
      return event.totalFrames === null
        ? l10n.t('Planning')
        : l10n.t('{0} of {1} frames', event.framesRendered, event.totalFrames) + costText(event.costs.usd);
    case 'retry':
      return event.message;
    default:
      return undefined;
  }
}

type Bytes = { done: number; total: number | null };

const uploadText = ({ done, total }: Bytes): string =>
  l10n.t('Uploading {0} of {1}', bytesText(done), bytesText(total ?? done));

const downloadText = ({ done, total }: Bytes): string =>
  total === null
    ? l10n.t('Downloading {0}', bytesText(done))
    : l10n.t('Downloading {0} of {1}', bytesText(done), bytesText(total));

/** How much of the work is done, in percent; undefined for events that do not say. */
export function progressPercent(event: CliEvent): number | undefined {
  switch (event.type) {
    case 'frames':
      return part(event.done, event.total) * 100;
    case 'rows':
      return part(event.completed + event.failed, event.total) * 100;
    // Elsewhere the way there and back is a tenth each.
    case 'upload':
      return part(event.done, event.total) * 10;
    case 'bytes':
      if (event.total === null) return undefined;
      return part(event.done, event.total) * 10 + (event.stage === 'upload' ? 0 : 90);
    case 'status':
      return 10 + event.progress * 80;
    case 'progress':
      return 10 + event.overallProgress * 80;
    default:
      return undefined;
  }
}

const part = (done: number, total: number): number => (total > 0 ? Math.min(1, done / total) : 0);

const leftText = (seconds: number | null): string =>
  seconds === null ? '' : l10n.t(', {0} left', durationText(Math.ceil(seconds)));

const costText = (usd: number): string => (usd > 0 ? l10n.t(', about {0} so far', dollarsText(usd)) : '');

/** Small prices with what is left of them. */
export const dollarsText = (usd: number): string => `$${usd < 0.01 ? usd.toFixed(5) : usd.toFixed(3)}`;

/** `300 frames, 10 s, 1.2 MB` */
export function reportText({ frames, durationSeconds, bytes }: CliReport): string {
  const count = frames === 1 ? l10n.t('1 frame') : l10n.t('{0} frames', frames);
  return [count, durationText(durationSeconds), bytesText(bytes)].join(', ');
}

/** `, with 2 warnings`; nothing without. */
export function warnedText(warnings: number): string {
  if (warnings === 0) return '';
  return warnings === 1 ? l10n.t(', with a warning') : l10n.t(', with {0} warnings', warnings);
}

/** The place of an error, or of the first of its problems, with a short path for what is in the project folder. */
export function errorPlace({ place, problems }: CliError, folder: string): SourcePlace | undefined {
  const found = place ?? problems?.find((problem) => problem.place)?.place;
  const [plain, base] = [found?.file.replaceAll('\\', '/') ?? '', `${folder.replaceAll('\\', '/')}/`];
  return found && plain.startsWith(base) ? { ...found, file: plain.slice(base.length) } : found;
}

/** The first line of a message as a sentence: what it announces below is in the log. */
export function firstSentence(message: string): string {
  const [first = ''] = message.split('\n');
  return /[.!?]$/.test(first) ? first : `${first.replace(/:$/, '')}.`;
}

export function durationText(seconds: number): string {
  if (seconds < 60) return l10n.t('{0} s', Number(seconds.toFixed(1)));
  const whole = Math.round(seconds);
  return l10n.t('{0} min {1} s', Math.floor(whole / 60), whole % 60);
}

export function bytesText(bytes: number): string {
  if (bytes < 1000) return l10n.t('{0} bytes', bytes);
  return bytes < 999_500 ? l10n.t('{0} kB', (bytes / 1e3).toFixed(0)) : l10n.t('{0} MB', (bytes / 1e6).toFixed(1));
}
