// The port to where projects, videos and thumbnails are kept: a folder on disk, or a bucket of S3.
import type { Readable } from 'node:stream';

/** Keys are ours, never a user's text: `assets/<id>.zip`, `videos/<render id>.mp4`. */
export type ObjectStore = {
  /** Appears whole or not at all; an existing one is replaced. Returns its length in bytes. */
  put(key: string, body: Readable, options: { contentType: string; signal?: AbortSignal }): Promise<number>;
  /** From `start` to `end`, both included; undefined when there is none of that key. */
  get(key: string, range?: { start: number; end: number }): Promise<{ body: Readable; size: number } | undefined>;
  size(key: string): Promise<number | undefined>;
  delete(key: string): Promise<void>;
  /** A URL at which anybody can read it until `expiresAt`, unix milliseconds. `filename` is what a browser saves it under. */
  signedUrl(key: string, options: { expiresAt: number; filename: string; contentType: string }): Promise<string>;
};
