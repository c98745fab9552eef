// Creates a project from an example. Copies all of its files or none, and never overwrites a file.

import { constants } from 'node:fs';
import { copyFile, lstat, mkdir, mkdtemp, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UserError } from '../errors.ts';
import { didYouMean } from '../model/text/suggest.ts';
import { type Example, type ExampleIndex, indexFile, sourceOf } from './exampleIndex.ts';
import type { NewProject } from './newProjectReport.ts';
import { unwritable } from './output/tempFiles.ts';

/** Next to the folder of the bundle, or next to the sources. */
const examplesFolder = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../examples/' : '../examples/', import.meta.url),
);

export async function readExamples(): Promise<ExampleIndex> {
  return JSON.parse(await readFile(join(examplesFolder, indexFile), 'utf8'));
}

/**
 * Copies the example `name` to `folder`. The folder may exist if it contains none of the example's files. Throws UserError
 * `usage` for an unknown example, `output_unwritable` or `cancelled`.
 */
export async function newProject(folder: string, name: string, signal: AbortSignal): Promise<NewProject> {
  const index = await readExamples();
  const example = index.examples.find((one) => one.name === name);
  if (!example) throw unknownExample(name, index);
  const target = resolve(folder);
  await refuseExisting(target, folder, example);
  const copy = (to: string, written: string[]) => copyExample(index, example, to, written, signal);
  try {
    await mkdir(dirname(target), { recursive: true });
    if (await exists(target)) await withRollback((written) => copy(target, written));
    else await createAtomically(target, (stage) => copy(stage, []));
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw unwritable(folder, error, 'Specify a folder that you can write to.');
  }
  return { example: name, folder: target, open: join(target, example.open), files: example.files };
}

function unknownExample(name: string, { examples }: ExampleIndex): UserError {
  const names = examples.map((example) => example.name);
  return new UserError('usage', `The example "${name}" does not exist${didYouMean(name, names)}`, {
    hint: `Available examples: ${names.join(', ')}. framework new --list describes them.`,
  });
}

async function refuseExisting(target: string, folder: string, { files }: Example): Promise<void> {
  const existing: string[] = [];
  for (const file of files) if (await exists(join(target, file))) existing.push(file);
  const [first] = existing;
  if (first === undefined) return;
  const more = existing.length > 1 ? ` and ${existing.length - 1} more` : '';
  throw new UserError('output_unwritable', `${folder} already contains files of the example: ${first}${more}`, {
    hint: 'Nothing was written. Specify another folder: framework new my-video',
  });
}

/** A path that cannot be looked at either: writing there reports the reason. */
const exists = async (path: string): Promise<boolean> => (await lstat(path).catch(() => undefined)) !== undefined;

/** Creates a folder under a temporary name and renames it when it is complete. */
async function createAtomically(target: string, fill: (stage: string) => Promise<void>): Promise<void> {
  const stage = await mkdtemp(join(dirname(target), '.framework-new-'));
  try {
    // mkdtemp creates folders that only their owner can read; this one gets the usual permissions.
    const inside = join(stage, 'project');
    await mkdir(inside);
    await fill(inside);
    await rename(inside, target);
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

/** Removes the written files again when one of them fails. */
async function withRollback(fill: (written: string[]) => Promise<void>): Promise<void> {
  const written: string[] = [];
  try {
    await fill(written);
  } catch (error) {
    // Best effort: the error that is thrown matters more.
    for (const path of written.reverse()) await rm(path).catch(() => rmdir(path).catch(() => undefined));
    throw error;
  }
}

/** Adds every created file and folder to `written`, in order of creation. */
async function copyExample(
  index: ExampleIndex,
  example: Example,
  to: string,
  written: string[],
  signal: AbortSignal,
): Promise<void> {
  for (const file of example.files) {
    if (signal.aborted) throw new UserError('cancelled', 'Cancelled; nothing was written');
    const path = join(to, file);
    const first = await mkdir(dirname(path), { recursive: true });
    if (first !== undefined) written.push(first);
    await copyFile(join(examplesFolder, sourceOf(index, example, file)), path, constants.COPYFILE_EXCL);
    written.push(path);
  }
}
