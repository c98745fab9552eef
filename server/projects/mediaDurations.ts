// Durations of media files, read on first use and cached until the file changes.

import { uriKey } from '../uris.ts';
import type { Files } from './files.ts';

export type MediaDurations = {
  /** The duration in seconds if known. The first call starts reading it. */
  of(uri: string): number | undefined;
  /** Call when the file has changed. */
  forget(uri: string): void;
};

/** `null`: not yet read, or unreadable. */
type Known = Map<string, number | null>;

const isMedia = /\.(?:mp4|m4v|mov|webm|mkv|mp3|m4a|aac|wav|flac|ogg|oga|opus|ts)$/i;

/** `onFound` is called each time a duration becomes known. */
export function createMediaDurations(
  files: Files,
  onFound: () => void,
  onError: (error: unknown) => void,
): MediaDurations {
  const known: Known = new Map();
  // One after another, because these reads are never urgent.
  let queue = Promise.resolve();
  const readInto = async (uri: string, key: string): Promise<void> => {
    const source = await files.openBytes(uri);
    if (!source) return;
    try {
      const { readDuration } = await import('./readDuration.ts');
      const seconds = await readDuration(source);
      if (!Number.isFinite(seconds) || seconds <= 0 || !known.has(key)) return;
      known.set(key, seconds);
      onFound();
    } catch (error) {
      onError(error);
    } finally {
      source.close();
    }
  };
  return {
    of(uri) {
      const key = uriKey(uri);
      const seconds = known.get(key);
      if (seconds === undefined && isMedia.test(key)) {
        known.set(key, null);
        queue = queue.then(() => readInto(uri, key));
      }
      return seconds ?? undefined;
    },
    forget: (uri) => void known.delete(uriKey(uri)),
  };
}
