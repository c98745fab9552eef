// Finds executables on this machine.

import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { statIfExists } from './statIfExists.ts';

/** True when `path` is a file that this user may execute. */
export async function isExecutable(path: string): Promise<boolean> {
  const stats = await statIfExists(path);
  if (!stats?.isFile()) return false;
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** The paths of program `name` in all folders of PATH, in order. Does not check that they exist. */
export function candidatesOnPath(name: string, env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string[] {
  const separator = platform === 'win32' ? ';' : delimiter;
  const program = platform === 'win32' && !/\.exe$/i.test(name) ? `${name}.exe` : name;
  const folders = (env.PATH ?? env.Path ?? '').split(separator);
  return folders.filter((folder) => folder !== '').map((folder) => join(folder, program));
}

/** The program that a user gave as a path or as a name on PATH. `problem` is a predicate for an error message. */
export async function resolveProgram(
  given: string,
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
): Promise<{ path: string } | { problem: string }> {
  const path = resolve(given);
  if (await isExecutable(path)) return { path };
  const stats = await statIfExists(path);
  if (stats === undefined && given !== '' && !/[/\\]/.test(given)) {
    for (const candidate of candidatesOnPath(given, env, platform))
      if (await isExecutable(candidate)) return { path: candidate };
  }
  if (stats === undefined) return { problem: `does not exist: ${path}` };
  return { problem: `${stats.isFile() ? 'is not executable' : 'is not a file'}: ${path}` };
}
