// Packs the code of the Lambda function: the bundle, the page scripts, Chromium and the libraries of ffmpeg.
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { ZipFile } from 'yazl';
import { UserError } from '../renderer-core/errors.ts';
import { findPackage } from '../renderer-core/project/packageFolder.ts';
import { ffmpegLibrary, ffmpegPackage } from '../renderer-core/setup/ffmpegPackages.ts';

/** Limit of AWS Lambda. */
export const maxUnpackedBytes = 250 * 1024 * 1024;

export type FunctionPackage = { path: string; sha256: string; bytes: number; unpackedBytes: number };

type Entry = { name: string; file: string; bytes: number };

/** The folder of this bundle, or dist when the sources run directly. */
const built = new URL(import.meta.url.endsWith('.ts') ? '../dist/' : './', import.meta.url);

/** Files of npm packages. The packages find their binaries relative to their own package.json. */
const packages = [
  { name: '@sparticuz/chromium', parts: ['package.json', 'bin'] },
  { name: ffmpegPackage('linux', 'x64'), parts: ['package.json', ffmpegLibrary] },
];

/**
 * Writes the zip archive to `path`. The same files give the same archive. Throws UserError `usage` when a package is missing
 * or the code is too large.
 */
export async function packFunction(path: string): Promise<FunctionPackage> {
  const entries = [...(await bundleFiles()), ...(await packageFiles())].sort((a, b) => (a.name < b.name ? -1 : 1));
  const unpackedBytes = entries.reduce((sum, { bytes }) => sum + bytes, 0);
  if (unpackedBytes > maxUnpackedBytes) {
    const message = `The code of the function has ${unpackedBytes} bytes unpacked; the limit of Lambda is ${maxUnpackedBytes}`;
    throw new UserError('usage', message, {
      hint: 'Install the versions of @sparticuz/chromium and node-av that package.json requires.',
    });
  }
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.partial`;
  const hash = createHash('sha256');
  try {
    const zip = zipOf(entries);
    zip.on('data', (chunk: Buffer) => hash.update(chunk));
    await pipeline(zip, createWriteStream(temporary));
    const { size: bytes } = await stat(temporary);
    await rename(temporary, path);
    return { path, sha256: hash.digest('hex'), bytes, unpackedBytes };
  } finally {
    await rm(temporary, { force: true });
  }
}

async function bundleFiles(): Promise<Entry[]> {
  const folder = fileURLToPath(new URL('lambda/', built));
  const names = await filesBelow(folder).catch(() => []);
  if (names.length === 0) {
    throw new UserError('usage', `The code of the function does not exist in ${folder}`, {
      hint: 'Run npm run build.',
    });
  }
  return Promise.all(names.map((name) => entry(name, join(folder, name))));
}

async function packageFiles(): Promise<Entry[]> {
  const found = packages.map(async ({ name, parts }) => {
    const installed = await findPackage(name);
    if (!installed) throw missing(name);
    const names = await Promise.all(parts.map((part) => filesAt(installed.folder, part)));
    return Promise.all(names.flat().map((file) => entry(`node_modules/${name}/${file}`, join(installed.folder, file))));
  });
  return (await Promise.all(found)).flat();
}

function missing(name: string): UserError {
  return new UserError('usage', `The package ${name} is required, but not installed`, {
    hint: `The function runs on Linux x64. On other systems, run: npm install --no-save --force --os=linux --cpu=x64 ${name}`,
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

const entry = async (name: string, file: string): Promise<Entry> => ({ name, file, bytes: (await stat(file)).size });

/** Midnight of 1 January 1980, the earliest time of the format. */
const mtime = new Date(1980, 0, 1);

function zipOf(entries: Entry[]): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  zip.on('error', (error: Error) => output.destroy(error));
  for (const { name, file } of entries) {
    const options = { mtime, mode: 0o100644, forceDosTimestamp: true, compress: !name.endsWith('.br') };
    zip.addReadStreamLazy(name, options, (give) => give(null, createReadStream(file)));
  }
  zip.end();
  return output;
}
