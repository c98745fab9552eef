// What a row's video is made of, as one hash: a later run leaves out the rows whose hash and whose file are still there.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { PlanDraft } from '../plan/plan.ts';

/**
 * Hash of every file of a project folder that a page may ask for, by path and content. `without` are absolute paths,
 * of files and folders, that are left out: what the batch itself writes.
 */
export async function hashProject(root: string, without: ReadonlySet<string>): Promise<string> {
  const hash = createHash('sha256');
  for await (const [path, file] of filesOf(root, '', without)) {
    hash.update(`${path}\0${await hashFile(file)}\n`);
  }
  return hash.digest('hex');
}

/** Sorted, so that the order of the folder does not count. Hidden names are not served. */
async function* filesOf(
  root: string,
  below: string,
  without: ReadonlySet<string>,
  parents: readonly string[] = [],
): AsyncGenerator<[path: string, file: string]> {
  const folder = join(root, below);
  const real = await realpath(folder).catch(() => undefined);
  // A link to a folder around it would never end.
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
    // A file that cannot be read is not served either.
    return 'unreadable';
  }
  return hash.digest('hex');
}

/** Hash of one row. What does not change the frames (workers, programs) is not in it. */
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
