// Where a command writes its result. A file appears complete or not at all: it is written under a temporary name in its
// folder and renamed. Devices, pipes and standard output receive the result when it is complete.

import { existsSync } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { UserError } from '../../errors.ts';
import { statIfExists } from '../statIfExists.ts';
import { findOutput, type OutputPlace } from './outputPath.ts';
import { closeUnusedPipe, copyToStream, type WriteBytes } from './outputStream.ts';
import { removeStaleTempFiles, tempFileName, unwritable } from './tempFiles.ts';
import { createWorkspace } from './workspace.ts';

export type OutputTarget = {
  /** Absolute path of the finished output, or `-`. */
  path: string;
  /** Where the output is written first. Nothing exists there yet, except an empty folder. */
  temporary: string;
  /** It is a device, a pipe or standard output. */
  isStream: boolean;
  /** Moves or copies the finished output to its path and returns its size in bytes. Throws UserError. */
  commit(): Promise<number>;
  /** Removes what is left. Does nothing after `commit`. */
  discard(): Promise<void>;
};

export type OutputOptions = {
  /** Writes to standard output; without it, `-` is not a valid output. */
  stdout?: WriteBytes | undefined;
  signal?: AbortSignal | undefined;
  /** The temporary files of killed processes have been removed already. */
  isClean?: boolean;
};

/** Prepares `output` for one file. Throws UserError `output_unwritable` or `usage` before any work is done. */
export async function openFileOutput(output: string, options: OutputOptions = {}): Promise<OutputTarget> {
  const place = await findOutput(output, options.stdout !== undefined);
  if (place.kind !== 'file') return openStream(place, options);
  const { path, target } = place;
  rejectFolder(place);
  const temporary = await prepareFolder(target, path === target && options.isClean === true);
  await tryToCreate(temporary);
  return {
    path,
    temporary,
    isStream: false,
    async commit() {
      const { size } = await stat(temporary);
      await moveInto(temporary, target);
      return size;
    },
    discard: () => rm(temporary, { force: true }),
  };
}

/** Fails as `openFileOutput` would, and leaves nothing behind. */
export async function checkFileOutput(output: string, { stdout }: OutputOptions = {}): Promise<void> {
  const place = await findOutput(output, stdout !== undefined);
  if (place.kind !== 'file') return;
  rejectFolder(place);
  let folder = dirname(place.target);
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  const temporary = join(folder, tempFileName(basename(place.target)));
  // `tryToCreate` reports what is in the way.
  await rm(temporary, { force: true }).catch(() => undefined);
  await tryToCreate(temporary);
}

function rejectFolder({ path, existing }: Extract<OutputPlace, { kind: 'file' }>): void {
  if (!existing?.isDirectory()) return;
  throw new UserError('output_unwritable', `${path} is a folder`, { hint: 'Set --output to a file.' });
}

/** Only an attempt shows whether a file can be created: some folders look writable and are not. */
async function tryToCreate(path: string): Promise<void> {
  try {
    await (await open(path, 'wx')).close();
    await rm(path);
  } catch (error) {
    throw unwritable(dirname(path), error);
  }
}

/** Creates the folder of `target` and returns a free temporary path in it. Throws UserError `output_unwritable`. */
export async function prepareFolder(target: string, isClean: boolean): Promise<string> {
  const folder = dirname(target);
  const name = basename(target);
  const temporary = join(folder, tempFileName(name));
  await createFolder(folder);
  try {
    if (!isClean) await removeStaleTempFiles(folder, [name]);
    // Left by an earlier attempt of this process. A link with this name must not be followed either.
    await rm(temporary, { recursive: true, force: true });
  } catch (error) {
    throw unwritable(folder, error);
  }
  return temporary;
}

/**
 * Creates the folder and those above it. Unlike Node's recursive `mkdir`, it also ends where folders cannot be created.
 * Throws UserError `output_unwritable`.
 */
export async function createFolder(folder: string): Promise<void> {
  const existing = await statIfExists(folder);
  if (existing?.isDirectory()) return;
  if (dirname(folder) !== folder) await createFolder(dirname(folder));
  await mkdir(folder).catch((error) => {
    // Another process may have created it.
    if (existing !== undefined || error.code !== 'EEXIST') throw unwritable(folder, error);
  });
}

/** Renames a finished output. Throws UserError `output_unwritable`. */
export async function moveInto(temporary: string, target: string): Promise<void> {
  await rename(temporary, target).catch((error) => {
    throw unwritable(target, error);
  });
}

async function openStream(
  place: Exclude<OutputPlace, { kind: 'file' }>,
  { stdout, signal }: OutputOptions,
): Promise<OutputTarget> {
  const workspace = await createWorkspace();
  const temporary = join(workspace.folder, 'output');
  let isUsed = false;
  return {
    path: place.kind === 'stdout' ? '-' : place.path,
    temporary,
    isStream: true,
    async commit() {
      isUsed = true;
      await copyToStream(temporary, place, stdout, signal);
      return (await stat(temporary)).size;
    },
    async discard() {
      if (!isUsed && place.kind === 'stream' && place.isPipe) await closeUnusedPipe(place.path);
      isUsed = true;
      await workspace.remove();
    },
  };
}
