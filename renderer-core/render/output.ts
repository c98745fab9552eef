// The output of a render: one file, or a folder of frames or of an HLS stream.

import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UserError } from '../errors.ts';
import { folderContent } from '../plan/formats.ts';
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
  const content = folderContent(format);
  return content === undefined ? openFileOutput(output, options) : openFolder(output, content, options);
}

async function openFolder(
  output: string,
  content: string,
  { stdout, isClean = false }: OutputOptions,
): Promise<OutputTarget> {
  const place = await findOutput(output, stdout !== undefined);
  if (place.kind !== 'file') {
    throw new UserError('usage', `${output} is not a folder, which ${content} would need`, {
      hint: 'Set --output to a folder, or choose a video format with --format.',
    });
  }
  const { path, target, existing } = place;
  if (existing && !existing.isDirectory()) {
    throw new UserError('output_unwritable', `${path} is a file`, {
      hint: `Set --output to a folder for ${content}.`,
    });
  }
  if (existing) await refuseForeignFolder(path, content);
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

/** The files of folders that renders write. */
const isOwn = (name: string): boolean => /^(?:frame-\d+\.png|index\.m3u8|init\.mp4|segment-\d+\.m4s)$/.test(name);

/** The name of a file in the folder that is not from a render; undefined if there is none. */
export async function foreignFile(folder: string): Promise<string | undefined> {
  return (await readdir(folder)).find((name) => !isOwn(name));
}

/** Only folders of earlier renders are replaced: other files must not be lost. */
async function refuseForeignFolder(path: string, content: string): Promise<void> {
  const foreign = await foreignFile(path);
  if (foreign === undefined) return;
  throw new UserError('output_unwritable', `${path} contains other files than ${content} (${foreign})`, {
    hint: 'Set --output to a new or empty folder.',
  });
}

/** Size in bytes of a file, or of the files in a folder. Rejects if `path` does not exist. */
export async function outputSize(path: string): Promise<number> {
  const info = await stat(path);
  if (!info.isDirectory()) return info.size;
  const sizes = await Promise.all((await readdir(path)).map(async (name) => (await stat(join(path, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
