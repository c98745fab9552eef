// The packages of others that a release contains or that npm installs with it.
import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';

export const isFont = (name) => /^@fontsource|^inter-ui$/.test(name);

/** Packages whose manifest names no license, with that of their readme. */
const licensesOfReadmes = { 'only@0.0.2': 'MIT' };

/** Some old packages name their licenses in a list. */
const licenseIn = ({ license, licenses }) => license ?? licenses?.map(({ type }) => type).join(' AND ');

/** Packages in the bundles of `npm run build`, by the folder they were read from. */
export async function bundledPackages() {
  const { inputs } = JSON.parse(await readFile('dist/meta.json', 'utf8'));
  // From the first node_modules, which may be a link, to the package in the last one.
  const folders = Object.keys(inputs).flatMap(
    (path) => /node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0] ?? [],
  );
  return Promise.all(
    [...new Set(folders)].sort().map(async (folder) => {
      const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
      return described(folder, { ...manifest, license: licenseIn(manifest) });
    }),
  );
}

/** The packages that npm installs with the package, for all systems: those of the lockfile, with their own dependencies. */
export async function installedPackages() {
  const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8'));
  return installedBy(packages).map((folder) => described(folder, { ...packages[folder], name: nameOf(folder) }));
}

/** The fonts whose files are in the package or are downloaded on first use. */
export async function fontPackages() {
  const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8'));
  return Object.keys(packages[''].devDependencies)
    .filter(isFont)
    .map((name) => described(`node_modules/${name}`, { ...packages[`node_modules/${name}`], name }));
}

/** All of them, each once. */
export async function shippedPackages() {
  const all = (await Promise.all([bundledPackages(), installedPackages(), fontPackages()])).flat();
  return [...new Map(all.map((one) => [one.folder, one])).values()];
}

/** The folders of the packages that `npm install` of the package would bring, from the entries of a lockfile. */
export function installedBy(packages) {
  const found = new Set();
  const visit = (folder) => {
    const { dependencies, optionalDependencies } = packages[folder];
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const next = resolveFrom(packages, folder, name);
      if (next === undefined || found.has(next)) continue;
      found.add(next);
      visit(next);
    }
  };
  visit('');
  return [...found].sort();
}

/** Node's search for a package: next to the one that needs it, then in each folder above. */
function resolveFrom(packages, folder, name) {
  for (let at = folder; ; at = posix.dirname(at)) {
    const path = posix.join(at, 'node_modules', name);
    if (path in packages) return path;
    if (at === '' || at === '.') return undefined;
  }
}

const nameOf = (folder) => folder.split('node_modules/').at(-1) ?? folder;

function described(folder, { name, version, license }) {
  const id = `${name}@${version}`;
  return { folder, name, id, license: license ?? licensesOfReadmes[id] };
}
