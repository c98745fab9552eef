// Finds out what the path of an output stands for: standard output, a device or a pipe, or a file that may be behind links.

import type { Stats } from 'node:fs';
import { access, constants, lstat, readlink, realpath, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { UserError } from '../../errors.ts';
import { unwritable } from './tempFiles.ts';

export type OutputPlace =
  | { kind: 'stdout' }
  /** A device or a named pipe. */
  | { kind: 'stream'; path: string; isPipe: boolean }
  /** `path` is absolute; `target` is the same path, or where a link at `path` leads to. It need not exist. */
  | { kind: 'file'; path: string; target: string; existing: Stats | undefined };

const standardOutputs = ['-', '/dev/stdout', '/dev/fd/1', '/proc/self/fd/1'];

export const isStandardOutput = (output: string | undefined): boolean => standardOutputs.includes(output ?? '');

/** `hasStdout`: the caller can write to standard output. Throws UserError `usage` or `output_unwritable`. */
export async function findOutput(output: string, hasStdout: boolean): Promise<OutputPlace> {
  if (hasStdout && isStandardOutput(output)) return { kind: 'stdout' };
  if (output === '-') {
    throw new UserError('usage', 'Standard output (-) is not available as an output here', {
      hint: 'Set --output to the path of a file.',
    });
  }
  const path = resolve(output);
  const existing = await statOf(path, () => stat(path));
  if (existing && !existing.isFile() && !existing.isDirectory()) {
    await checkStream(path, existing);
    return { kind: 'stream', path, isPipe: existing.isFIFO() };
  }
  return { kind: 'file', path, target: await followLinks(path), existing };
}

/** Undefined if the file does not exist. Throws UserError `output_unwritable`. */
async function statOf(path: string, read: () => Promise<Stats>): Promise<Stats | undefined> {
  try {
    return await read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unwritable(path, error);
  }
}

async function checkStream(path: string, existing: Stats): Promise<void> {
  if (existing.isSocket()) throw unwritable(path, new Error('it is a socket'));
  await access(path, constants.W_OK).catch((error) => {
    throw unwritable(path, error);
  });
}

/** Only links in the last part of the path matter. The last link may lead to a file that does not exist. */
async function followLinks(path: string): Promise<string> {
  const info = await statOf(path, () => lstat(path));
  if (!info?.isSymbolicLink()) return path;
  const folder = await realpath(dirname(path));
  return followLinks(resolve(folder, await readlink(path)));
}
