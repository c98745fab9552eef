// Reads files of a project, and refuses links that lead out of the project folder.
import { type Dirent, existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { type DecodedText, decodeText } from '../model/text/textEncoding.ts';
import { undecodable } from './decodeFile.ts';
import { isIgnoredName } from './ignoreRules.ts';
import { pathInside } from './pathInside.ts';
import { isHtmlPath } from './projectFiles.ts';

/** Paths are project-relative, with slashes. */
export type FilesInside = {
  exists(path: string): boolean;
  /**
   * The text of a file, in the encoding that it declares, else in `fallback` or UTF-8. Undefined when the file does not exist.
   * Throws UserError `composition_invalid` for an HTML file that cannot be decoded.
   */
  read(path: string, fallback?: string): string | undefined;
  /** Like `read`, with the encoding. Never throws. */
  decode(path: string, fallback?: string): DecodedText | undefined;
  /** Whether the path is a link to a file outside the project folder. */
  escapesProject(path: string): boolean;
  /** The names in a folder, sorted in UTF-16 code units; none if there is no such folder. */
  list(folder: string): string[];
  /** The paths of the HTML files in all folders that are not ignored, sorted. Links to folders are not followed. */
  htmlFiles(): string[];
};

export function readInside(root: string): FilesInside {
  const realRoot = realpathSync(root);
  const inside = (path: string): string | undefined => {
    const full = join(root, path);
    if (!existsSync(full)) return undefined;
    const real = realpathSync(full);
    return pathInside(realRoot, real) && statSync(real).isFile() ? real : undefined;
  };
  const folderInside = (path: string): string | undefined => {
    const full = join(root, path);
    const real = existsSync(full) ? realpathSync(full) : undefined;
    return real && pathInside(realRoot, real) && statSync(real).isDirectory() ? real : undefined;
  };
  const decode = (path: string, fallback?: string): DecodedText | undefined => {
    const real = inside(path);
    return real === undefined ? undefined : decodeText(readFileSync(real), path, fallback);
  };
  return {
    exists: (path) => inside(path) !== undefined,
    escapesProject: (path) =>
      inside(path) === undefined && existsSync(join(root, path)) && statSync(join(root, path)).isFile(),
    decode,
    read(path, fallback) {
      const decoded = decode(path, fallback);
      if (decoded?.invalidAt != null && isHtmlPath(path)) throw undecodable(path, decoded, decoded.invalidAt);
      return decoded?.text;
    },
    list(folder) {
      const real = folderInside(folder);
      return real === undefined ? [] : readdirSync(real).sort();
    },
    htmlFiles: () => htmlFiles(root),
  };
}

function htmlFiles(root: string): string[] {
  const found: string[] = [];
  const folders = [''];
  // The loop appends subfolders to the list.
  for (const folder of folders) {
    for (const entry of entriesOf(join(root, folder))) {
      const path = posix.join(folder, entry.name);
      if (isIgnoredName(entry.name, entry.isDirectory())) continue;
      if (entry.isDirectory()) folders.push(path);
      else if (isHtmlPath(path)) found.push(path);
    }
  }
  return found.sort();
}

/** A folder that cannot be read counts as empty. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
