// Downloads the npm package of the embedded browser with the user's npm.
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { downloadPackage } from '../setup/downloadPackage.ts';
import type { NpmPack } from '../setup/npm.ts';
import { unpackPackage } from '../setup/unpack.ts';

/** Unpacks the package into `folder` and returns the folder of its archives. Throws UserError `download_failed`, and errors of the disk. */
export async function downloadBrowser(
  { name, version, sha512 }: { name: string; version: string; sha512: string },
  folder: string,
  { npm, env, signal }: Omit<NpmPack, 'spec' | 'folder'>,
): Promise<string> {
  const [archive, unpacked] = [join(folder, 'archive'), join(folder, 'package')];
  const request = { npm, env, spec: `${name}@${version}`, sha512, target: archive, onProgress: () => undefined };
  await downloadPackage({ ...request, ...(signal ? { signal } : {}) });
  await mkdir(unpacked);
  await unpackPackage(archive, unpacked, signal);
  await rm(archive);
  return join(unpacked, 'bin');
}
