// Errors of the FFmpeg libraries, which report them as negative numbers.
import { FFmpegError } from 'node-av/lib';

/** Returns `status`. Throws an error with ffmpeg's reason if it is negative. */
export function check(status: number, what: string): number {
  if (status >= 0) return status;
  throw new Error(`${what}: ${FFmpegError.strerror(status)}`);
}

export function need<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new Error(what);
  return value;
}
