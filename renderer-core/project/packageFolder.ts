// Finds the folder of an installed npm package that contains a binary.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export type InstalledPackage = { folder: string; version: string };

/**
 * Folder and version of the package that `from` (a file or file: URL) would import; undefined when it is not installed.
 * Does not run the package, and works when its `exports` do not include package.json.
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
    // Loaders without node_modules folders resolve only the entry file; the package is one of its parent folders.
    for (let folder = dirname(resolver.resolve(name)); folder !== dirname(folder); folder = dirname(folder)) {
      folders.push(folder);
    }
  } catch {
    // The package has no entry file, or is not installed.
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
