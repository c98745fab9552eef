// Downloads the npm package of a font family with the user's npm.
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../errors.ts';
import { type FontPackage, packageFaces, unusable } from '../plan/fonts/addedFont.ts';
import { readInside } from '../project/readInside.ts';
import { findNpm, isUnknownPackage, npmPack } from '../setup/npm.ts';
import { unpackPackage } from '../setup/unpack.ts';
import type { Absence, FoundFont } from './foundFont.ts';

export type NpmSearch = {
  slug: string;
  /** An empty folder for everything that is downloaded. */
  folder: string;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
};

/** Packages with one file for each weight come first: they are smaller. */
const scopes = ['@fontsource', '@fontsource-variable'];

/** Throws UserError `download_failed` for a package that cannot be used. */
export async function npmFont({ slug, folder, env, signal }: NpmSearch): Promise<FoundFont | Absence> {
  const npm = await findNpm(env, process.platform);
  if (npm === undefined)
    return { isUnknown: false, reason: 'npm was not found on PATH', fix: 'Install Node.js with npm' };
  for (const [index, scope] of scopes.entries()) {
    const name = `${scope}/${slug}`;
    const target = join(folder, String(index));
    await mkdir(target);
    try {
      await npmPack({ npm, spec: name, folder: target, env, signal });
    } catch (error) {
      if (isUnknownPackage(error)) continue;
      if (!(error instanceof UserError)) throw error;
      const fix = 'Check the registry and the proxy of npm with "npm config list"';
      return { isUnknown: false, reason: error.message, fix };
    }
    return inPackage(await unpack(name, target, signal));
  }
  return { isUnknown: true, reason: 'npm has no package of it', fix: 'Check the name' };
}

/** `folder` is where the package is unpacked. */
type Unpacked = FontPackage & { folder: string };

async function unpack(name: string, folder: string, signal: AbortSignal): Promise<Unpacked> {
  const archive = (await readdir(folder)).find((file) => file.endsWith('.tgz'));
  if (archive === undefined) throw new UserError('download_failed', `npm wrote no archive of ${name}.`);
  const unpacked = join(folder, 'package');
  await mkdir(unpacked);
  await unpackPackage(join(folder, archive), unpacked, signal);
  // Links in the archive are not followed out of the folder.
  const { read, list } = readInside(folder);
  const inUnpacked = (path: string) => read(`package/${path}`);
  return {
    name,
    version: versionIn(inUnpacked('package.json'), name),
    names: list('package'),
    read: inUnpacked,
    folder: unpacked,
  };
}

function versionIn(manifest: string | undefined, name: string): string {
  const version = /"version"\s*:\s*"([\w.+-]{1,60})"/.exec(manifest ?? '')?.[1];
  if (version === undefined) throw unusable(`the npm package ${name}`, 'it has no version');
  return version;
}

function inPackage(unpacked: Unpacked): FoundFont {
  const { name, version, folder } = unpacked;
  const label = `the npm package ${name} ${version}`;
  // The license must be kept with the files.
  const license = unpacked.read('LICENSE');
  if (license === undefined) throw unusable(label, 'it has no license');
  return {
    label,
    faces: packageFaces(unpacked),
    origin: { source: 'npm', package: name, version },
    license,
    async read(file) {
      if (!readInside(folder).exists(file)) throw unusable(label, `${file} is missing`);
      return readFile(join(folder, file));
    },
  };
}
