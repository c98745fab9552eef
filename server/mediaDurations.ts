// How long media files are, found out when somebody first asks and kept until the file changes.
import type { Files } from './files.ts';
import { uriKey } from './uris.ts';

export type MediaDurations = {
  /** Seconds, once they are known; the first question starts the look into the file. */
  of(uri: string): number | undefined;
  /** The file has changed. */
  forget(uri: string): void;
};

/** `null` while nobody knows, and for good where the file cannot be read. */
type Known = Map<string, number | null>;

const isMedia = /\.(?:mp4|m4v|mov|webm|mkv|mp3|m4a|aac|wav|flac|ogg|oga|opus|ts)$/i;

/** `onFound` is called for every file that turns out to have a length. */
export function createMediaDurations(
  files: Files,
  onFound: () => void,
  onError: (error: unknown) => void,
): MediaDurations {
  const known: Known = new Map();
  // One after another: these questions are never urgent.
  let queue = Promise.resolve();
  const look = async (uri: string, key: string): Promise<void> => {
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
        queue = queue.then(() => look(uri, key));
      }
      return seconds ?? undefined;
    },
    forget: (uri) => void known.delete(uriKey(uri)),
  };
}
