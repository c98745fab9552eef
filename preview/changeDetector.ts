// Detects whether a file has really changed: editors report one save several times, and also unsaved text that is saved later.
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Overlay } from './overlay.ts';

/** Returns a function that reports whether a file has changed since the last call with its path; true for the first call. */
export function createChangeDetector(root: string, files: Overlay): (path: string, isText: boolean) => boolean {
  const states = new Map<string, string>();
  /** Files that an editor has sent. They are compared by content; other files may be large and are compared by stats. */
  const texts = new Set<string>();
  return (path, isText) => {
    if (isText) texts.add(path);
    const state = texts.has(path) ? contentOf(files.read(path)) : statOf(join(root, path));
    const isChanged = states.get(path) !== state;
    states.set(path, state);
    return isChanged;
  };
}

const contentOf = (text = ''): string => createHash('sha256').update(text).digest('base64');

function statOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat ? `${stat.mtimeMs} ${stat.size}` : 'none';
}
