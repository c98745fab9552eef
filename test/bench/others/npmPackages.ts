// Installs programs that are compared with this project once, into a folder that git ignores.
import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Returns the folder with the packages' `node_modules`. Installs them unless the folder has exactly these. */
export async function installPackages(
  name: string,
  packages: readonly string[],
  env: Record<string, string> = {},
): Promise<string> {
  const folder = join(import.meta.dirname, '../../../.cache', name);
  const stamp = join(folder, 'installed.txt');
  const wanted = packages.join(' ');
  if ((await readFile(stamp, 'utf8').catch(() => '')).trim() === wanted) return folder;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{ "private": true }\n');
  await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', ...packages], {
    cwd: folder,
    env: { ...process.env, ...env },
    shell: process.platform === 'win32',
  });
  await writeFile(stamp, `${wanted}\n`);
  return folder;
}
