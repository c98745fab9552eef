// Packs the code of the Lambda function: the bundle, the page scripts, Chromium, the libraries of ffmpeg and the pinned fonts.
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline as connect, type Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { constants, createBrotliCompress, createBrotliDecompress } from 'node:zlib';
import { ZipFile } from 'yazl';
import { UserError } from '../../renderer-core/errors.ts';
import { fontFiles } from '../../renderer-core/fonts/fontFiles.ts';
import { fontFolder } from '../../renderer-core/fonts/fontFolder.ts';
import { fontPackages } from '../../renderer-core/fonts/fontPackages.ts';
import { findPackage } from '../../renderer-core/project/packageFolder.ts';
import { type Zstd, zstd as zstdOfNode } from '../../renderer-core/project/zstd.ts';
import { ffmpegLibrary, ffmpegPackage } from '../../renderer-core/setup/ffmpegPackages.ts';

/** Limit of AWS Lambda. */
export const maxUnpackedBytes = 250 * 1024 * 1024;

export type FunctionPackage = { path: string; sha256: string; bytes: number; unpackedBytes: number };

export type PackOptions = {
  env: NodeJS.ProcessEnv;
  /** Finds the packages. Default is those that are installed here. */
  packages?: typeof findPackage;
  /** The folder with the bundle and the page scripts. */
  bundle?: string;
  /** Null packs as versions of Node without Zstandard do. */
  zstd?: Zstd | null | undefined;
};

/** `repack`: changes the content into what the function unpacks. */
type Entry = { name: string; file: string; repack?: () => Transform[] };

/** The folder of this bundle, or dist when the sources run directly. */
const built = new URL(import.meta.url.endsWith('.ts') ? '../../dist/' : './', import.meta.url);

/** Files of npm packages. The packages find their binaries relative to their own package.json. */
const chromium = { name: '@sparticuz/chromium', parts: ['package.json', 'bin'] };
const ffmpeg = { name: ffmpegPackage('linux', 'x64'), parts: ['package.json', ffmpegLibrary] };

/**
 * Writes the zip archive to `path`. The same files give the same archive. Throws UserError `usage` when a package is missing
 * or the code is too large, and the errors of `fontFolder`.
 */
export async function packFunction(
  path: string,
  { env, packages = findPackage, bundle = fileURLToPath(new URL('lambda/', built)), zstd = zstdOfNode }: PackOptions,
): Promise<FunctionPackage> {
  const files = await Promise.all([
    bundleFiles(bundle),
    packageFiles(chromium, packages),
    packageFiles(ffmpeg, packages),
    ...fontPackages.map(({ name }) => fontPackageFiles(name, { env, packages })),
  ]);
  const entries = files.flat().map((entry) => packed(entry, zstd));
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.partial`;
  const hash = createHash('sha256');
  try {
    const { output, unpackedBytes } = zipOf(entries);
    output.on('data', (chunk: Buffer) => hash.update(chunk));
    await pipeline(output, createWriteStream(temporary));
    if (unpackedBytes() > maxUnpackedBytes) throw tooLarge(unpackedBytes());
    const { size: bytes } = await stat(temporary);
    await rename(temporary, path);
    return { path, sha256: hash.digest('hex'), bytes, unpackedBytes: unpackedBytes() };
  } finally {
    await rm(temporary, { force: true });
  }
}

function tooLarge(bytes: number): UserError {
  const message = `The code of the function has ${bytes} bytes unpacked; the limit of Lambda is ${maxUnpackedBytes}`;
  return new UserError('usage', message, {
    hint: 'Install the versions of @sparticuz/chromium and node-av that package.json requires.',
  });
}

/**
 * Without compression, the libraries of ffmpeg take two thirds of the limit, and the fonts do not fit. A new worker unpacks
 * Zstandard in about half the time of Brotli, which the package of Chromium uses (docs/scale.md).
 */
function packed(entry: Entry, zstd: Zstd | null | undefined): Entry {
  const { name } = entry;
  if (name.endsWith(`/${ffmpegLibrary}`))
    return zstd
      ? { ...entry, name: `${name}.zst`, repack: () => [compressor(zstd)] }
      : { ...entry, name: `${name}.br`, repack: () => [createBrotliCompress(brotli)] };
  if (zstd && name.endsWith('/chromium.br'))
    return { ...entry, name: name.replace(/br$/, 'zst'), repack: () => [createBrotliDecompress(), compressor(zstd)] };
  return entry;
}

/** A higher level takes much longer, and the function would start no faster. */
const compressor = (zstd: Zstd): Transform =>
  zstd.createZstdCompress({ params: { [zstd.constants.ZSTD_c_compressionLevel]: 9 } });

async function bundleFiles(folder: string): Promise<Entry[]> {
  const names = await filesBelow(folder).catch(() => []);
  if (names.length === 0) {
    throw new UserError('usage', `The code of the function does not exist in ${folder}`, {
      hint: 'Run npm run build.',
    });
  }
  return names.map((name) => ({ name, file: join(folder, name) }));
}

async function packageFiles(
  { name, parts }: { name: string; parts: readonly string[] },
  packages: typeof findPackage,
): Promise<Entry[]> {
  const installed = await packages(name);
  if (!installed) throw missing(name);
  const names = await Promise.all(parts.map((part) => filesAt(installed.folder, part)));
  return names.flat().map((file) => ({ name: `node_modules/${name}/${file}`, file: join(installed.folder, file) }));
}

async function fontPackageFiles(name: string, options: Pick<PackOptions, 'env' | 'packages'>): Promise<Entry[]> {
  const folder = await fontFolder(name, options);
  const names = await fontFiles(folder, name);
  return names.map((file) => ({ name: `node_modules/${name}/${file}`, file: join(folder, file) }));
}

function missing(name: string): UserError {
  return new UserError('usage', `The package ${name} is required, but not installed`, {
    hint: `Install framework with its optional packages, and npm, which downloads those of Linux on other systems.`,
  });
}

async function filesAt(folder: string, part: string): Promise<string[]> {
  const path = join(folder, part);
  const stats = await stat(path);
  return stats.isFile() ? [part] : (await filesBelow(path)).map((name) => `${part}/${name}`);
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name).slice(folder.length).replaceAll('\\', '/').replace(/^\//, ''));
}

/** Midnight of 1 January 1980, the earliest time of the format. */
const mtime = new Date(1980, 0, 1);

/** `unpackedBytes` is known when the output has ended. */
function zipOf(entries: Entry[]): { output: Readable; unpackedBytes: () => number } {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  let unpackedBytes = 0;
  zip.on('error', (error: Error) => output.destroy(error));
  for (const entry of entries) {
    const options = {
      mtime,
      mode: 0o100644,
      forceDosTimestamp: true,
      compress: !/\.(?:br|zst|woff2)$/.test(entry.name),
    };
    zip.addReadStreamLazy(entry.name, options, (give) => {
      const content = contentOf(entry);
      content.on('data', (chunk: Buffer) => {
        unpackedBytes += chunk.length;
      });
      give(null, content);
    });
  }
  zip.end();
  return { output, unpackedBytes: () => unpackedBytes };
}

/** A higher quality takes much longer, and the function would start no faster. */
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_LGWIN]: 22 } };

function contentOf({ file, repack }: Entry): Readable {
  const content = createReadStream(file);
  // Destroys the compressor if the file cannot be read.
  return (repack?.() ?? []).reduce<Readable>((from, to) => connect(from, to, () => undefined), content);
}
