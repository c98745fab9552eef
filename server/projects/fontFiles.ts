// Reads the files of fonts, for samples in hovers.
import type { FontFiles } from '../features/hover/fontSample.ts';
import { joinUri } from '../uris.ts';
import type { Files } from './files.ts';

/** The URI of the folder of a package of pinned fonts; undefined if it is not on this machine. */
export type FindFontPackage = (name: string) => Promise<string | undefined>;

export function createFontFiles(files: Files, findPackage: FindFontPackage): FontFiles {
  const read = async (uri: string, maxBytes: number): Promise<Uint8Array | undefined> => {
    const source = await files.openBytes(uri);
    if (!source) return undefined;
    try {
      return source.size <= maxBytes ? await source.read(0, source.size) : undefined;
    } catch {
      // Such as a folder with the name of a font.
      return undefined;
    } finally {
      source.close();
    }
  };
  return {
    ofProject: read,
    async ofPackage(name, path, maxBytes) {
      const folder = await findPackage(name);
      return folder === undefined ? undefined : read(joinUri(folder, path), maxBytes);
    },
  };
}
