// Where the render host of this user and this build listens: a socket in a folder that only the user can open.
import { createHash, randomBytes } from 'node:crypto';
import { lstat, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { statIfExists } from '../../project/statIfExists.ts';

/** The program. */
export const hostProgram = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../../dist/renderHost.js' : './renderHost.js', import.meta.url),
);

/** Systems limit the path of a socket to 104 or 108 bytes. */
const longestPath = 100;

/**
 * The path of a socket, or the name of a pipe on Windows. Another build has another address, and so has another Node.js, such
 * as the editor's. Undefined if there can be no host: its program is missing, or other users can open the folder.
 */
export async function findHostAddress(cache: string): Promise<string | undefined> {
  const program = await statIfExists(hostProgram);
  const folder = join(cache, 'host');
  // `isPrivate` notices a folder that could not be created.
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch(() => undefined);
  if (!program || !(await isPrivate(folder))) return undefined;
  const isPipe = process.platform === 'win32';
  // All users see the names of pipes, so they must not be able to guess one before it exists.
  const secret = isPipe ? await readSecret(join(folder, 'pipe')) : '';
  const build = `${hostProgram} ${program.mtimeMs} ${program.size} ${process.execPath} ${secret}`;
  const name = createHash('sha256').update(build).digest('hex').slice(0, 24);
  if (isPipe) return `\\\\.\\pipe\\framework-${name}`;
  const path = join(folder, `${name}.sock`);
  return Buffer.byteLength(path) > longestPath ? undefined : path;
}

async function isPrivate(folder: string): Promise<boolean> {
  const stats = await lstat(folder).catch(() => undefined);
  if (!stats?.isDirectory()) return false;
  const me = process.getuid?.();
  return me === undefined || (stats.uid === me && (stats.mode & 0o077) === 0);
}

async function readSecret(path: string): Promise<string> {
  // Another process may have written it first.
  await writeFile(path, randomBytes(16).toString('hex'), { flag: 'wx', mode: 0o600 }).catch(() => undefined);
  return readFile(path, 'utf8');
}
