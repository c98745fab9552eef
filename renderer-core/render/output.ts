// The output of a render: written under a temporary name beside its place, and moved there whole or not at all.
import { access, constants, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { UserError } from '../errors.ts';
import { partialName, sweepPartials, unwritable } from '../project/partials.ts';

export type OutputTarget = {
  /** Absolute path of the finished file or folder. */
  path: string;
  /** Where it is built; beside `path`, so that the move is one step. */
  temporary: string;
  /** Moves the finished output to its place and returns its size in bytes. */
  commit(): Promise<number>;
  discard(): Promise<void>;
};

/**
 * Prepares `output` (a file, or a folder when `directory`). Throws UserError `output_unwritable` before any work is done.
 * `isSwept`: what killed processes left of it has been looked for already.
 */
export async function openOutput(output: string, directory: boolean, isSwept = false): Promise<OutputTarget> {
  const path = resolve(output);
  const folder = dirname(path);
  const temporary = join(folder, partialName(basename(path)));
  try {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK);
  } catch (error) {
    throw unwritable(folder, error);
  }
  if (!isSwept) await sweepPartials(folder, [basename(path)]);
  const existing = await stat(path).catch(() => undefined);
  if (existing && existing.isDirectory() !== directory) {
    throw new UserError('output_unwritable', `${path} is ${existing.isDirectory() ? 'a folder' : 'a file'}`, {
      hint: directory ? 'Name a folder for the frames with --output.' : 'Name a file with --output.',
    });
  }
  if (existing && directory) await refuseForeignFolder(path);
  if (directory) await mkdir(temporary, { recursive: true });
  return {
    path,
    temporary,
    async commit() {
      const bytes = await outputSize(temporary);
      if (directory) await rm(path, { recursive: true, force: true });
      await rename(temporary, path);
      return bytes;
    },
    discard: () => rm(temporary, { recursive: true, force: true }),
  };
}

/** The name of a file in a folder that is no frame of a render. */
export async function foreignFile(folder: string): Promise<string | undefined> {
  return (await readdir(folder)).find((name) => !/^frame-\d+\.png$/.test(name));
}

/** A folder of frames is replaced whole; one that holds anything else is somebody's work. */
async function refuseForeignFolder(path: string): Promise<void> {
  const foreign = await foreignFile(path);
  if (foreign === undefined) return;
  throw new UserError('output_unwritable', `${path} holds files that are not frames (${foreign})`, {
    hint: 'Name a new or empty folder with --output.',
  });
}

/** Bytes of a file, or of the files in a folder of frames. Rejects where there is neither. */
export async function outputSize(path: string): Promise<number> {
  const info = await stat(path);
  if (!info.isDirectory()) return info.size;
  const sizes = await Promise.all((await readdir(path)).map(async (name) => (await stat(join(path, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
