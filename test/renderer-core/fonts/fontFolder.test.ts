// Finding font packages: installed, in the cache, or downloaded with the user's npm from a local registry.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { createGzip } from 'node:zlib';
import { pack } from 'tar-fs';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { FontSearchOptions } from '../../../renderer-core/fonts/fontCache.ts';
import { fontFolder } from '../../../renderer-core/fonts/fontFolder.ts';
import type { FontPackage } from '../../../renderer-core/fonts/fontPackages.ts';
import { installedFonts, setUpFonts } from '../../../renderer-core/fonts/installedFonts.ts';
import type { SetupEvent } from '../../../renderer-core/setup/setupReport.ts';
import { temporaryFolder } from '../../support/project.ts';
import { repository } from '../../support/repositoryFiles.ts';
import { type Mirror, startMirror } from '../../support/servers/mirror.ts';

const [name, version] = ['@fontsource-variable/noto-sans-thai', '5.3.0'];
const cached = 'fonts/fontsource-variable-noto-sans-thai-5.3.0';

let registry: Mirror;
let archive: Buffer;
let cache: string;

beforeEach(async () => {
  registry = await startMirror();
  onTestFinished(() => registry.close());
  cache = join(temporaryFolder(), 'cache');
  archive = await packageWith('the font');
  publish(archive);
});

const sha512 = (content: Buffer) => createHash('sha512').update(content).digest('base64');

/** A package with one font that its style sheet names, and files that renders do not use. */
function packageWith(font: string): Promise<Buffer> {
  const folder = join(temporaryFolder(), 'package');
  mkdirSync(join(folder, 'files'), { recursive: true });
  const rule = '@font-face { font-style: normal; font-weight: 100 900; src: url(./files/thai.woff2) format("woff2"); }';
  const files = {
    'index.css': rule,
    'wdth.css': 'other',
    LICENSE: 'OFL',
    'files/thai.woff2': font,
    'files/old.woff': '',
  };
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version }));
  return buffer(pack(join(folder, '..')).pipe(createGzip()));
}

function publish(content: Buffer): void {
  const dist = { tarball: `${registry.url}/package.tgz`, integrity: `sha512-${sha512(content)}` };
  const document = { name, 'dist-tags': { latest: version }, versions: { [version]: { name, version, dist } } };
  registry.files.set('/@fontsource-variable%2fnoto-sans-thai', { content: Buffer.from(JSON.stringify(document)) });
  registry.files.set('/package.tgz', { content });
}

const table = (): FontPackage[] => [
  { name, version, license: 'OFL-1.1', sha512: sha512(archive), bytes: archive.length, unpackedBytes: 500 },
];
/** npm's own settings come from the environment. */
const options = (changes: Partial<FontSearchOptions> = {}): FontSearchOptions => ({
  env: { ...process.env, npm_config_registry: registry.url, FRAMEWORK_CACHE: cache },
  packages: async () => undefined,
  table: table(),
  ...changes,
});
const downloads = () => registry.asked.filter((path) => path === '/package.tgz').length;

test('uses the installed package of the same version', async () => {
  const packages = async () => ({ folder: '/n/noto-sans-thai', version });
  expect(await fontFolder(name, options({ packages }))).toBe('/n/noto-sans-thai');
  expect(registry.asked).toEqual([]);
});

test('never uses packages in the folder of a project', () => {
  const project = temporaryFolder();
  const own = join(project, 'node_modules/@fontsource/arimo');
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, 'package.json'), JSON.stringify({ name: '@fontsource/arimo', version: '5.3.0' }));
  const code = `import { fontFolder } from '${new URL('renderer-core/fonts/fontFolder.ts', pathToFileURL(repository))}';
    console.log(await fontFolder('@fontsource/arimo', { env: process.env }));`;
  const args = ['--import', import.meta.resolve('tsx'), '--input-type=module', '--eval', code];
  const folder = execFileSync(process.execPath, args, { cwd: project, encoding: 'utf8' }).trim();
  expect(folder).toBe(join(repository, 'node_modules/@fontsource/arimo'));
});

test('downloads the files that renders use, once', async () => {
  const packages = async () => ({ folder: '/n/noto-sans-thai', version: '5.2.0' });
  const folder = await fontFolder(name, options({ packages }));
  expect(folder).toBe(join(cache, cached));
  expect(readdirSync(folder, { recursive: true }).sort()).toEqual([
    'LICENSE',
    'files',
    'files/thai.woff2',
    'index.css',
    'package.json',
  ]);
  expect(readFileSync(join(folder, 'files/thai.woff2'), 'utf8')).toBe('the font');
  expect(await fontFolder(name, options())).toBe(folder);
  expect(downloads()).toBe(1);
});

test('several downloads at once end in one folder', async () => {
  const folders = await Promise.all([1, 2, 3].map(() => fontFolder(name, options())));
  expect(new Set(folders)).toEqual(new Set([join(cache, cached)]));
  expect(readdirSync(join(cache, 'fonts'))).toEqual(['fontsource-variable-noto-sans-thai-5.3.0']);
});

test('rejects a package with another checksum, and leaves no files', async () => {
  const expected = table();
  publish(await packageWith('another font'));
  await expect(fontFolder(name, options({ table: expected }))).rejects.toMatchObject({
    code: 'download_failed',
    message: expect.stringMatching(
      /^The package @fontsource-variable\/noto-sans-thai@5\.3\.0 cannot be used: its SHA-512 /,
    ),
    hint: expect.stringContaining('--system-fonts'),
  });
  expect(readdirSync(join(cache, 'fonts'))).toEqual([]);
});

test('without npm or its registry, says what to do', async () => {
  const env = { PATH: temporaryFolder(), FRAMEWORK_CACHE: cache };
  await expect(fontFolder(name, options({ env }))).rejects.toMatchObject({
    code: 'download_failed',
    message: 'The fonts @fontsource-variable/noto-sans-thai@5.3.0 are not installed, and npm was not found.',
    hint: 'Install npm, which is part of Node.js (https://nodejs.org), and run "framework setup fonts". To render with the fonts of this machine instead, which may look different on other machines, use --system-fonts.',
  });
  await registry.close();
  await expect(fontFolder(name, options())).rejects.toMatchObject({
    code: 'download_failed',
    message: expect.stringContaining('ECONNREFUSED'),
    hint: expect.stringContaining('npm config list'),
  });
});

test('setup reports, downloads and replaces the fonts', async () => {
  const events: SetupEvent[] = [];
  const missing = { missing: table(), found: [], hasNpm: true };
  expect(await installedFonts(options())).toEqual(missing);
  const row = { program: 'fonts', name: '1 font packages', bytes: archive.length, diskBytes: 500 };
  expect(await setUpFonts({ ...options(), dryRun: true })).toEqual({
    ...row,
    status: 'planned',
    path: null,
    source: null,
  });
  expect(existsSync(join(cache, cached))).toBe(false);
  const downloaded = { ...row, status: 'downloaded', path: join(cache, 'fonts'), source: 'set-up' };
  expect(await setUpFonts({ ...options(), onEvent: (event) => events.push(event) })).toEqual(downloaded);
  const bytes = { doneBytes: archive.length, totalBytes: archive.length, remainingSeconds: null };
  expect(events).toEqual([
    { type: 'stage', message: 'Looking for fonts' },
    { type: 'download', program: 'fonts', name: '1 font packages', ...bytes },
  ]);
  expect(await setUpFonts(options())).toEqual({ ...downloaded, status: 'present', bytes: 0, diskBytes: 0 });
  expect(await setUpFonts({ ...options(), force: true })).toEqual(downloaded);
  expect(downloads()).toBe(2);
});

test('a cancelled setup says so', async () => {
  const signal = AbortSignal.abort();
  await expect(setUpFonts(options({ signal }))).rejects.toMatchObject({ code: 'cancelled' });
});
