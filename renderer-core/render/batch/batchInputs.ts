// Records the inputs of a row's video: its options, and the files that it reads, with hashes of their content.
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { PlanDraft } from '../../plan/plan.ts';
import type { ProjectFiles } from '../../plan/projectPaths.ts';
import { type FileRead, type FileReads, fileVersion, hashFile } from '../../project/fileReads.ts';
import { servedFile } from '../../project/serve/projectServer.ts';
import type { OpenProject } from '../types.ts';
import type { RecordedFile } from './manifestFile.ts';

/** Hash of the options that change the frames. Workers and executables do not. */
export function hashOptions({ output, variables, ...options }: PlanDraft, capture: string): string {
  return createHash('sha256')
    .update(canonicalJson({ capture, ...options }))
    .digest('hex');
}

/** JSON with sorted keys. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
}

/** `files`, and every file that is read or missed through them is added to `reads`. */
export function recordedFiles(files: ProjectFiles, root: string, reads: FileReads): ProjectFiles {
  const missed = (path: string) => reads.add(path, null);
  return {
    ...files,
    exists(path) {
      const found = files.exists(path);
      if (!found) missed(path);
      return found;
    },
    read(path) {
      const text = files.read(path);
      if (text === undefined) missed(path);
      else reads.add(path, fileVersion(statSync(join(root, path))));
      return text;
    },
  };
}

/** The hash of a file in the project; null if there is none. */
export type FileHasher = (path: string) => Promise<{ version: string; sha256: string } | null>;

/** Hashes each version of a file once. */
export async function createFileHasher(root: string): Promise<FileHasher> {
  const realRoot = await realpath(root);
  const known = new Map<string, Promise<string>>();
  return async (path) => {
    try {
      const found = await servedFile(realRoot, path);
      if (found === null) return null;
      const { real, version } = found;
      const key = `${real} ${version}`;
      const hash = known.get(key) ?? hashFile(real);
      known.set(key, hash);
      return { version, sha256: await hash };
    } catch {
      // The file has been deleted, or it cannot be read, and so is not served either.
      return null;
    }
  };
}

/** The hash of a file that has changed during the render: it equals no other hash. */
const unstable = '';

/** One file after another, because a row may have read thousands. */
export async function recordReads(reads: readonly FileRead[], hash: FileHasher): Promise<RecordedFile[]> {
  const recorded: RecordedFile[] = [];
  for (const { path, version } of reads) {
    const now = await hash(path);
    const isStable = version === (now?.version ?? null);
    recorded.push({ path, sha256: isStable ? (now?.sha256 ?? null) : unstable });
  }
  return recorded;
}

/** The composition and the files that it embeds. They are read once for all rows. */
export async function recordProject({ graph }: OpenProject, hash: FileHasher): Promise<RecordedFile[]> {
  return Promise.all(
    [...graph.files.keys()].map(async (path) => ({ path, sha256: (await hash(path))?.sha256 ?? null })),
  );
}
