// Creates the files that a release publishes, in release/<version>/: npm tarball, VSIX, third-party notices, SBOM, checksums.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { billOfMaterials } from './thirdParty.mjs';

/** Builds, packs both packages, and returns the folder with the files. */
export async function createArtifacts() {
  const { version } = JSON.parse(await readFile('package.json', 'utf8'));
  const folder = join('release', version);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  execFileSync('npm', ['pack', '--pack-destination', folder], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  execFileSync(process.execPath, ['scripts/package.mjs'], { stdio: 'inherit' });
  await rename(`framework-${version}.vsix`, join(folder, `framework-${version}.vsix`));
  await copyFile('dist/THIRD-PARTY-NOTICES.txt', join(folder, 'THIRD-PARTY-NOTICES.txt'));
  await writeFile(join(folder, 'sbom.cdx.json'), `${JSON.stringify(await billOfMaterials(), null, 2)}\n`);
  await writeChecksums(folder);
  console.log(`\n${folder}:\n${(await readdir(folder)).map((name) => `  ${name}`).join('\n')}`);
  return folder;
}

/** SHA256SUMS, in the format of `sha256sum --check`. */
async function writeChecksums(folder) {
  const lines = [];
  for (const name of (await readdir(folder)).sort()) {
    const content = await readFile(join(folder, name));
    lines.push(`${createHash('sha256').update(content).digest('hex')}  ${name}\n`);
  }
  await writeFile(join(folder, 'SHA256SUMS'), lines.join(''));
}

if (process.argv[1] === import.meta.filename) await createArtifacts();
