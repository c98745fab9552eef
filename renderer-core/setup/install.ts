// Puts one build into the folder of programs: whole or not at all, one process at a time.
import { mkdir, mkdtemp, readdir, rename, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../errors.ts';
import { takeLock } from '../project/fileLock.ts';
import { isExecutable } from '../project/programs.ts';
import { type Build, executableOf, type Machine, type Program } from './builds.ts';
import { download } from './download.ts';
import { folderName } from './programsFolder.ts';
import { unpackGz, unpackZip } from './unpack.ts';

/** Bytes are those of the packed file; `totalBytes` and `remainingSeconds` are null until they are known. */
export type SetUpEvent =
  | { type: 'stage'; message: string }
  | {
      type: 'download';
      program: Program;
      name: string;
      doneBytes: number;
      totalBytes: number | null;
      remainingSeconds: number | null;
    };

export type InstallOptions = {
  /** Absolute path; made when it is not there. */
  into: string;
  machine: Machine;
  env: NodeJS.ProcessEnv;
  isMirror: boolean;
  /** Also where it is there already. */
  force?: boolean;
  signal?: AbortSignal;
  onEvent?: (event: SetUpEvent) => void;
  /** Tries the program before anybody else can find it. What it throws ends the whole, and nothing stays. */
  check: (path: string) => Promise<void>;
};

/** `isNew` is false where another process, or an earlier run, has put it there. */
export type Installed = { path: string; folder: string; isNew: boolean };

/** Throws UserError `download_failed`, `disk_full`, `output_unwritable` or `cancelled`, and what `check` throws. */
export async function installBuild(build: Build, options: InstallOptions): Promise<Installed> {
  const { into, machine, signal, onEvent } = options;
  const name = folderName(build.program, build.version, machine.platform, machine.arch);
  const folder = join(into, name);
  const path = join(folder, ...executableOf(build.program, machine).split('/'));
  let temporary: string | undefined;
  try {
    await mkdir(into, { recursive: true, mode: 0o700 });
    const lock = await takeLock(join(into, '.setup'), signal, {
      patienceMs: Number.POSITIVE_INFINITY,
      onWait: () => onEvent?.({ type: 'stage', message: `Waiting for another setup in ${into}` }),
    });
    try {
      await removeLeftovers(into);
      // Nobody else may have put there what this one was told to download again.
      if (!options.force && (await isExecutable(path))) return { path, folder, isNew: false };
      temporary = await mkdtemp(join(into, `${leftover}${name}-`));
      const unpacked = await fetchAndUnpack(build, temporary, options);
      const tried = join(unpacked, ...executableOf(build.program, machine).split('/'));
      if (!(await isExecutable(tried))) throw withoutProgram(build);
      await options.check(tried);
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
      throw new UserError('cancelled', 'The setup was cancelled; nothing of it was kept.', { cause: error });
    }
    throw diskFault(error, into);
  }
}

const leftover = '.new-';

async function fetchAndUnpack(build: Build, temporary: string, options: InstallOptions): Promise<string> {
  const { machine, signal, env, isMirror, onEvent } = options;
  const archive = join(temporary, 'archive');
  const rate = createRate();
  await download({
    ...build,
    target: archive,
    isMirror,
    env,
    ...(signal ? { signal } : {}),
    onStart: (total) => refuseFullDisk(temporary, build.unpackedBytes + (total ?? build.bytes)),
    onProgress(doneBytes, totalBytes) {
      const remainingSeconds = rate(doneBytes, totalBytes);
      if (remainingSeconds === undefined) return;
      onEvent?.({
        type: 'download',
        program: build.program,
        name: build.name,
        doneBytes,
        totalBytes,
        remainingSeconds,
      });
    },
  });
  onEvent?.({ type: 'stage', message: `Unpacking ${build.name}` });
  const unpacked = join(temporary, 'unpacked');
  await mkdir(unpacked);
  if (build.packing === 'zip') await unpackZip(archive, unpacked, signal);
  else await unpackGz(archive, join(unpacked, executableOf(build.program, machine)), signal);
  await rm(archive);
  return unpacked;
}

const eventMs = 100;

/** Seconds that are left; null where nobody can tell; undefined where it is too early to tell anybody again. */
function createRate(): (done: number, total: number | null) => number | null | undefined {
  const startedAt = performance.now();
  let toldAt = Number.NEGATIVE_INFINITY;
  return (done, total) => {
    const now = performance.now();
    if (done !== total && now - toldAt < eventMs) return undefined;
    toldAt = now;
    const seconds = (now - startedAt) / 1000;
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
    `The disk of ${folder.slice(0, folder.lastIndexOf(leftover) - 1)} has ${megabytes(free)} free, and ${megabytes(needed)} are needed.`,
    { hint: spaceHint },
  );
}

const spaceHint = 'Free some space, or name a folder on another disk with --into.';

/** The lock is held: whoever left these is gone. */
async function removeLeftovers(into: string): Promise<void> {
  for (const name of await readdir(into)) {
    if (name.startsWith(leftover)) await rm(join(into, name), { recursive: true, force: true, maxRetries: 5 });
  }
}

/** What was there goes first: no system replaces a folder that is not empty. */
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

/** Older builds of the same program. One that is running cannot be removed everywhere: then the next setup does it. */
async function removeOlder(into: string, build: Build, machine: Machine, name: string): Promise<void> {
  const prefix = folderName(build.program, '', machine.platform, machine.arch);
  const older = (await readdir(into)).filter((other) => other.startsWith(prefix) && other !== name);
  for (const each of older) await rm(join(into, each), { recursive: true, force: true }).catch(() => undefined);
}

function withoutProgram(build: Build): UserError {
  return new UserError('download_failed', `What came from ${build.url} holds no ${build.program}.`, {
    hint: 'Update framework, or check the mirror.',
  });
}

function diskFault(error: unknown, into: string): unknown {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new UserError('disk_full', `No space is left in ${into}; nothing of it was kept.`, { hint: spaceHint });
  if (['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'EBUSY'].includes(code)) {
    return new UserError('output_unwritable', `The folder ${into} cannot be written (${code}).`, {
      hint: 'Name another one with --into, or set FRAMEWORK_PROGRAMS_DIR.',
      cause: error,
    });
  }
  return error;
}
