// Downloads the npm package of a font family with the user's npm.
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../errors.ts';
import { addFontCommand } from '../model/fonts/addFontCommand.ts';
import { pinnedFamilies, replacementFor } from '../model/fonts/pinnedFamilies.ts';
import { popularFamilies } from '../model/fonts/popularFamilies.ts';
import { didYouMean } from '../model/suggest.ts';
import { type FontPackage, unusable } from '../plan/fonts/addedFont.ts';
import { readInside } from '../project/readInside.ts';
import { findNpm, isUnknownPackage, npmPack } from '../setup/npm.ts';
import { unpackPackage } from '../setup/unpack.ts';

export type FontDownload = {
  family: string;
  slug: string;
  /** An empty folder for everything that is downloaded. */
  folder: string;
  env: NodeJS.ProcessEnv;
  signal?: AbortSignal;
};

/** `folder` is where the package is unpacked. */
export type DownloadedFont = FontPackage & { folder: string };

/** Packages with one file for each weight come first: they are smaller. */
const scopes = ['@fontsource', '@fontsource-variable'];

/** Throws UserError `download_failed`, or `usage` if no package has the family. */
export async function downloadFont({ family, slug, folder, env, signal }: FontDownload): Promise<DownloadedFont> {
  const npm = await findNpm(env, process.platform);
  if (npm === undefined)
    throw new UserError('download_failed', 'npm was not found on PATH; font families are downloaded with it.', {
      hint: 'Install Node.js with npm, or copy the font files into fonts/ of the project and declare them in a style sheet there.',
    });
  for (const [index, scope] of scopes.entries()) {
    const name = `${scope}/${slug}`;
    const target = join(folder, String(index));
    await mkdir(target);
    try {
      await npmPack({ npm, spec: name, folder: target, env, ...(signal ? { signal } : {}) });
    } catch (error) {
      if (isUnknownPackage(error)) continue;
      if (!(error instanceof UserError)) throw error;
      const hint = 'Check the registry and the proxy of npm with "npm config list".';
      throw new UserError('download_failed', error.message, { hint, cause: error });
    }
    return unpack(name, target, signal);
  }
  throw unknownFamily(family);
}

async function unpack(name: string, folder: string, signal: AbortSignal | undefined): Promise<DownloadedFont> {
  const archive = (await readdir(folder)).find((file) => file.endsWith('.tgz'));
  if (archive === undefined) throw new UserError('download_failed', `npm wrote no archive of ${name}.`);
  const unpacked = join(folder, 'package');
  await mkdir(unpacked);
  await unpackPackage(join(folder, archive), unpacked, signal);
  // Links in the archive are not followed out of the folder.
  const { read, list } = readInside(folder);
  const inPackage = (path: string) => read(`package/${path}`);
  return {
    name,
    version: versionIn(inPackage('package.json'), name),
    names: list('package'),
    read: inPackage,
    folder: unpacked,
  };
}

function versionIn(manifest: string | undefined, name: string): string {
  const version = /"version"\s*:\s*"([\w.+-]{1,60})"/.exec(manifest ?? '')?.[1];
  if (version === undefined) throw unusable({ name, version: '' }, 'it has no version');
  return version;
}

function unknownFamily(family: string): UserError {
  const { family: substitute } = replacementFor(family) ?? {};
  const known = [...popularFamilies, ...pinnedFamilies.map(({ name }) => name)];
  const command = substitute && addFontCommand(substitute);
  return new UserError('usage', `No free font family "${family}" was found${didYouMean(family, known)}`, {
    hint: command
      ? `Text in ${family} is shown in ${substitute}, which ships with Framework.`
      : 'Check the name. If you have the font files, copy them into fonts/ of the project and declare them in a style sheet there.',
  });
}
