// Single frames of projects as hashes, from one browser.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { type SnapshotRequest, snapshotIn } from '../../../renderer-core/render/snapshot/takeSnapshot.ts';
import { temporaryFolder } from '../project.ts';
import { inSession, openSession, type SharedSession } from './warmRender.ts';

/** A function that returns the hashes of the frames at `at`. */
export function snapshotHashes(): (
  request: SnapshotRequest & { projectDir: string; at: readonly string[] },
) => Promise<string[]> {
  let shared: Promise<SharedSession> | undefined;
  afterAll(async () => (await shared)?.close());
  return async (request) => {
    const { projectDir } = request;
    const folder = temporaryFolder();
    shared ??= openSession(projectDir);
    await inSession(await shared, projectDir, (place) =>
      snapshotIn(place, { ...request, output: join(folder, 'frame.png') }),
    );
    return hashesIn(folder);
  };
}

/** The hashes of the files of a folder, by name. */
export const hashesIn = (folder: string): string[] =>
  readdirSync(folder)
    .sort()
    .map((name) =>
      createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex')
        .slice(0, 16),
    );
