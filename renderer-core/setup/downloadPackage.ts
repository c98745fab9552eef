// Downloads an npm package and verifies its checksum.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { UserError } from '../errors.ts';
import { folderBytes } from '../project/folderBytes.ts';
import type { NpmArchive } from './builds.ts';
import { type NpmPack, npmPack } from './npm.ts';

export type PackageDownload = Omit<NpmPack, 'folder'> &
  Pick<NpmArchive, 'sha512'> & {
    /** Path of the file, which must not exist yet. */
    target: string;
    onProgress: (doneBytes: number) => void;
  };

const progressMs = 300;

/** Writes the verified archive to `target`. Throws UserError `download_failed`, and errors of the disk. */
export async function downloadPackage({ sha512, target, onProgress, ...request }: PackageDownload): Promise<void> {
  const folder = `${target}-npm`;
  await mkdir(folder);
  // npm reports no progress, but its cache grows with the download.
  let hasEnded = false;
  const timer = setInterval(async () => {
    const bytes = await folderBytes(join(folder, 'cache'));
    if (!hasEnded) onProgress(bytes);
  }, progressMs);
  try {
    await npmPack({ ...request, folder });
  } finally {
    hasEnded = true;
    clearInterval(timer);
  }
  const archive = (await readdir(folder)).find((name) => name.endsWith('.tgz'));
  if (archive === undefined) throw wrong(request.spec, 'npm wrote no archive.');
  await rename(join(folder, archive), target);
  await rm(folder, { recursive: true });
  const hash = createHash('sha512');
  await pipeline(createReadStream(target), hash);
  const found = hash.digest('base64');
  if (found !== sha512) throw wrong(request.spec, `its SHA-512 is ${found}, expected ${sha512}. The file was deleted.`);
}

function wrong(spec: string, reason: string): UserError {
  return new UserError('download_failed', `The package ${spec} cannot be used: ${reason}`, {
    hint: 'The registry of npm may contain another file. Check it with "npm config list".',
  });
}
