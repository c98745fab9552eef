// A render's events and its report in a few words.
import type { CliError, CliEvent, CliReport, SourcePlace } from '../cli/cliEvents.ts';

/** What stands beside the bar; undefined for events that say nothing about the progress. */
export function progressText(event: CliEvent): string | undefined {
  if (event.type === 'stage') return event.message;
  if (event.type === 'frames') return `${event.done} of ${event.total} frames${leftText(event.remainingSeconds)}`;
  if (event.type !== 'rows') return undefined;
  const { total, completed, failed, remainingSeconds } = event;
  const faults = failed === 0 ? '' : `, ${failed} failed`;
  return `${completed + failed} of ${total} rows${faults}${leftText(remainingSeconds)}`;
}

/** How much of the work is done, in percent; undefined for events that do not say. */
export function progressPercent(event: CliEvent): number | undefined {
  if (event.type === 'frames') return (event.done / event.total) * 100;
  return event.type === 'rows' ? ((event.completed + event.failed) / event.total) * 100 : undefined;
}

const leftText = (seconds: number | null): string =>
  seconds === null ? '' : `, ${durationText(Math.ceil(seconds))} left`;

/** `300 frames, 10 s, 1.2 MB` */
export function reportText({ frames, durationSeconds, bytes }: CliReport): string {
  return [frames === 1 ? '1 frame' : `${frames} frames`, durationText(durationSeconds), bytesText(bytes)].join(', ');
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
  if (seconds < 60) return `${Number(seconds.toFixed(1))} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

function bytesText(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  const isSmall = bytes < 999_500;
  return `${(bytes / (isSmall ? 1e3 : 1e6)).toFixed(isSmall ? 0 : 1)} ${isSmall ? 'kB' : 'MB'}`;
}
