// Copies the pinned fonts that are part of the product into dist/fonts: of each npm package the files that renders use.
import { cp, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { cacheName } from '../renderer-core/fonts/fontCache.ts';
import { fontFiles } from '../renderer-core/fonts/fontFiles.ts';
import { fontPackages } from '../renderer-core/fonts/fontPackages.ts';
import { isOnDemand } from '../renderer-core/model/fonts/pinnedFamilies.ts';

for (const { name, version } of fontPackages.filter((one) => !isOnDemand(one.name))) {
  const [from, to] = [join('node_modules', name), join('dist/fonts', cacheName(name, version))];
  for (const file of await fontFiles(from, name)) {
    await mkdir(dirname(join(to, file)), { recursive: true });
    await cp(join(from, file), join(to, file));
  }
}
