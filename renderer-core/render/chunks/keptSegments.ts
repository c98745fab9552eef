// Finished segments in a folder, so that a render that was interrupted can continue with them.
import { createHash } from 'node:crypto';
import { link, mkdir, readdir, rm } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { copyWhole } from '../../project/output/moveFile.ts';

type CapturePath = 'paint' | 'screenshot';

export type KeptSegments = {
  /** The files of the chunks that were captured in this way, by the index of their chunk. */
  find(path: CapturePath): Promise<ReadonlyMap<number, string>>;
  /** Adds the file of a chunk to the folder, completely or not at all. */
  keep(path: CapturePath, index: number, file: string): Promise<void>;
  /** Deletes the files of the chunks that were captured in this way, also those that come later. */
  discard(path: CapturePath): Promise<void>;
  /** Whether an interrupted render has left files. */
  isResumed?: boolean;
  /** Deletes the files of a chunk, whose frames are in the video now. */
  drop?(index: number): Promise<void>;
  /** Called at the end of the render. `isComplete`: the video is in its place. */
  close?(isComplete: boolean): Promise<void>;
};

/** `facts`: everything that determines what is in a segment, as JSON. Files of other facts are ignored. */
export async function openKeptSegments(folder: string, facts: unknown): Promise<KeptSegments> {
  await mkdir(folder, { recursive: true });
  const discarded = new Set<CapturePath>();
  const hash = createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 32);
  const prefix = (path: CapturePath): string => `${hash}-${path}-`;
  const namesOf = async (path: CapturePath): Promise<string[]> =>
    (await readdir(folder)).filter((name) => name.startsWith(prefix(path)));
  return {
    async find(path) {
      const indexOf = (name: string): number => Number(basename(name, extname(name)).slice(prefix(path).length));
      return new Map((await namesOf(path)).map((name) => [indexOf(name), join(folder, name)]));
    },
    async keep(path, index, file) {
      const target = join(folder, `${prefix(path)}${String(index).padStart(5, '0')}${extname(file)}`);
      // The folder may be on another disk.
      await link(file, target).catch(() => copyWhole(file, target));
      if (discarded.has(path)) await rm(target, { force: true });
    },
    async discard(path) {
      discarded.add(path);
      for (const name of await namesOf(path)) await rm(join(folder, name), { force: true });
    },
  };
}
