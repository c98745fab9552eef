// The output of a render: one file, or a folder of frames.

import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UserError } from '../errors.ts';
import { findOutput } from '../project/output/outputPath.ts';
import {
  moveInto,
  type OutputOptions,
  type OutputTarget,
  openFileOutput,
  prepareFolder,
} from '../project/output/outputTarget.ts';
import { unwritable } from '../project/output/tempFiles.ts';

/** Prepares `output`. Throws UserError `output_unwritable` or `usage` before any work is done. */
export function openOutput(output: string, format: string, options: OutputOptions = {}): Promise<OutputTarget> {
  return format === 'png' ? openFolder(output, options) : openFileOutput(output, options);
}

async function openFolder(output: string, { stdout, isClean = false }: OutputOptions): Promise<OutputTarget> {
  const place = await findOutput(output, stdout !== undefined);
  if (place.kind !== 'file') {
    throw new UserError('usage', `Frames need a folder, which ${output} is not`, {
      hint: 'Set --output to a folder, or choose a video format with --format.',
    });
  }
  const { path, target, existing } = place;
  if (existing && !existing.isDirectory()) {
    throw new UserError('output_unwritable', `${path} is a file`, {
      hint: 'Set --output to a folder for the frames.',
    });
  }
  if (existing) await refuseForeignFolder(path);
  const temporary = await prepareFolder(target, path === target && isClean);
  try {
    await mkdir(temporary);
  } catch (error) {
    throw unwritable(dirname(target), error);
  }
  return {
    path,
    temporary,
    isStream: false,
    async commit() {
      const bytes = await outputSize(temporary);
      await rm(target, { recursive: true, force: true });
      await moveInto(temporary, target);
      return bytes;
    },
    discard: () => rm(temporary, { recursive: true, force: true }),
  };
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
