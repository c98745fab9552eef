// Finds the folder of an installed npm package that carries a binary, from the sources and from the bundle alike.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export type InstalledPackage = { folder: string; version: string };

/**
 * Folder and version of package `name` as `from` (a file, or file: URL) would import it; undefined when it is not
 * installed. Does not run the package, and does not need its `exports` to name package.json.
 */
export async function findPackage(name: string, from: string = import.meta.url): Promise<InstalledPackage | undefined> {
  const resolver = createRequire(from);
  for (const folder of candidateFolders(name, resolver)) {
    const manifest = await readManifest(join(folder, 'package.json'));
    if (manifest?.name === name) return { folder, version: manifest.version };
  }
  return undefined;
}

function candidateFolders(name: string, resolver: NodeJS.Require): string[] {
  const folders = (resolver.resolve.paths(name) ?? []).map((folder) => join(folder, name));
  try {
    // Loaders without node_modules folders know the entry file only: its package is one of the folders above it.
    for (let folder = dirname(resolver.resolve(name)); folder !== dirname(folder); folder = dirname(folder)) {
      folders.push(folder);
    }
  } catch {
    // Not resolvable as a module (no entry, or not installed): the folders above are all there is.
  }
  return folders;
}

async function readManifest(path: string): Promise<{ name: string; version: string } | undefined> {
  try {
    const { name, version } = JSON.parse(await readFile(path, 'utf8'));
    return { name: String(name), version: String(version) };
  } catch {
    return undefined;
  }
}
