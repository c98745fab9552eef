// The packages of others that the published files contain: their licenses as text, and as a CycloneDX bill of materials.
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { bundledPackages, fontPackages, installedPackages, isFont } from './shippedPackages.mjs';

const run = promisify(execFile);

const notContained = `The files of this package do not contain FFmpeg, which npm or "framework setup" installs:

The FFmpeg libraries of @seydx/node-av-*: GPL version 3 or later (https://ffmpeg.org/legal.html)
The program of the project ffmpeg-static: GPL version 3 or later`;

const installed = `npm installs packages with this one, for each system others, with these licenses:`;

const fonts = `The npm package contains most of these fonts, and the others are downloaded on first use. "framework serverless deploy" puts them into the function:`;

/** One section for each license text, headed by the bundled packages that it applies to; then those of the fonts. */
export async function thirdPartyNotices() {
  const packagesByText = new Map();
  for (const { folder, id, license } of await bundledPackages()) {
    const text =
      (await licenseFiles(folder)) || [`License: ${license}`, await licenseInReadme(folder)].join('\n\n').trim();
    packagesByText.set(text, [...(packagesByText.get(text) ?? []), id]);
  }
  const line = `\n\n${'-'.repeat(80)}\n\n`;
  const sections = [...packagesByText].map(([text, packages]) => `${packages.join('\n')}\n\n${text}`);
  const others = (await installedPackages()).map(({ id, license }) => `${id}: ${license}`);
  const parts = [
    ...sections,
    notContained,
    `${installed}\n\n${others.join('\n')}`,
    `${fonts}\n\n${(await fontNotices()).join(line)}`,
  ];
  return `The files of this package contain code of these packages:${line}${parts.join(line)}\n`;
}

async function licenseFiles(folder) {
  const names = (await readdir(folder)).filter((name) => /^(?:licen[cs]e|copying|notice)/i.test(name)).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return texts.map((one) => one.replaceAll('\r\n', '\n').trim()).join('\n\n');
}

/** Some packages have no file for it. */
async function licenseInReadme(folder) {
  const name = (await readdir(folder)).find((one) => /^readme/i.test(one));
  const text = name === undefined ? '' : (await readFile(join(folder, name), 'utf8')).replaceAll('\r\n', '\n');
  const [, section = ''] = /^#+ *licen[cs]e *$\n([^#]*)/im.exec(text) ?? [];
  // Without the addresses of links.
  return section.replaceAll(/^\[[^\]]*\]: .*\n?/gm, '').trim();
}

/** The licenses of the fonts differ only in what precedes the first line of the license: the holders of the copyright. */
async function fontNotices() {
  const holdersByText = new Map();
  for (const { folder, name, id } of await fontPackages()) {
    const file = (await readdir(folder)).find((one) => /^licen[cs]e/i.test(one)) ?? 'LICENSE';
    const text = (await readFile(join(folder, file), 'utf8')).replaceAll('\r\n', '\n').trim();
    const start = text.indexOf('This Font Software is licensed');
    if (start < 0) throw new Error(`The license of ${name} is not the SIL Open Font License.`);
    const holders = `${id}: ${text.slice(0, start).trim()}`;
    holdersByText.set(text.slice(start), [...(holdersByText.get(text.slice(start)) ?? []), holders]);
  }
  return [...holdersByText].map(([text, holders]) => `${holders.join('\n')}\n\n${text}`);
}

/** What npm knows about the installed packages, reduced to those that are part of the package or installed with it. */
export async function billOfMaterials() {
  const [all, installed, bundled] = await Promise.all([npmBill(), npmBill('--omit=dev'), bundledPackages()]);
  const { optionalDependencies } = JSON.parse(await readFile('package.json', 'utf8'));
  const isPart = ({ name }) => isFont(name) || name in optionalDependencies;
  const parts = all.components.filter(isPart).map((one) => one['bom-ref']);
  const shipped = new Set([
    ...installed.components.map((one) => one['bom-ref']),
    ...bundled.map(({ id }) => id),
    ...parts,
  ]);
  const isShipped = (ref) => shipped.has(ref) || ref === all.metadata.component['bom-ref'];
  return {
    ...all,
    metadata: { ...all.metadata, component: { ...all.metadata.component, name: 'framework' } },
    components: all.components.filter((one) => shipped.has(one['bom-ref'])),
    dependencies: all.dependencies
      .filter(({ ref }) => isShipped(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(isShipped) })),
  };
}

async function npmBill(...flags) {
  const args = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only', ...flags];
  const { stdout } = await run('npm', args, { maxBuffer: 64 * 1024 * 1024, shell: process.platform === 'win32' });
  return JSON.parse(stdout);
}

if (process.argv[1] === import.meta.filename) {
  const path = 'dist/THIRD-PARTY-NOTICES.txt';
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, await thirdPartyNotices());
}
