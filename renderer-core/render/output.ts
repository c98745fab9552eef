// The output of a render: written under a temporary name in the same folder, then renamed, so that it is complete or absent.
import { access, constants, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { UserError } from '../errors.ts';
import { diskFull, removeStaleTempFiles, tempFileName, unwritable } from '../project/tempFiles.ts';

export type OutputTarget = {
  /** Absolute path of the finished file or folder. */
  path: string;
  /** Where the output is written; in the folder of `path`, so that the move is a rename. */
  temporary: string;
  /** Moves the finished output to `path` and returns its size in bytes. Throws UserError `disk_full` for a frame that is not whole. */
  commit(): Promise<number>;
  discard(): Promise<void>;
};

/**
 * Prepares `output`: a file, or a folder if `directory`. Throws UserError `output_unwritable` before any work is done.
 * `isClean`: the temporary files of killed processes have been removed already.
 */
export async function openOutput(output: string, directory: boolean, isClean = false): Promise<OutputTarget> {
  const path = resolve(output);
  const folder = dirname(path);
  const temporary = join(folder, tempFileName(basename(path)));
  try {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK);
  } catch (error) {
    throw unwritable(folder, error);
  }
  if (!isClean) await removeStaleTempFiles(folder, [basename(path)]);
  const existing = await stat(path).catch(() => undefined);
  if (existing && existing.isDirectory() !== directory) {
    throw new UserError('output_unwritable', `${path} is ${existing.isDirectory() ? 'a folder' : 'a file'}`, {
      hint: directory ? 'Set --output to a folder for the frames.' : 'Set --output to a file.',
    });
  }
  if (existing && directory) await refuseForeignFolder(path);
  if (directory) await mkdir(temporary, { recursive: true });
  return {
    path,
    temporary,
    async commit() {
      const bytes = await outputSize(temporary);
      if (directory && !(await hasOnlyWholeFrames(temporary))) throw diskFull();
      if (directory) await rm(path, { recursive: true, force: true });
      await rename(temporary, path);
      return bytes;
    },
    discard: () => rm(temporary, { recursive: true, force: true }),
  };
}

/** The last chunk of every PNG file. */
const pngEnd = Buffer.from('0000000049454e44ae426082', 'hex');

/** Old versions of ffmpeg succeed on a full disk and leave empty or truncated frames. */
async function hasOnlyWholeFrames(folder: string): Promise<boolean> {
  for (const name of await readdir(folder)) {
    const file = await open(join(folder, name));
    try {
      const { size } = await file.stat();
      const { buffer } = await file.read(Buffer.alloc(pngEnd.length), { position: Math.max(0, size - pngEnd.length) });
      if (!buffer.equals(pngEnd)) return false;
    } finally {
      await file.close();
    }
  }
  return true;
}

/** The name of a file in the folder that is not a frame of a render; undefined if there is none. */
export async function foreignFile(folder: string): Promise<string | undefined> {
  return (await readdir(folder)).find((name) => !/^frame-\d+\.png$/.test(name));
}

/** Only folders of frames are replaced: other files must not be lost. */
async function refuseForeignFolder(path: string): Promise<void> {
  const foreign = await foreignFile(path);
  if (foreign === undefined) return;
  throw new UserError('output_unwritable', `${path} contains files that are not frames (${foreign})`, {
    hint: 'Set --output to a new or empty folder.',
  });
}

/** Size in bytes of a file, or of the files in a folder of frames. Rejects if `path` does not exist. */
export async function outputSize(path: string): Promise<number> {
  const info = await stat(path);
  if (!info.isDirectory()) return info.size;
  const sizes = await Promise.all((await readdir(path)).map(async (name) => (await stat(join(path, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
