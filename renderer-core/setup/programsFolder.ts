// The folder that `framework setup` puts programs into, and what is in it.
import { lstat, readdir, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { cacheRoot, isOwnFolder } from '../project/cacheFolder.ts';
import { isExecutable } from '../project/programs.ts';
import { executableOf, type Program, programs } from './builds.ts';

export type PlaceOptions = {
  env?: NodeJS.ProcessEnv;
  home?: string;
  platform?: NodeJS.Platform;
  arch?: string;
};

/** `bytes`: everything in its folder. */
export type SetUpProgram = { program: Program; version: string; folder: string; path: string; bytes: number };

/** Where programs are put unless the command says otherwise: `FRAMEWORK_PROGRAMS_DIR`, else `programs` in the cache. */
export function programsFolder(env: NodeJS.ProcessEnv = process.env, home: string = homedir()): string {
  return env.FRAMEWORK_PROGRAMS_DIR ? resolve(env.FRAMEWORK_PROGRAMS_DIR) : join(cacheRoot(env, home), 'programs');
}

/** `browser-linux-x64-153.0.8010.12`: several machines may share a home. */
export function folderName(program: Program, version: string, platform: NodeJS.Platform, arch: string): string {
  return `${program}-${platform}-${arch}-${version}`;
}

/**
 * Absolute path of a program that was set up; the newest, where there are several. The editor's own folder, which the
 * environment names, goes before the user's, so that what either has downloaded serves both.
 */
export async function setUpProgram(program: Program, options: PlaceOptions = {}): Promise<string | undefined> {
  const { env = process.env, home = homedir() } = options;
  const named = env.FRAMEWORK_PROGRAMS_DIR ? [programsFolder(env, home)] : [];
  const own = join(cacheRoot(env, home), 'programs');
  // A folder that was named is trusted; one that another user has put there might hold anything.
  for (const folder of [...named, ...((await isOwnFolder(own)) ? [own] : [])]) {
    for (const { path } of await namesIn(folder, program, options)) if (await isExecutable(path)) return path;
  }
  return undefined;
}

type Named = { version: string; folder: string; path: string };

async function namesIn(folder: string, program: Program, options: PlaceOptions): Promise<Named[]> {
  const { platform = process.platform, arch = process.arch } = options;
  const prefix = folderName(program, '', platform, arch);
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.startsWith(prefix));
  return names
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
    .map((name) => ({
      version: name.slice(prefix.length),
      folder: join(folder, name),
      path: join(folder, name, ...executableOf(program, { platform, arch }).split('/')),
    }));
}

/** What `folder` holds for this machine, with its size. */
export async function listSetUp(folder: string, options: PlaceOptions = {}): Promise<SetUpProgram[]> {
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

/** Removes them, and nothing else that lies in `folder`; returns what was there. */
export async function removeSetUp(
  folder: string,
  which: readonly Program[],
  options: PlaceOptions = {},
): Promise<SetUpProgram[]> {
  const found = (await listSetUp(folder, options)).filter(({ program }) => which.includes(program));
  for (const each of found) await rm(each.folder, { recursive: true, force: true, maxRetries: 5 });
  return found;
}

export async function folderBytes(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const sizes = await Promise.all(
    names.map(async (name) => {
      const stats = await lstat(join(folder, name)).catch(() => undefined);
      return stats?.isFile() ? stats.size : 0;
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
