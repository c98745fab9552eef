// Installs one build into the folder for programs. Atomic, and locked between processes.
import { mkdir, mkdtemp, readdir, rename, rm, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UserError } from '../errors.ts';
import { acquireLock } from '../project/fileLock.ts';
import { isExecutable } from '../project/programs.ts';
import { type Build, executableOf, type FileArchive, type Machine, type NpmArchive } from './builds.ts';
import { download } from './download.ts';
import { downloadPackage } from './downloadPackage.ts';
import { folderName } from './programsFolder.ts';
import type { SetupEvent } from './setupReport.ts';
import { unpackGz, unpackPackage, unpackZip } from './unpack.ts';

export type InstallOptions = {
  /** Absolute path of the folder, which is created if necessary. */
  into: string;
  machine: Machine;
  env: NodeJS.ProcessEnv;
  isMirror: boolean;
  /** Unix milliseconds. */
  now: () => number;
  /** Install again even if the program exists. */
  force?: boolean;
  signal?: AbortSignal;
  onEvent?: (event: SetupEvent) => void;
  /** Tries the program before it is installed. If it throws, nothing is installed. */
  check: (path: string) => Promise<void>;
};

/** `isNew` is false when the program was already installed. */
export type Installed = { path: string; folder: string; isNew: boolean };

/** Throws UserError `download_failed`, `disk_full`, `output_unwritable` or `cancelled`, and errors of `check`. */
export async function installBuild(build: Build, options: InstallOptions): Promise<Installed> {
  const { into, machine, signal, onEvent } = options;
  const name = folderName(build.program, build.version, machine.platform, machine.arch);
  const folder = join(into, name);
  const path = join(folder, ...executableOf(build.program, build.version, machine).split('/'));
  let temporary: string | undefined;
  try {
    await mkdir(into, { recursive: true, mode: 0o700 });
    const lock = await acquireLock(join(into, '.setup'), {
      now: options.now,
      signal,
      timeoutMs: Number.POSITIVE_INFINITY,
      onWait: () => onEvent?.({ type: 'stage', message: `Waiting for another setup in ${into}` }),
    });
    try {
      await removeLeftovers(into);
      if (!options.force && (await isExecutable(path))) return { path, folder, isNew: false };
      temporary = await mkdtemp(join(into, `${leftover}${name}-`));
      const unpacked = await fetchAndUnpack(build, temporary, options);
      const executable = join(unpacked, ...executableOf(build.program, build.version, machine).split('/'));
      if (!(await isExecutable(executable))) throw missingExecutable(build);
      await options.check(executable);
      signal?.throwIfAborted();
      await replaceFolder(unpacked, folder, temporary);
      await removeOlder(into, build, machine, name);
      return { path, folder, isNew: true };
    } finally {
      if (temporary !== undefined) await rm(temporary, { recursive: true, force: true, maxRetries: 5 });
      await lock.release();
    }
  } catch (error) {
    if (signal?.aborted) {
      throw new UserError('cancelled', 'The setup was cancelled; nothing was installed.', { cause: error });
    }
    throw toDiskError(error, into);
  }
}

const leftover = '.new-';

async function fetchAndUnpack(build: Build, temporary: string, options: InstallOptions): Promise<string> {
  const { machine, signal, onEvent } = options;
  const archive = join(temporary, 'archive');
  if (build.packing === 'npm') await fetchPackage(build, archive, options);
  else await fetchFile(build, archive, options);
  onEvent?.({ type: 'stage', message: `Unpacking ${build.name}` });
  const unpacked = join(temporary, 'unpacked');
  await mkdir(unpacked);
  if (build.packing === 'npm') await unpackPackage(archive, unpacked, signal);
  else if (build.packing === 'zip') await unpackZip(archive, unpacked, signal);
  else await unpackGz(archive, join(unpacked, executableOf(build.program, build.version, machine)), signal);
  await rm(archive);
  return unpacked;
}

async function fetchFile(build: Build & FileArchive, target: string, options: InstallOptions): Promise<void> {
  const { env, isMirror, signal } = options;
  await download({
    ...build,
    target,
    isMirror,
    env,
    ...(signal ? { signal } : {}),
    onStart: (total) => refuseFullDisk(dirname(target), build.unpackedBytes + (total ?? build.bytes)),
    onProgress: progressOf(build, options),
  });
}

async function fetchPackage(build: Build & NpmArchive, target: string, options: InstallOptions): Promise<void> {
  const { env, signal } = options;
  // npm has the archive in its cache and in the folder.
  await refuseFullDisk(dirname(target), build.unpackedBytes + 2 * build.bytes);
  const onProgress = progressOf(build, options);
  await downloadPackage({
    ...build,
    target,
    env,
    ...(signal ? { signal } : {}),
    onProgress: (bytes) => onProgress(Math.min(bytes, build.bytes), build.bytes),
  });
}

function progressOf({ program, name }: Build, { now, onEvent }: InstallOptions) {
  const rate = createRate(now);
  return (doneBytes: number, totalBytes: number | null): void => {
    const remainingSeconds = rate(doneBytes, totalBytes);
    if (remainingSeconds === undefined) return;
    onEvent?.({ type: 'download', program, name, doneBytes, totalBytes, remainingSeconds });
  };
}

const eventMs = 100;

/** Returns the remaining seconds; null if they are unknown, undefined if the last event is less than `eventMs` ago. */
function createRate(now: () => number): (done: number, total: number | null) => number | null | undefined {
  const startedAt = now();
  let reportedAt = Number.NEGATIVE_INFINITY;
  return (done, total) => {
    const time = now();
    if (done !== total && time - reportedAt < eventMs) return undefined;
    reportedAt = time;
    const seconds = (time - startedAt) / 1000;
    return total === null || seconds < 1 ? null : (seconds * (total - done)) / done;
  };
}

async function refuseFullDisk(folder: string, needed: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free >= needed) return;
  const megabytes = (bytes: number) => `${Math.ceil(bytes / 1e6)} MB`;
  throw new UserError(
    'disk_full',
    `The disk of ${folder.slice(0, folder.lastIndexOf(leftover) - 1)} has ${megabytes(free)} free, but ${megabytes(needed)} are needed.`,
    { hint: spaceHint },
  );
}

const spaceHint = 'Free some space, or choose a folder on another disk with --dir.';

/** The lock is held, so these folders belong to killed processes. */
async function removeLeftovers(into: string): Promise<void> {
  for (const name of await readdir(into)) {
    if (name.startsWith(leftover)) await rm(join(into, name), { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Moves the old folder away first, because rename does not replace a folder that is not empty. */
async function replaceFolder(from: string, to: string, temporary: string): Promise<void> {
  const old = join(temporary, 'old');
  const hadOld = await rename(to, old).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
  await rename(from, to).catch(async (error) => {
    if (hadOld) await rename(old, to);
    throw error;
  });
}

/** Removes older builds of the program. Windows cannot remove one that is running; then the next setup removes it. */
async function removeOlder(into: string, build: Build, machine: Machine, name: string): Promise<void> {
  const prefix = folderName(build.program, '', machine.platform, machine.arch);
  const older = (await readdir(into)).filter((other) => other.startsWith(prefix) && other !== name);
  for (const each of older) await rm(join(into, each), { recursive: true, force: true }).catch(() => undefined);
}

function missingExecutable(build: Build): UserError {
  return new UserError(
    'download_failed',
    `The archive ${build.packing === 'npm' ? build.spec : build.url} does not contain the program (${build.program}).`,
    {
      hint: 'Update framework, or check the mirror.',
    },
  );
}

function toDiskError(error: unknown, into: string): unknown {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new UserError('disk_full', `The disk has no space in ${into}; nothing was installed.`, { hint: spaceHint });
  if (['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'EBUSY'].includes(code)) {
    return new UserError('output_unwritable', `Cannot write to the folder ${into} (${code}).`, {
      hint: 'Choose another folder with --dir or FRAMEWORK_PROGRAMS_DIR.',
      cause: error,
    });
  }
  return error;
}
