// When the browser was built. Untrusted pages need one with the latest security fixes.
import { readFile, realpath, stat } from 'node:fs/promises';
import { pinnedBrowserBuilt } from '../setup/builds.ts';
import type { FoundBrowser } from './findBrowser.ts';

/** Chromium fixes security problems every week or two; distributions follow within days. */
export const maxBrowserAgeMs = 56 * 24 * 3600 * 1000;

/**
 * Unix milliseconds. For the pinned browser a constant, because files get the time at which they are unpacked. For others, the
 * time of the program, which packages of distributions keep.
 */
export async function browserBuilt({ path, source }: Pick<FoundBrowser, 'path' | 'source'>): Promise<number> {
  if (source === 'embedded' || source === 'set-up') return Date.parse(pinnedBrowserBuilt);
  const { mtimeMs } = await stat(await programOf(await realpath(path)));
  return mtimeMs;
}

/** Distributions start the browser by a small script, which they change more rarely. */
async function programOf(path: string): Promise<string> {
  const { size } = await stat(path);
  if (size > 65_536) return path;
  const text = await readFile(path, 'utf8');
  return /(?<=^\s*(?:exec\s+)?"?)\/[\w./-]*chrom[\w./-]*/m.exec(text)?.[0] ?? path;
}
