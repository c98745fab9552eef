// The length of a media file, by its own headers. In a file of its own, which is loaded when the first length is asked for.
import { ALL_FORMATS, CustomSource, Input } from 'mediabunny';
import type { ByteSource } from './files.ts';

/** Seconds; NaN for a file of an unknown kind. Throws on one that is broken. */
export async function readDuration({ size, read }: ByteSource): Promise<number> {
  const source = new CustomSource({ getSize: () => size, read, prefetchProfile: 'fileSystem' });
  const input = new Input({ source, formats: ALL_FORMATS });
  try {
    return (await input.canRead()) ? await input.computeDuration() : Number.NaN;
  } finally {
    input.dispose();
  }
}
