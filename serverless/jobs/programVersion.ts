// Identifies the code of this program, so that chunks of one video are not rendered by different versions.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A hash of the bundles of the command line. The names of those that they load contain hashes of their content. */
export async function programVersion(): Promise<string> {
  const folder = dirname(fileURLToPath(import.meta.url));
  const names = (await readdir(folder)).filter((name) => /\.[cm]?[jt]s$/.test(name)).sort();
  const hash = createHash('sha256');
  for (const name of names) hash.update(name).update(await readFile(join(folder, name)));
  return hash.digest('hex').slice(0, 16);
}
