// A site in the bucket back to a folder: what workers render from.
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pLimit from 'p-limit';
import type { Bucket } from './bucket.ts';
import { keys } from './keys.ts';

/** One file of a site; `path` is relative to the project, with slashes. */
export type SiteFile = { path: string; sha256: string; bytes: number };

const downloadsAtOnce = 16;

/**
 * The folder `<parent>/<siteId>` with all files of the site; filled once. Nothing else stays in `parent`: a worker lives on
 * from render to render, and its disk is small. Rejects when there is no such site.
 */
export async function siteFolder(bucket: Bucket, siteId: string, parent: string): Promise<string> {
  const folder = join(parent, siteId);
  await mkdir(parent, { recursive: true });
  const others = (await readdir(parent)).filter((name) => name !== siteId);
  await Promise.all(others.map((name) => rm(join(parent, name), { recursive: true, force: true })));
  if ((await readdir(parent)).includes(siteId)) return folder;
  const files = await bucket.getJson<SiteFile[]>(keys.site(siteId));
  if (!files) throw new Error(`there is no site ${siteId} in ${bucket.name}`);
  const temporary = `${folder}.${process.pid}.partial`;
  const limit = pLimit(downloadsAtOnce);
  await Promise.all(
    files.map((file) =>
      limit(async () => {
        const path = join(temporary, file.path);
        // The list was written by whoever may write to the bucket: no path leads out of the folder.
        if (!path.startsWith(join(temporary, '/'))) throw new Error(`the site ${siteId} names ${file.path}`);
        await mkdir(dirname(path), { recursive: true });
        await bucket.download(keys.siteFile(file.sha256), path);
      }),
    ),
  );
  await rename(temporary, folder);
  return folder;
}
