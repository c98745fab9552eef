// Adds a font family to a project: its files, the style sheet that declares them, and the license.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UserError } from '../errors.ts';
import { addedFont, fontSlug } from '../plan/fonts/addedFont.ts';
import { findProject } from '../project/projectRoots.ts';
import { findFont } from './findFont.ts';
import type { FontAddition } from './fontAddition.ts';
import { type FontService, googleFonts } from './googleFont.ts';
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
  /** Where Google Fonts is. Replaced in tests. */
  service?: FontService;
};

/** What was added, the name of its source, and the text of the style sheet before and after. */
export type AddFontResult = { report: FontAddition; source: string; before: string; after: string };

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
  const { family, weights, env, force = false, dryRun = false, service = googleFonts } = request;
  const { signal = new AbortController().signal } = request;
  const { root } = await findProject(request.dir);
  const slug = fontSlug(family);
  if (slug === '') throw new UserError('usage', `"${family}" is not the name of a font family`);
  const found = await findFont({ family, slug, weights, folder, env, service, signal });
  const font = addedFont(found, slug, weights);
  const inFonts = (name: string) => `${projectFontsFolder}/${name}`;
  const sheet = inFonts(`${slug}.css`);
  const files: NewFile[] = [
    { path: sheet, bytes: Buffer.from(font.css) },
    { path: inFonts(`${slug}-LICENSE.txt`), bytes: Buffer.from(found.license) },
    ...(await Promise.all(
      font.files.map(async ({ from, name }) => ({ path: inFonts(name), bytes: await found.read(from) })),
    )),
  ];
  const changes = await compareFiles(root, files);
  if (!force) refuseChanged(changes);
  if (!dryRun) await writeFiles(root, changes, signal);
  const report: FontAddition = {
    root,
    family: font.family,
    ...found.origin,
    weights: font.weights,
    styles: font.styles,
    sheet,
    files: changes.map(({ path, status, bytes }) => ({ path, status, bytes: bytes.length })),
    dryRun,
  };
  const before = Buffer.from(changes[0]?.before ?? []).toString('utf8');
  return { report, source: found.label, before, after: font.css };
}
