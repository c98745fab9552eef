// The folder into which `framework setup` installs programs.
import { readdir, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { cacheRoot, isOwnFolder } from '../project/cacheFolder.ts';
import { folderBytes } from '../project/folderBytes.ts';
import { isExecutable } from '../project/programs.ts';
import { executableOf, isUsable, type Program, programs } from './builds.ts';

export type ProgramSearchOptions = {
  env: NodeJS.ProcessEnv;
  home?: string;
  platform?: NodeJS.Platform;
  arch?: string;
};

/** `bytes` is the size of its folder. */
export type SetupProgram = { program: Program; version: string; folder: string; path: string; bytes: number };

/** The default folder: `FRAMEWORK_PROGRAMS_DIR`, or `programs` in the cache. */
export function programsFolder(env: NodeJS.ProcessEnv, home: string = homedir()): string {
  return env.FRAMEWORK_PROGRAMS_DIR ? resolve(env.FRAMEWORK_PROGRAMS_DIR) : join(cacheRoot(env, home), 'programs');
}

/** Such as `browser-linux-x64-153.0.8010.12`. Several machines can share a home folder. */
export function folderName(program: Program, version: string, platform: NodeJS.Platform, arch: string): string {
  return `${program}-${platform}-${arch}-${version}`;
}

/**
 * Absolute path of the newest version that `framework setup` has installed. Searches FRAMEWORK_PROGRAMS_DIR, which the
 * editor sets to its own folder, and then the cache of the user.
 */
export async function findSetupProgram(program: Program, options: ProgramSearchOptions): Promise<string | undefined> {
  const { env, home = homedir() } = options;
  const named = env.FRAMEWORK_PROGRAMS_DIR ? [programsFolder(env, home)] : [];
  const own = join(cacheRoot(env, home), 'programs');
  // The folder in the environment is trusted. The one in the cache must not be writable by other users.
  for (const folder of [...named, ...((await isOwnFolder(own)) ? [own] : [])]) {
    for (const { path, version } of await namesIn(folder, program, options))
      if (isUsable(version) && (await isExecutable(path))) return path;
  }
  return undefined;
}

type Named = { version: string; folder: string; path: string };

async function namesIn(folder: string, program: Program, options: ProgramSearchOptions): Promise<Named[]> {
  const { platform = process.platform, arch = process.arch } = options;
  const prefix = folderName(program, '', platform, arch);
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.startsWith(prefix));
  return names
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
    .map((name) => {
      const version = name.slice(prefix.length);
      const path = join(folder, name, ...executableOf(program, version, { platform, arch }).split('/'));
      return { version, folder: join(folder, name), path };
    });
}

/** The programs for this machine in `folder`, with their sizes. */
export async function listSetupPrograms(folder: string, options: ProgramSearchOptions): Promise<SetupProgram[]> {
  const lists = programs.map(async (program) =>
    Promise.all(
      (await namesIn(folder, program, options)).map(async (named) => ({
        program,
        ...named,
        bytes: await folderBytes(named.folder),
      })),
    ),
  );
  return (await Promise.all(lists)).flat();
}

/** Removes programs from `folder`, but no other files. Returns the removed programs. */
export async function removeSetupPrograms(
  folder: string,
  which: readonly Program[],
  options: ProgramSearchOptions,
): Promise<SetupProgram[]> {
  const found = (await listSetupPrograms(folder, options)).filter(({ program }) => which.includes(program));
  for (const each of found) await rm(each.folder, { recursive: true, force: true, maxRetries: 5 });
  return found;
}
