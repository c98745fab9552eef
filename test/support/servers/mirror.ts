// A download server for browser and ffmpeg builds: files by path, and the ways in which downloads fail.
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { ZipFile } from 'yazl';
import { buildFor, executableOf, isBuild, type Program } from '../../../renderer-core/setup/builds.ts';
import { makeZip } from '../makeZip.ts';
import { listen, stopListening } from './listen.ts';

/** A file's path, or its content. After this number of bytes, the connection closes (`cutAfter`) or stalls (`holdAfter`). */
export type Served = {
  content: Buffer | { path: string };
  cutAfter?: number;
  holdAfter?: number;
  withoutLength?: boolean;
};

export type Mirror = {
  url: string;
  /** Requested paths, in order. */
  asked: string[];
  /** Files by path with a leading slash. May be changed at any time. */
  files: Map<string, Served>;
  close(): Promise<void>;
};

export async function startMirror(): Promise<Mirror> {
  const files = new Map<string, Served>();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    // Requests to a proxy contain the complete URL.
    const path = new URL(request.url ?? '/', 'http://127.0.0.1').pathname;
    asked.push(request.url ?? '');
    const served = files.get(path);
    if (served) send(served, response);
    else response.writeHead(404).end('There is no such file.');
  });
  return { url: await listen(server), asked, files, close: () => stopListening(server) };
}

function send({ content, cutAfter, holdAfter, withoutLength }: Served, response: ServerResponse): void {
  const size = 'path' in content ? statSync(content.path).size : content.length;
  response.writeHead(200, withoutLength ? {} : { 'content-length': size });
  const end = cutAfter ?? holdAfter;
  if (end !== undefined) {
    const part = 'path' in content ? createReadStream(content.path, { end: end - 1 }) : content.subarray(0, end);
    const stop = () => cutAfter !== undefined && response.destroy();
    if (Buffer.isBuffer(part)) response.write(part, stop);
    else part.on('end', () => setTimeout(stop, 100)).pipe(response, { end: false });
    return;
  }
  if ('path' in content) createReadStream(content.path).pipe(response);
  else response.end(content);
}

const machine = { platform: process.platform, arch: process.arch, isMusl: false };

/** The path of this machine's build on a mirror. */
export function pathOf(program: Program): string {
  const build = buildFor(program, machine, { browser: 'http://m', ffmpeg: 'http://m' });
  if (!isBuild(build) || build.packing === 'npm')
    throw new Error('This test needs a machine that builds are published for.');
  return new URL(build.url).pathname;
}

export function checksum(content: Buffer): Served {
  return { content: Buffer.from(`${createHash('sha256').update(content).digest('hex')}  file\n`) };
}

/** A shell script as a browser, packed like Chrome for Testing. */
export function scriptZip(script: string): Buffer {
  const path = executableOf('browser', '', machine);
  return makeZip([
    { name: `${dirname(path)}/`, mode: 0o040755 },
    { name: path, data: `#!/bin/sh\n${script}\n`, mode: 0o100755 },
    { name: `${dirname(path)}/locales/en.pak`, data: 'words' },
  ]);
}

/** Packs a browser and all files next to it into `target`, without compression, which would take half a minute. */
export async function packBrowser(executable: string, target: string): Promise<void> {
  const real = realpathSync(executable);
  const path = executableOf('browser', '', machine);
  const zip = new ZipFile();
  for (const entry of readdirSync(dirname(real), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const name = file === real ? basename(path) : file.slice(dirname(real).length + 1);
    const mode = statSync(file).mode & 0o100 ? 0o100755 : 0o100644;
    zip.addFile(file, `${dirname(path)}/${name}`, { compress: false, mode });
  }
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(target));
}

export async function packProgram(program: string, target: string): Promise<void> {
  await pipeline(createReadStream(program), createGzip({ level: 1 }), createWriteStream(target));
}

/** Publishes both programs of this machine with their checksums. */
export function publish(mirror: Mirror, packed: Record<Program, string>): void {
  for (const program of ['browser', 'ffmpeg'] as const) {
    mirror.files.set(pathOf(program), { content: { path: packed[program] } });
    mirror.files.set(`${pathOf(program)}.sha256`, checksum(readFileSync(packed[program])));
  }
}
