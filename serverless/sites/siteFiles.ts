// Downloads a site to a local folder, from which a worker renders.
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pLimit from 'p-limit';
import { UserError } from '../../renderer-core/errors.ts';
import { pathInside } from '../../renderer-core/project/pathInside.ts';
import { keys } from '../keys.ts';
import type { Store } from '../store.ts';

/** One file of a site; `path` is relative to the project, with slashes. */
export type SiteFile = { path: string; sha256: string; bytes: number };

const maxConcurrentDownloads = 16;

/**
 * Returns the folder `<parent>/<siteId>`, which is downloaded once. Deletes all other folders in `parent`, because a worker
 * is reused for other renders and its disk is small. Throws UserError `site_not_found`.
 */
export async function siteFolder(store: Store, siteId: string, parent: string): Promise<string> {
  // The ID comes from a stored plan, which may be from another machine.
  if (!/^\w+$/.test(siteId)) throw unusable(`The plan names a site that cannot exist: ${siteId}`);
  const folder = join(parent, siteId);
  await mkdir(parent, { recursive: true });
  const others = (await readdir(parent)).filter((name) => name !== siteId);
  await Promise.all(others.map((name) => rm(join(parent, name), { recursive: true, force: true })));
  if ((await readdir(parent)).includes(siteId)) return folder;
  const files = await store.getJson<SiteFile[]>(keys.site(siteId));
  if (!files) throw unusable(`The site ${siteId} does not exist`);
  const temporary = `${folder}.${process.pid}.partial`;
  const limit = pLimit(maxConcurrentDownloads);
  await Promise.all(
    files.map((file) =>
      limit(async () => {
        const path = join(temporary, file.path);
        // The list comes from the store and may contain any path.
        if (!pathInside(temporary, path))
          throw unusable(`The site ${siteId} contains a path outside its folder: ${file.path}`);
        await mkdir(dirname(path), { recursive: true });
        await store.download(keys.siteFile(file.sha256), path);
      }),
    ),
  );
  await rename(temporary, folder);
  return folder;
}

const unusable = (message: string): UserError =>
  new UserError('site_not_found', message, { hint: 'Plan the render again, which uploads the project.' });
