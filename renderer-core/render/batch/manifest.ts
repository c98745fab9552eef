// manifest.json, next to the outputs of a batch: the status of every row. Current at every moment, also after a kill.

import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UserError } from '../../errors.ts';
import { manifestName } from '../../plan/batch.ts';
import { removeStaleTempFiles, tempFileName, unwritable } from '../../project/output/tempFiles.ts';
import type { ManifestCounts, ManifestFile, ManifestRow, RecordedFile, RowStatus } from './manifestFile.ts';

export type Manifest = {
  path: string;
  row(index: number): ManifestRow;
  counts(): ManifestCounts;
  /** Changes a row; resolves when the change is on disk. Changes made during a write are written together. */
  set(index: number, change: Partial<ManifestRow>): Promise<void>;
  /** Adds files that a row has read, and returns their indices. They are written with the next change of a row. */
  addFiles(files: readonly RecordedFile[]): number[];
};

export const manifestPath = (folder: string): string => join(folder, manifestName);

/** The manifest of an earlier run; undefined if there is none. Throws UserError if the file is not a manifest. */
export async function readManifest(path: string): Promise<ManifestFile | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(String((error as NodeJS.ErrnoException).code))) return undefined;
    throw new UserError('batch_file_unreadable', `Cannot read ${path}: ${String((error as Error).message)}`, {
      hint: 'A batch writes its statuses to this file: set --output to another folder.',
      cause: error,
    });
  }
  const found = parse(text);
  if (found) return found;
  throw new UserError('output_unwritable', `${path} is not the manifest of a batch`, {
    hint: 'A batch writes its statuses to this file: move the existing file, or set --output to another folder.',
  });
}

function parse(text: string): ManifestFile | undefined {
  try {
    const value = JSON.parse(text) as Partial<ManifestFile> | null;
    const isManifest = value?.version === 1 && Array.isArray(value.rows) && Array.isArray(value.files);
    return isManifest ? (value as ManifestFile) : undefined;
  } catch {
    return undefined;
  }
}

export type ManifestContent = { batch: string | null; rows: ManifestRow[]; files: FileList };

/** Creates a manifest in an existing folder and writes it. */
export async function createManifest(path: string, { batch, rows, files }: ManifestContent): Promise<Manifest> {
  const blocks = blocksOf(rows);
  const fileBlocks = blocksOf(files.all);
  const counts: Record<RowStatus, number> = { pending: 0, running: 0, completed: 0, failed: 0, skipped: 0 };
  for (const { status } of rows) counts[status]++;
  const countsNow = (): ManifestCounts => {
    const { completed, failed, skipped } = counts;
    return { total: rows.length, completed, failed, skipped };
  };
  const temporary = join(dirname(path), tempFileName(manifestName));
  await removeStaleTempFiles(dirname(path), [manifestName]);
  const write = async () => {
    const head = JSON.stringify({ version: 1, batch, ...countsNow() }).slice(0, -1);
    await writeFile(
      temporary,
      Buffer.concat([
        Buffer.from(`${head},"rows":[\n`),
        ...blocks.all(),
        Buffer.from('\n],"files":[\n'),
        ...fileBlocks.all(),
        Buffer.from('\n]}\n'),
      ]),
    );
    await rename(temporary, path);
  };
  const save = coalesced(write);
  await save().catch(async (error) => {
    await rm(temporary, { force: true });
    throw unwritable(path, error);
  });
  return {
    path,
    row: (index) => rows[index] as ManifestRow,
    counts: countsNow,
    set(index, change) {
      const row = { ...(rows[index] as ManifestRow), ...change };
      counts[(rows[index] as ManifestRow).status]--;
      counts[row.status]++;
      rows[index] = row;
      blocks.changed(index);
      return save();
    },
    addFiles(added) {
      fileBlocks.changed(files.all.length);
      return added.map(files.add);
    },
  };
}

/** The distinct files that rows have read. `add` returns the index of a file. */
export type FileList = { all: RecordedFile[]; add(file: RecordedFile): number };

export function createFileList(): FileList {
  const all: RecordedFile[] = [];
  const indices = new Map<string, number>();
  return {
    all,
    add({ path, sha256 }) {
      const key = `${sha256} ${path}`;
      const index = indices.get(key) ?? all.push({ path, sha256 }) - 1;
      indices.set(key, index);
      return index;
    },
  };
}

const itemsPerBlock = 256;

/** Caches the text of a list in blocks: usually one of thousands of items has changed since the last write. */
function blocksOf(items: readonly unknown[]) {
  const blocks: (Buffer | undefined)[] = [];
  const write = (block: number): Buffer => {
    const own = items.slice(block * itemsPerBlock, (block + 1) * itemsPerBlock).map((item) => JSON.stringify(item));
    return Buffer.from(`${block === 0 ? '' : ',\n'}${own.join(',\n')}`);
  };
  return {
    all(): Buffer[] {
      return Array.from({ length: Math.ceil(items.length / itemsPerBlock) }, (_, block) => {
        const text = blocks[block] ?? write(block);
        blocks[block] = text;
        return text;
      });
    },
    changed(index: number): void {
      blocks[Math.floor(index / itemsPerBlock)] = undefined;
    },
  };
}

/** Runs `work` one at a time. Calls made before a waiting run has started share that run. */
function coalesced(work: () => Promise<void>): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    // A failure was handed to the callers of that run.
    next ??= last
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        last = work();
        return last;
      });
    return next;
  };
}
