// Reads the duration of a media file from its headers. A separate file so that mediabunny is loaded only on first use.
import { ALL_FORMATS, CustomSource, Input } from 'mediabunny';
import type { ByteSource } from './files.ts';

/** Returns seconds; NaN for an unknown format. Throws if the file is damaged. */
export async function readDuration({ size, read }: ByteSource): Promise<number> {
  const source = new CustomSource({ getSize: () => size, read, prefetchProfile: 'fileSystem' });
  const input = new Input({ source, formats: ALL_FORMATS });
  try {
    return (await input.canRead()) ? await input.computeDuration() : Number.NaN;
  } finally {
    input.dispose();
  }
}
