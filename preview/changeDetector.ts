// Which changes of files that pages load are news: an editor tells of one save several times, and of what was typed before.
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Overlay } from './overlay.ts';

/** Says whether a file has become something else since it was asked about last; true for the first time. */
export function createFileStates(root: string, files: Overlay): (path: string, isText: boolean) => boolean {
  const states = new Map<string, string>();
  /** Files that an editor has sent: by what is in them. Others may be large. */
  const texts = new Set<string>();
  return (path, isText) => {
    if (isText) texts.add(path);
    const state = texts.has(path) ? contentOf(files.read(path)) : statOf(join(root, path));
    const isNews = states.get(path) !== state;
    states.set(path, state);
    return isNews;
  };
}

const contentOf = (text = ''): string => createHash('sha256').update(text).digest('base64');

function statOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat ? `${stat.mtimeMs} ${stat.size}` : 'none';
}
