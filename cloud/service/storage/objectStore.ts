// The port to the storage of projects, videos and thumbnails: a folder on disk or an S3 bucket.
import type { Readable } from 'node:stream';

/** How clients see a file. `filename`: the name for downloads. */
export type FileLabel = { filename: string; contentType: string };

/** Keys are generated, never user input: `assets/<id>.zip`, `videos/<render id>.mp4`. */
export type ObjectStore = {
  /** Creates or replaces an object atomically. Returns its size in bytes. */
  put(key: string, body: Readable, options: { contentType: string; signal?: AbortSignal }): Promise<number>;
  /**
   * Reads from `start` to `end`, both included. Returns undefined if there is no such object. `size` is that of the
   * whole object.
   */
  get(key: string, range?: { start: number; end: number }): Promise<{ body: Readable; size: number } | undefined>;
  size(key: string): Promise<number | undefined>;
  delete(key: string): Promise<void>;
  /** Returns a URL that is publicly readable until `expiresAt` (Unix milliseconds). */
  signedUrl(key: string, options: FileLabel & { expiresAt: number }): Promise<string>;
  /** The origin to which `signedUrl` leads, if it is not that of the service. */
  origin?: string;
};

/** The header that names a file. */
export const disposition = (filename: string): string => `inline; filename="${filename.replaceAll(/[^\w.-]/g, '_')}"`;
