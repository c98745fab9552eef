// The archive of the Lambda function: its files, and that the function finds its fonts and ffmpeg in them.
import { createWriteStream, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { beforeEach, expect, test } from 'vitest';
import { fontFiles } from '../../../renderer-core/fonts/fontFiles.ts';
import { fontFolder } from '../../../renderer-core/fonts/fontFolder.ts';
import { fontPackages } from '../../../renderer-core/fonts/fontPackages.ts';
import { embeddedLibrary } from '../../../renderer-core/media/embeddedLibrary.ts';
import { inflate, packedFile } from '../../../renderer-core/project/inflate.ts';
import { findPackage } from '../../../renderer-core/project/packageFolder.ts';
import { zstd } from '../../../renderer-core/project/zstd.ts';
import { packFunction } from '../../../serverless/deploy/functionPackage.ts';
import { temporaryFolder } from '../../support/project.ts';
import { readZip } from '../../support/zip.ts';

/** Small files instead of the bundle, Chromium and the libraries of ffmpeg. The fonts are the installed ones. */
let [bundle, chromium, ffmpeg] = ['', '', ''];

beforeEach(() => {
  bundle = folderOf({ 'handler.mjs': 'the handler', 'page/runtime.js': 'the runtime' });
  chromium = folderOf({
    'package.json': manifest('@sparticuz/chromium', '153.0.0'),
    'bin/chromium.br': brotliCompressSync('browser'),
  });
  ffmpeg = folderOf({
    'package.json': manifest('@seydx/node-av-linux-x64', '6.1.1'),
    'node-av.node': 'the libraries',
    'README.md': 'not needed',
  });
});

function manifest(name: string, version: string): string {
  return JSON.stringify({ name, version });
}

function folderOf(files: Record<string, string | Buffer>): string {
  const folder = temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

const packages: typeof findPackage = async (name) => {
  if (name === '@sparticuz/chromium') return { folder: chromium, version: '153.0.0' };
  if (name === '@seydx/node-av-linux-x64') return { folder: ffmpeg, version: '6.1.1' };
  return findPackage(name);
};

async function unpacked(): Promise<string> {
  const { path } = await packFunction(join(temporaryFolder(), 'function.zip'), { env: process.env, packages, bundle });
  return folderOf(Object.fromEntries(readZip(path)));
}

test('contains the code, and of each package only what the function needs', async () => {
  const path = join(temporaryFolder(), 'function.zip');
  const packed = await packFunction(path, { env: process.env, packages, bundle, zstd: null });
  const files = readZip(path);
  const names = [...files.keys()].filter((name) => !/@fontsource|inter-ui/.test(name));
  expect(names).toEqual([
    'handler.mjs',
    'node_modules/@seydx/node-av-linux-x64/node-av.node.br',
    'node_modules/@seydx/node-av-linux-x64/package.json',
    'node_modules/@sparticuz/chromium/bin/chromium.br',
    'node_modules/@sparticuz/chromium/package.json',
    'page/runtime.js',
  ]);
  const sizes = [...files.values()].map(({ length }) => length);
  expect(packed).toMatchObject({
    bytes: statSync(path).size,
    unpackedBytes: sizes.reduce((sum, size) => sum + size, 0),
  });
  const arabic = [...files.keys()].filter((name) => name.includes('/noto-sans-arabic/'));
  expect(arabic.map((name) => name.replace(/^.*\/noto-sans-arabic\//, ''))).toEqual([
    'LICENSE',
    'files/noto-sans-arabic-arabic-wght-normal.woff2',
    'files/noto-sans-arabic-latin-ext-wght-normal.woff2',
    'files/noto-sans-arabic-latin-wght-normal.woff2',
    'files/noto-sans-arabic-math-wght-normal.woff2',
    'files/noto-sans-arabic-symbols-wght-normal.woff2',
    'index.css',
    'package.json',
  ]);
});

test('the same files give the same archive', async () => {
  const pack = () => packFunction(join(temporaryFolder(), 'function.zip'), { env: process.env, packages, bundle });
  expect((await pack()).sha256).toBe((await pack()).sha256);
});

test('the function finds all fonts in its folder', async () => {
  const code = await unpacked();
  const inFunction: typeof findPackage = (name) => findPackage(name, join(code, 'handler.mjs'));
  for (const { name } of fontPackages) {
    const env = { PATH: '', FRAMEWORK_CACHE: temporaryFolder() };
    const folder = await fontFolder(name, { env, packages: inFunction });
    expect(folder).toBe(join(code, 'node_modules', name));
    for (const file of await fontFiles(folder, name)) expect(statSync(join(folder, file)).size).toBeGreaterThan(0);
  }
});

test('the function unpacks the libraries of ffmpeg once', async () => {
  const installed = { folder: join(await unpacked(), 'node_modules/@seydx/node-av-linux-x64'), version: '6.1.1' };
  const cache = temporaryFolder();
  const path = await embeddedLibrary(installed, cache);
  expect(path).toBe(join(cache, 'node-av-6.1.1/node-av.node'));
  expect(readFileSync(path, 'utf8')).toBe('the libraries');
  expect(await embeddedLibrary(installed, cache)).toBe(path);
  expect(await embeddedLibrary({ folder: ffmpeg, version: '6.1.1' }, cache)).toBe(join(ffmpeg, 'node-av.node'));
});

test.skipIf(zstd === undefined)('the browser and the libraries are packed with Zstandard if Node has it', async () => {
  const code = await unpacked();
  const target = join(temporaryFolder(), 'unpacked');
  for (const [file, content] of [
    ['@sparticuz/chromium/bin/chromium', 'browser'],
    ['@seydx/node-av-linux-x64/node-av.node', 'the libraries'],
  ] as const) {
    const packed = await packedFile(join(code, 'node_modules', file));
    expect(packed).toBe(join(code, 'node_modules', `${file}.zst`));
    await inflate(packed ?? '', createWriteStream(target));
    expect(readFileSync(target, 'utf8')).toBe(content);
  }
});

test('a package that is not installed is an error with the command that installs it', async () => {
  const path = join(temporaryFolder(), 'function.zip');
  await expect(packFunction(path, { env: process.env, packages: async () => undefined, bundle })).rejects.toMatchObject(
    {
      code: 'usage',
      message: 'The package @sparticuz/chromium is required, but not installed',
    },
  );
});
