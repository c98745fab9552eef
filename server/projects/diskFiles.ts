// Reads files from the local disk, for `file:` URIs.
import type { Dirent } from 'node:fs';
import { open, readdir, readFile, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ByteSource, decoded, type Files, isSkipped, type Listing, maxTextBytes } from './files.ts';

export const diskFiles: Files = {
  list: async (folderUri, limit) => {
    const folder = pathOf(folderUri);
    return folder === undefined ? { paths: [], isComplete: false } : walk(folder, limit);
  },
  readText: async (uri) => {
    const path = pathOf(uri);
    if (path === undefined) return undefined;
    try {
      const { size } = await stat(path);
      return size > maxTextBytes ? undefined : await decoded(await readFile(path), uri);
    } catch {
      return undefined;
    }
  },
  openBytes: async (uri) => {
    const path = pathOf(uri);
    return path === undefined ? undefined : openFile(path);
  },
};

function pathOf(uri: string): string | undefined {
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}

/** Breadth first, so that the limit omits the deepest files. Links to folders are not followed because they can form cycles. */
async function walk(root: string, limit: number): Promise<Listing> {
  const paths: string[] = [];
  const links = new Map<string, string | null>();
  let level = [''];
  while (level.length > 0) {
    const below: string[] = [];
    for (const [index, entries] of (await Promise.all(level.map((path) => entriesOf(join(root, path))))).entries()) {
      const folder = level[index] ?? '';
      for (const entry of entries) {
        const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
        if (entry.isDirectory()) {
          if (!isSkipped(entry.name)) below.push(path);
        } else paths.push(path);
        if (entry.isSymbolicLink()) links.set(path, await targetBelow(root, path));
      }
      if (paths.length > limit) return { paths: paths.slice(0, limit), isComplete: false, links };
    }
    level = below;
  }
  return { paths, isComplete: true, links };
}

/** The target of a link relative to the folder; null if it is outside. A broken link counts as inside, where nothing is. */
async function targetBelow(root: string, path: string): Promise<string | null> {
  const target = await realpath(join(root, path)).catch(() => undefined);
  if (target === undefined) return path;
  const below = relative(await realpath(root), target);
  return below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below) ? null : below.split(sep).join('/');
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch(() => []);
}

async function openFile(path: string): Promise<ByteSource | undefined> {
  try {
    const file = await open(path);
    const { size } = await file.stat();
    return {
      size,
      async read(start, end) {
        const { buffer, bytesRead } = await file.read(new Uint8Array(end - start), 0, end - start, start);
        return buffer.subarray(0, bytesRead);
      },
      // It was only read.
      close: () => void file.close().catch(() => undefined),
    };
  } catch {
    return undefined;
  }
}
