// Short texts for the events and the results of renders.

import { l10n } from 'vscode';
import type { SourceLocation } from '../../renderer-core/reports/errorJson.ts';
import type { CliError, CliEvent, CliReport } from '../cli/cliEvents.ts';

/** The text next to a progress bar; undefined for events without progress. */
export function progressText(event: CliEvent): string | undefined {
  switch (event.type) {
    case 'stage':
      return event.message;
    case 'frames':
      return l10n.t('{0} of {1} frames', event.done, event.total) + leftText(event.remainingSeconds);
    case 'assemble':
      return l10n.t('Joining the video') + leftText(event.remainingSeconds);
    case 'rows': {
      const done = event.completed + event.failed;
      const rows = l10n.t('{0} of {1} rows', done, event.total);
      const failed = event.failed === 0 ? '' : l10n.t(', {0} failed', event.failed);
      return rows + failed + leftText(event.remainingSeconds);
    }
    default:
      return remoteProgressText(event);
  }
}

function remoteProgressText(event: CliEvent): string | undefined {
  switch (event.type) {
    case 'bytes':
      return event.stage === 'upload' ? uploadText(event) : downloadText(event);
    case 'upload':
      return uploadText(event);
    case 'submitted':
    case 'started':
      return l10n.t('Accepted');
    case 'status':
      if (event.status === 'rendering') return l10n.t('Rendering, {0} %', Math.floor(event.progress * 100));
      return event.status === 'queued' ? l10n.t('Queued') : undefined;
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

/** Progress in percent; undefined for events without progress. */
export function progressPercent(event: CliEvent): number | undefined {
  switch (event.type) {
    case 'frames':
    case 'assemble':
      return event.fraction * 100;
    case 'rows':
      return ratio(event.completed + event.failed, event.total) * 100;
    // Remote renders: 10 % upload, 80 % render, 10 % download.
    case 'upload':
      return ratio(event.done, event.total) * 10;
    case 'bytes':
      if (event.total === null) return undefined;
      return ratio(event.done, event.total) * 10 + (event.stage === 'upload' ? 0 : 90);
    case 'status':
      return 10 + event.progress * 80;
    case 'progress':
      return 10 + event.overallProgress * 80;
    default:
      return undefined;
  }
}

const ratio = (done: number, total: number): number => (total > 0 ? Math.min(1, done / total) : 0);

const leftText = (seconds: number | null): string =>
  seconds === null ? '' : l10n.t(', {0} left', durationText(Math.ceil(seconds)));

const costText = (usd: number): string => (usd > 0 ? l10n.t(', about {0} so far', dollarsText(usd)) : '');

/** Prices below one cent are shown with five decimals. */
export const dollarsText = (usd: number): string => `$${usd < 0.01 ? usd.toFixed(5) : usd.toFixed(3)}`;

/** `300 frames, 10 s, 1.2 MB` */
export function reportText({ frames, durationSeconds, bytes }: CliReport): string {
  const count = frames === 1 ? l10n.t('1 frame') : l10n.t('{0} frames', frames);
  return [count, durationText(durationSeconds), bytesText(bytes)].join(', ');
}

/** `, with 2 warnings`, or an empty string. */
export function warnedText(warnings: number): string {
  if (warnings === 0) return '';
  return warnings === 1 ? l10n.t(', with 1 warning') : l10n.t(', with {0} warnings', warnings);
}

/** The location of an error or of its first problem. Paths in the project folder become relative. */
export function errorLocation({ place, problems }: CliError, folder: string): SourceLocation | undefined {
  const found = place ?? problems?.find((problem) => problem.place)?.place;
  return found && shortLocation(found, folder);
}

/** The location, whose path is relative to the project folder if the file is in it. */
export function shortLocation(location: SourceLocation, folder: string): SourceLocation {
  const [path, base] = [location.file.replaceAll('\\', '/'), `${folder.replaceAll('\\', '/')}/`];
  return path.startsWith(base) ? { ...location, file: path.slice(base.length) } : location;
}

/** The first line of a message as a sentence. Names such as `ffmpeg` stay in lower case. The other lines are in the log. */
export function firstSentence(message: string): string {
  const [line = ''] = message.split('\n');
  const text = line.replace(/^(?:an?|cannot|could|invalid|missing|none?|th(?:e|is|ese)|unknown)\b/, (word) =>
    word.replace(/^./, (letter) => letter.toUpperCase()),
  );
  return /[.!?]$/.test(text) ? text : `${text.replace(/:$/, '')}.`;
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

/** `4 s, 1.2 MB, 3 credits` or `1.2 MB, about $0.012`, from the result of a render in the cloud or on AWS. */
export function remoteFacts(result: unknown): string {
  if (typeof result !== 'object' || result === null) return '';
  const { duration, bytes, credits, outputFile, costs } = result as Record<string, unknown>;
  const size = numberOf(bytes) ?? numberOf((outputFile as { bytes?: unknown } | null | undefined)?.bytes);
  const usd = numberOf((costs as { usd?: unknown } | undefined)?.usd);
  const [seconds, price] = [numberOf(duration), numberOf(credits)];
  return [
    ...(seconds === undefined ? [] : [durationText(seconds)]),
    ...(size === undefined ? [] : [bytesText(size)]),
    ...(price === undefined ? [] : [price === 1 ? l10n.t('1 credit') : l10n.t('{0} credits', price)]),
    ...(usd === undefined ? [] : [l10n.t('about {0}', dollarsText(usd))]),
  ].join(', ');
}

const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
