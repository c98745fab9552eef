// Adds a font family to a project: its files, the style sheet that declares them, and the license.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UserError } from '../errors.ts';
import { addedFont, fontSlug, unusable } from '../plan/fonts/addedFont.ts';
import { findProject } from '../project/projectRoots.ts';
import { readInside } from '../project/readInside.ts';
import { type DownloadedFont, downloadFont } from './downloadFont.ts';
import type { FontAddition } from './fontAddition.ts';
import { projectFontsFolder } from './projectFonts.ts';
import { compareFiles, type NewFile, refuseChanged, writeFiles } from './writeFonts.ts';

export type AddFontRequest = {
  /** Project folder or a file in it. */
  dir: string;
  family: string;
  /** Default: 400 and 700, if the family has them. */
  weights?: readonly number[];
  /** Replace existing files that differ. */
  force?: boolean;
  dryRun?: boolean;
  env: NodeJS.ProcessEnv;
  signal?: AbortSignal;
};

/** What was added, and the text of the style sheet before and after. */
export type AddFontResult = { report: FontAddition; before: string; after: string };

/**
 * Writes everything or nothing. Throws UserError `project_not_found`, `usage` for an unknown family or weight,
 * `download_failed`, `output_unwritable` or `cancelled`.
 */
export async function addFont(request: AddFontRequest): Promise<AddFontResult> {
  const folder = await mkdtemp(join(tmpdir(), 'framework-font-'));
  try {
    return await addIn(folder, request);
  } catch (error) {
    if (!request.signal?.aborted) throw error;
    throw new UserError('cancelled', 'Cancelled; nothing was written.', { cause: error });
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function addIn(folder: string, request: AddFontRequest): Promise<AddFontResult> {
  const { family, weights, env, signal, force = false, dryRun = false } = request;
  const { root } = await findProject(request.dir);
  const slug = fontSlug(family);
  if (slug === '') throw new UserError('usage', `"${family}" is not the name of a font family`);
  const download = await downloadFont({ family, slug, folder, env, ...(signal ? { signal } : {}) });
  const font = addedFont(download, slug, weights);
  const sheet = `${projectFontsFolder}/${slug}.css`;
  const files: NewFile[] = [
    { path: sheet, bytes: Buffer.from(font.css) },
    { path: `${projectFontsFolder}/${slug}-LICENSE.txt`, bytes: Buffer.from(licenseOf(download)) },
    ...(await Promise.all(font.files.map((file) => fontFile(download, file)))),
  ];
  const changes = await compareFiles(root, files);
  if (!force) refuseChanged(changes);
  if (!dryRun) await writeFiles(root, changes, signal);
  const report: FontAddition = {
    root,
    family: font.family,
    package: download.name,
    version: download.version,
    weights: font.weights,
    styles: font.styles,
    sheet,
    files: changes.map(({ path, status, bytes }) => ({ path, status, bytes: bytes.length })),
    dryRun,
  };
  return { report, before: Buffer.from(changes[0]?.before ?? []).toString('utf8'), after: font.css };
}

async function fontFile(download: DownloadedFont, { from, name }: { from: string; name: string }): Promise<NewFile> {
  if (!readInside(download.folder).exists(from)) throw unusable(download, `${from} is missing`);
  return { path: `${projectFontsFolder}/${name}`, bytes: await readFile(join(download.folder, from)) };
}

/** The license must be kept with the files. */
function licenseOf(download: DownloadedFont): string {
  const text = download.read('LICENSE');
  if (text === undefined) throw unusable(download, 'it has no license');
  return text;
}
