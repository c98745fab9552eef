// Hashes the inputs of a row's video. A later run skips rows whose hash and output have not changed.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { PlanDraft } from '../../plan/plan.ts';

/**
 * Hash of every file in the project folder that a page can load, by path and content. `without`: absolute paths of files
 * and folders to leave out, because the batch writes them.
 */
export async function hashProject(root: string, without: ReadonlySet<string>): Promise<string> {
  const hash = createHash('sha256');
  for await (const [path, file] of filesOf(root, '', without)) {
    hash.update(`${path}\0${await hashFile(file)}\n`);
  }
  return hash.digest('hex');
}

/** In sorted order, because the order of folder entries is not fixed. Hidden files are not served to pages. */
async function* filesOf(
  root: string,
  below: string,
  without: ReadonlySet<string>,
  parents: readonly string[] = [],
): AsyncGenerator<[path: string, file: string]> {
  const folder = join(root, below);
  const real = await realpath(folder).catch(() => undefined);
  // A link to a parent folder would lead to an endless loop.
  if (real === undefined || parents.includes(real)) return;
  for (const name of (await readdir(folder).catch(() => [])).sort()) {
    const file = join(folder, name);
    if (name.startsWith('.') || without.has(file)) continue;
    const path = below === '' ? name : `${below}/${name}`;
    const info = await stat(file).catch(() => undefined);
    if (info?.isDirectory()) yield* filesOf(root, path, without, [...parents, real]);
    else if (info?.isFile()) yield [path, file];
  }
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  } catch {
    // An unreadable file is not served to pages.
    return 'unreadable';
  }
  return hash.digest('hex');
}

/** Hash of one row. Options that do not change the frames (workers, executables) are not included. */
export function hashInputs(project: string, draft: PlanDraft, capture: string): string {
  const { output, ...inputs } = draft;
  return createHash('sha256')
    .update(canonical({ project, capture, ...inputs }))
    .digest('hex');
}

/** JSON with sorted keys. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
}
