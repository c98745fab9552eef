// Adds a block of the catalog to a composition on disk. Writes both files or none, and never overwrites another file.
import { mkdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UserError } from '../errors.ts';
import { applyEdits } from '../lint/applyFixes.ts';
import { createProject, type ProjectFiles } from '../lint/project.ts';
import { didYouMean } from '../model/text/suggest.ts';
import { resolveProject } from '../project/findProject.ts';
import { unwritable } from '../project/output/tempFiles.ts';
import { isHtmlPath, listProjectFiles, readProjectTexts, replaceFile } from '../project/projectFiles.ts';
import { findProject } from '../project/projectRoots.ts';
import type { AddedBlock } from './addBlockReport.ts';
import { type Block, type BlockIndex, blockIndexFile } from './blockIndex.ts';
import { insertBlock } from './insertBlock.ts';

/** Next to the folder of the bundle, or next to the sources. */
const blocksFolder = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../blocks/' : '../blocks/', import.meta.url),
);

export async function readBlocks(): Promise<BlockIndex> {
  return JSON.parse(await readFile(join(blocksFolder, blockIndexFile), 'utf8'));
}

export const readBlock = ({ name }: Block): Promise<string> => readFile(join(blocksFolder, `${name}.html`), 'utf8');

/** `dir` is a project folder or an HTML file. `composition` is a path in the folder. Times are seconds. */
export type AddBlockRequest = { name: string; dir: string; composition?: string; at: number; duration?: number };

/**
 * Throws UserError `usage` for an unknown block, `project_not_found`, `composition_not_found`, or `output_unwritable`, and
 * throws when aborted.
 */
export async function addBlock(request: AddBlockRequest, signal: AbortSignal): Promise<AddedBlock> {
  const { name, at, duration } = request;
  const block = await findBlock(name);
  const { root, path } = await findComposition(request);
  const project = await readProject(root, signal);
  const inserted = insertBlock(project, path, {
    block,
    text: await readBlock(block),
    at,
    ...(duration === undefined ? {} : { duration }),
  });
  if ('problem' in inserted) throw new UserError('composition_not_found', inserted.problem);
  const { file, edits, start, id, track, compositionDuration } = inserted;
  signal.throwIfAborted();
  const text = applyEdits(project.composition(path)?.text ?? '', edits);
  const undo = file ? await createFile(join(root, file.path), file.text) : async () => undefined;
  try {
    await replaceFile(join(root, path), text);
  } catch (error) {
    await undo();
    throw error;
  }
  return {
    block: name,
    composition: join(root, path),
    file: join(root, inserted.path),
    created: file !== null,
    id,
    start,
    duration: inserted.duration,
    track,
    compositionDuration,
  };
}

async function findBlock(name: string): Promise<Block> {
  const { blocks } = await readBlocks();
  const block = blocks.find((one) => one.name === name);
  if (block) return block;
  const names = blocks.map((one) => one.name);
  throw new UserError('usage', `The block "${name}" does not exist${didYouMean(name, names)}`, {
    hint: `Available blocks: ${names.join(', ')}. framework add --list describes them.`,
  });
}

async function findComposition({ dir, composition }: AddBlockRequest): Promise<{ root: string; path: string }> {
  if (composition === undefined && isHtmlPath(dir)) {
    const { root, file } = await findProject(dir);
    if (file !== undefined) return { root, path: file };
  }
  const found = await resolveProject(dir, composition);
  return { root: found.root, path: found.composition };
}

async function readProject(root: string, signal: AbortSignal): Promise<ProjectFiles> {
  const paths = await listProjectFiles(root, signal);
  const texts = await readProjectTexts(root, paths.filter(isHtmlPath), signal);
  const project = createProject();
  project.setAssets(paths);
  for (const [path, text] of texts) project.set(path, text);
  return project;
}

/** Creates a file and its folder. Returns a function that removes them again. */
async function createFile(path: string, text: string): Promise<() => Promise<void>> {
  try {
    const made = await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, { flag: 'wx' });
    return async () => {
      await rm(path, { force: true });
      // It stays if it contains other files by now.
      if (made !== undefined) await rmdir(dirname(path)).catch(() => undefined);
    };
  } catch (error) {
    throw unwritable(posix.normalize(path), error, 'Check that the folder is writable.');
  }
}
