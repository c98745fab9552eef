// Programs on this machine: whether one can be run, and where PATH has it.
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';

/** True when `path` is a file that this user may run. */
export async function isExecutable(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined);
  if (!stats?.isFile()) return false;
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** Every place where PATH could have the program `name`, in PATH's order; nothing is looked at. */
export function placesOnPath(name: string, env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string[] {
  const separator = platform === 'win32' ? ';' : delimiter;
  const program = platform === 'win32' && !/\.exe$/i.test(name) ? `${name}.exe` : name;
  const folders = (env.PATH ?? env.Path ?? '').split(separator);
  return folders.filter((folder) => folder !== '').map((folder) => join(folder, program));
}

/** The program that the user named, by a path or by a bare name that PATH knows; or what is wrong with it. */
export async function namedProgram(
  named: string,
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
): Promise<{ path: string } | { problem: string }> {
  const path = resolve(named);
  if (await isExecutable(path)) return { path };
  const stats = await stat(path).catch(() => undefined);
  if (stats === undefined && named !== '' && !/[/\\]/.test(named)) {
    for (const place of placesOnPath(named, env, platform)) if (await isExecutable(place)) return { path: place };
  }
  if (stats === undefined) return { problem: `does not exist: ${path}` };
  return { problem: `${stats.isFile() ? 'is not executable' : 'is not a file'}: ${path}` };
}
