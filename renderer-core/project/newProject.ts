// Makes a project out of an example: all of its files or none, and nothing that is there is written over.
import { constants } from 'node:fs';
import { copyFile, lstat, mkdir, mkdtemp, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UserError } from '../errors.ts';
import { didYouMean } from '../model/suggest.ts';
import { type Example, type ExampleIndex, indexFile, sourceOf } from './exampleIndex.ts';

/** Beside the folder of the bundle that holds this code, and beside that of the sources. */
const examplesFolder = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../examples/' : '../examples/', import.meta.url),
);

export async function readExamples(): Promise<ExampleIndex> {
  return JSON.parse(await readFile(join(examplesFolder, indexFile), 'utf8'));
}

/** Absolute paths: the folder, and what to open first. */
export type NewProject = { example: string; folder: string; open: string; files: string[] };

/**
 * Copies the example `name` into `folder`, which may be there as long as it has none of the example's files. Throws
 * UserError: `usage` for an unknown example, `output_unwritable`, `cancelled`.
 */
export async function newProject(folder: string, name: string, signal: AbortSignal): Promise<NewProject> {
  const index = await readExamples();
  const example = index.examples.find((one) => one.name === name);
  if (!example) throw unknownExample(name, index);
  const target = resolve(folder);
  await refuseTaken(target, folder, example);
  const copy = (to: string, taken: string[]) => copyExample(index, example, to, taken, signal);
  try {
    await mkdir(dirname(target), { recursive: true });
    if (await isThere(target)) await undoing((taken) => copy(target, taken));
    else await appearing(target, (stage) => copy(stage, []));
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw unwritable(folder, error);
  }
  return { example: name, folder: target, open: join(target, example.open), files: example.files };
}

function unknownExample(name: string, { examples }: ExampleIndex): UserError {
  const names = examples.map((example) => example.name);
  return new UserError('usage', `There is no example "${name}"${didYouMean(name, names)}`, {
    hint: `There are ${names.join(', ')}. framework new --list tells what they show.`,
  });
}

async function refuseTaken(target: string, folder: string, { files }: Example): Promise<void> {
  const taken: string[] = [];
  for (const file of files) if (await isThere(join(target, file))) taken.push(file);
  const [first] = taken;
  if (first === undefined) return;
  const more = taken.length > 1 ? ` and ${taken.length - 1} more` : '';
  throw new UserError('output_unwritable', `${folder} has files of this name already: ${first}${more}`, {
    hint: 'Nothing was written. Name another folder: framework new my-video',
  });
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** A folder that is not there yet comes into being whole, under another name beside it first. */
async function appearing(target: string, fill: (stage: string) => Promise<void>): Promise<void> {
  const stage = await mkdtemp(join(dirname(target), '.framework-new-'));
  try {
    // A folder with the rights of any other: the temporary one is its owner's alone.
    const inside = join(stage, 'project');
    await mkdir(inside);
    await fill(inside);
    await rename(inside, target);
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

/** In a folder that has other things, what was written goes away again when one file cannot be. */
async function undoing(fill: (written: string[]) => Promise<void>): Promise<void> {
  const written: string[] = [];
  try {
    await fill(written);
  } catch (error) {
    for (const path of written.reverse()) await rm(path).catch(() => rmdir(path).catch(() => undefined));
    throw error;
  }
}

/** `written` gets every file and folder that was not there before, in that order. */
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

function unwritable(folder: string, error: unknown): UserError {
  return new UserError('output_unwritable', `Cannot write to ${folder}: ${(error as Error).message}`, {
    hint: 'Name a folder that you may write to.',
    cause: error,
  });
}
