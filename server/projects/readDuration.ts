// Reads the duration of a media file from its headers. A separate file so that mediabunny is loaded only on first use.
import { ADTS, CustomSource, FLAC, Input, MATROSKA, MP3, MP4, MPEG_TS, OGG, QTFF, WAVE, WEBM } from 'mediabunny';
import type { ByteSource } from './files.ts';

/** HLS is left out, because its files only name other files. */
const formats = [MP4, QTFF, MATROSKA, WEBM, WAVE, OGG, FLAC, MP3, ADTS, MPEG_TS];

/** Returns seconds; NaN for an unknown format. Throws if the file is damaged. */
export async function readDuration({ size, read }: ByteSource): Promise<number> {
  const source = new CustomSource({ getSize: () => size, read, prefetchProfile: 'fileSystem' });
  const input = new Input({ source, formats });
  try {
    return (await input.canRead()) ? await input.computeDuration() : Number.NaN;
  } finally {
    input.dispose();
  }
}
