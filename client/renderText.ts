// A render's events and its report in a few words.
import type { CliEvent, CliReport } from './cliEvents.ts';

/** What stands beside the bar; undefined for events that say nothing about the progress. */
export function progressText(event: CliEvent): string | undefined {
  if (event.type === 'stage') return event.message;
  if (event.type !== 'frames') return undefined;
  const { done, total, remainingSeconds } = event;
  const left = remainingSeconds === null ? '' : `, ${durationText(Math.ceil(remainingSeconds))} left`;
  return `${done} of ${total} frames${left}`;
}

/** `300 frames, 10 s, 1.2 MB` */
export function reportText({ frames, durationSeconds, bytes }: CliReport): string {
  return [frames === 1 ? '1 frame' : `${frames} frames`, durationText(durationSeconds), bytesText(bytes)].join(', ');
}

function durationText(seconds: number): string {
  if (seconds < 60) return `${Number(seconds.toFixed(1))} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

function bytesText(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  const isSmall = bytes < 999_500;
  return `${(bytes / (isSmall ? 1e3 : 1e6)).toFixed(isSmall ? 0 : 1)} ${isSmall ? 'kB' : 'MB'}`;
}
