// How many bytes the files in a folder have, and how much of the disk the folder uses.
import type { Stats } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';

/** 0 if the folder does not exist. Files and folders that are deleted meanwhile are not counted. */
export function folderBytes(folder: string): Promise<number> {
  const bytes = (stats: Stats): number => (stats.isFile() ? stats.size : 0);
  return measure(folder, { bytes, maxBytes: Number.POSITIVE_INFINITY, maxDepth: Number.POSITIVE_INFINITY, hidden: 0 });
}

const blockBytes = 4096;
/** Every level keeps a folder open. Browsers and projects stay below. */
const maxDepth = 64;

/**
 * How much of the disk the files and folders in `folder` use, each at least one block. For untrusted content: stops counting
 * beyond `maxBytes`, and returns Infinity for folders that could hide files because they are too deep or not readable.
 */
export function diskUsage(folder: string, maxBytes: number): Promise<number> {
  const bytes = (stats: Stats): number => Math.max(stats.size, (stats.blocks || 0) * 512, blockBytes);
  return measure(folder, { bytes, maxBytes, maxDepth, hidden: Number.POSITIVE_INFINITY });
}

type Measure = {
  bytes: (stats: Stats) => number;
  maxBytes: number;
  maxDepth: number;
  /** The bytes of a folder whose content cannot be counted. */
  hidden: number;
};

/** Reads one entry after the other, so that the memory does not grow with the number of files. */
async function measure(folder: string, by: Measure, depth = 0): Promise<number> {
  if (depth > by.maxDepth) return by.hidden;
  let bytes = 0;
  try {
    for await (const { name } of await opendir(folder)) {
      const path = join(folder, name);
      // It may have been deleted in the meantime.
      const stats = await lstat(path).catch(() => undefined);
      if (stats === undefined) continue;
      bytes += by.bytes(stats);
      if (stats.isDirectory()) bytes += await measure(path, { ...by, maxBytes: by.maxBytes - bytes }, depth + 1);
      if (bytes > by.maxBytes) break;
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EACCES' || code === 'ENAMETOOLONG') return by.hidden;
  }
  return bytes;
}
