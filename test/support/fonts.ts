// The pinned fonts for programs that are started away from their npm packages, such as the packed extension.
import { cp } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { cacheName, fontCache } from '../../renderer-core/fonts/fontCache.ts';
import { fontFiles } from '../../renderer-core/fonts/fontFiles.ts';
import { fontPackages } from '../../renderer-core/fonts/fontPackages.ts';
import { cacheEntry } from '../../renderer-core/project/cacheFolder.ts';
import { repository } from './repositoryFiles.ts';

/** Copies them from the installed packages into the cache, where a download would put them. */
export async function cacheFonts(env: NodeJS.ProcessEnv = process.env, home: string = homedir()): Promise<void> {
  for (const { name, version } of fontPackages) {
    const installed = join(repository, 'node_modules', name);
    await cacheEntry(fontCache(env, home), cacheName(name, version), async (folder) => {
      for (const file of await fontFiles(installed, name)) await cp(join(installed, file), join(folder, file));
    });
  }
}
