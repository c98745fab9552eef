// Writes the table of font packages and its copy in docs/fonts.md: `node --import tsx scripts/fontTable.ts`.
// Run it after a change of a font in package.json or in renderer-core/model/fonts/pinnedFamilies.ts.
import { execFileSync } from 'node:child_process';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { fontFiles } from '../renderer-core/fonts/fontFiles.ts';
import { type FontPackage, fontPackages } from '../renderer-core/fonts/fontPackages.ts';
import {
  genericFamilies,
  pinnedFamilies,
  replacedNames,
  replacementFor,
} from '../renderer-core/model/fonts/pinnedFamilies.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const tablePath = 'renderer-core/fonts/fontPackages.ts';
const docsPath = 'docs/fonts.md';

type Locked = { version: string; integrity: string; license: string };
/** Size of the archive of a package in bytes. */
type Measure = (name: string, version: string) => number;

/** The packages of the pinned families, as package-lock.json has them. */
export async function readPackages(measure: Measure): Promise<FontPackage[]> {
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
  const names = [...new Set(pinnedFamilies.map((family) => family.package))];
  return Promise.all(
    names.map(async (name) => {
      const { version, integrity, license }: Locked = packages[`node_modules/${name}`];
      const sha512 = integrity.replace(/^sha512-/, '');
      const bytes = measure(name, version);
      return { name, version, sha512, bytes, unpackedBytes: await bytesOfFiles(name), license };
    }),
  );
}

async function bytesOfFiles(name: string): Promise<number> {
  const folder = join(root, 'node_modules', name);
  const sizes = (await fontFiles(folder, name)).map(async (file) => (await stat(join(folder, file))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** The size in the table, if it has the same version. */
export const knownBytes: Measure = (name, version) =>
  fontPackages.find((known) => known.name === name && known.version === version)?.bytes ?? 0;

/** Only the archive itself has its size, so npm downloads it. */
const measuredBytes: Measure = (name, version) => {
  const known = knownBytes(name, version);
  if (known > 0) return known;
  const output = execFileSync('npm', ['pack', '--dry-run', '--json', `${name}@${version}`], { encoding: 'utf8' });
  return JSON.parse(output)[0].size;
};

export function tableSource(packages: readonly FontPackage[]): string {
  const rows = packages.map(
    ({ name, version, sha512, bytes, unpackedBytes, license }) => `  {
    name: '${name}',
    version: '${version}',
    license: '${license}',
    sha512: '${sha512}',
    bytes: ${grouped(bytes)},
    unpackedBytes: ${grouped(unpackedBytes)},
  },
`,
  );
  return `// The npm packages of the pinned fonts. Written by scripts/fontTable.ts.

export type FontPackage = {
  name: string;
  version: string;
  license: string;
  /** The hash of the archive in Base64, as package-lock.json has it. */
  sha512: string;
  /** Size of the archive. */
  bytes: number;
  /** Size of the files that renders use. */
  unpackedBytes: number;
};

export const fontPackages: readonly FontPackage[] = [
${rows.join('')}];
`;
}

const grouped = (count: number): string => String(count).replaceAll(/(?<=\d)(?=(?:\d{3})+$)/g, '_');

const start = '<!-- Written by scripts/fontTable.ts -->\n';
const end = '<!-- End -->\n';

/** `docs` with the tables of `packages` between the two comments. */
export function withTables(docs: string, packages: readonly FontPackage[]): string {
  const [before = '', rest = ''] = docs.split(start);
  return `${before}${start}\n${familyTable(packages)}\n\n${checksumTable(packages)}\n\n${end}${rest.split(end)[1] ?? ''}`;
}

function familyTable(packages: readonly FontPackage[]): string {
  const rows = pinnedFamilies.map((family) => {
    const found = packages.find(({ name }) => name === family.package);
    const size = `${((found?.unpackedBytes ?? 0) / 1e6).toFixed(1)} MB`;
    return `| ${family.name} | ${replacedBy(family.name)} | \`${family.package}\` ${found?.version} | ${found?.license} | ${size} |`;
  });
  return ['| Family | Replaces | Package | License | Size |', '| --- | --- | --- | --- | --- |', ...rows].join('\n');
}

/** The names of system fonts, as authors write them, and the generic families. */
function replacedBy(family: string): string {
  const names = replacedNames.filter(
    (name) => name !== family.toLowerCase() && replacementFor(name)?.family === family,
  );
  const generic = Object.entries(genericFamilies)
    .filter(([, name]) => name === family || replacementFor(name)?.family === family)
    .map(([name]) => name);
  return [...names.map(displayName), ...generic.map((name) => `\`${name}\``)].join(', ');
}

const capitals: Record<string, string> = { sf: 'SF', ui: 'UI', blinkmacsystemfont: 'BlinkMacSystemFont' };

function displayName(name: string): string {
  if (/^-|^ui-/.test(name)) return `\`${name}\``;
  return name.replaceAll(/\w+/g, (word) => capitals[word] ?? word.charAt(0).toUpperCase() + word.slice(1));
}

function checksumTable(packages: readonly FontPackage[]): string {
  const rows = packages.map(({ name, version, sha512 }) => `| \`${name}-${version}\` | \`${sha512}\` |`);
  return ['| Package | SHA-512 of the archive, in Base64 |', '| --- | --- |', ...rows].join('\n');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const packages = await readPackages(measuredBytes);
  await writeFile(join(root, tablePath), tableSource(packages));
  await writeFile(join(root, docsPath), withTables(await readFile(join(root, docsPath), 'utf8'), packages));
}
