// Archives of projects: readable by other programs, reproducible, and consistent when files change.
import { execFileSync } from 'node:child_process';
import { createCipheriv, createHash } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { type Entry, fromBuffer, type ZipFile } from 'yauzl';
import { listUploadFiles } from '../../../renderer-core/project/uploadFiles.ts';
import { createArchive, measureArchive, type ProjectArchive } from '../../../renderer-core/project/zip.ts';
import { project, temporaryFolder, writeFiles } from '../../support/project.ts';
import { full } from '../../support/suites.ts';
import { needPrograms } from '../../support/systemPrograms.ts';

const archives: ProjectArchive[] = [];

afterEach(async () => {
  for (const archive of archives.splice(0)) await archive.close();
});

async function zip(root: string, limit?: number) {
  const { files } = await listUploadFiles(root);
  const archive = await createArchive(files, limit === undefined ? {} : { limit });
  archives.push(archive);
  return archive;
}

type Read = { name: string; content: string; entry: Entry };

/** Reads an archive with yauzl, which is strict. */
async function unzip(bytes: Buffer): Promise<Read[]> {
  const archive = await new Promise<ZipFile>((done, fail) =>
    fromBuffer(bytes, { lazyEntries: true }, (error, opened) => (opened ? done(opened) : fail(error))),
  );
  const found: Read[] = [];
  return new Promise((done, fail) => {
    archive.on('error', fail);
    archive.on('end', () => done(found));
    archive.on('entry', (entry: Entry) => {
      archive.openReadStream(entry, async (error, stream) => {
        if (!stream) return fail(error);
        found.push({ name: entry.fileName, content: await text(stream), entry });
        archive.readEntry();
      });
    });
    archive.readEntry();
  });
}

const files = {
  'index.html': '<!doctype html>'.repeat(100),
  'assets/photo.png': 'no real picture'.repeat(100),
  'assets/ü 日本 🎬.txt': 'names are UTF-8',
  'e\u0301.txt': 'and stay as they are',
  'empty.txt': '',
};

test('writes a valid archive with the reported size and hash', async () => {
  const archive = await zip(project(files));
  const bytes = await buffer(archive.open());
  expect(bytes.length).toBe(archive.bytes);
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(archive.sha256);
  const read = await unzip(bytes);
  expect(Object.fromEntries(read.map(({ name, content }) => [name, content]))).toEqual(files);
  expect(read.map(({ name }) => name)).toEqual(Object.keys(files).sort());
  const methods = Object.fromEntries(read.map(({ name, entry }) => [name, entry.compressionMethod]));
  expect(methods['index.html']).toBe(8);
  expect(methods['assets/photo.png']).toBe(0);
});

// The test above reads the archive with a library.
test('writes an archive that unzip accepts', full, async (context) => {
  needPrograms(context, 'unzip');
  const archive = await zip(project(files));
  const path = join(temporaryFolder(), 'project.zip');
  writeFileSync(path, await buffer(archive.open()));
  expect(execFileSync('unzip', ['-tq', path], { encoding: 'utf8' })).toContain('No errors detected');
});

test('writes the same bytes for the same files, regardless of their times, modes and order', async () => {
  const one = project(files);
  const other = project(Object.fromEntries(Object.entries(files).reverse()));
  utimesSync(join(other, 'index.html'), 1_000_000, 1_000_000);
  chmodSync(join(other, 'index.html'), 0o755);
  writeFiles(other, { 'renders/old.mp4': 'x', '.env': 'y' });
  const first = await zip(one);
  const second = await zip(other);
  expect(second.sha256).toBe(first.sha256);
  expect(await buffer(second.open())).toEqual(await buffer(first.open()));
  expect(await buffer(second.open())).toEqual(await buffer(first.open()));
});

// Windows forbids more, and removes dots and spaces at the end.
const forbidden =
  process.platform === 'win32' ? /[\\/:\uFFFD\p{Control}<>"|?*]|^\.|[. ]$/u : /[\\/:\uFFFD\p{Control}]|^\./u;

test('packs files with any names and any content', async () => {
  const name = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
    .filter((text) => !forbidden.test(text) && Buffer.byteLength(text) < 200)
    .filter((text) => !['node_modules', 'dist', 'renders', '__MACOSX'].includes(text));
  const tree = fc.dictionary(name, fc.string({ maxLength: 200 }), { minKeys: 1, maxKeys: 5, noNullPrototype: true });
  await fc.assert(
    fc.asyncProperty(tree, async (given) => {
      const root = mkdtempSync(join(tmpdir(), 'framework-test-'));
      try {
        writeFiles(root, given);
        const read = await unzip(await buffer((await zip(root)).open()));
        // Some file systems treat two spellings as one name, so the files on disk are compared.
        const onDisk = (await listUploadFiles(root)).files;
        expect(read.map((file) => [file.name, file.content])).toEqual(
          onDisk.map(({ path }) => [path, readFileSync(join(root, path), 'utf8')]),
        );
        expect(read.length).toBeGreaterThan(0);
      } finally {
        rmSync(root, { recursive: true });
      }
    }),
    { numRuns: 60 },
  );
});

test('rejects a file that changes between listing and packing', async () => {
  const root = project(files);
  const { files: listed } = await listUploadFiles(root);
  appendFileSync(join(root, 'index.html'), 'more');
  await expect(createArchive(listed)).rejects.toMatchObject({
    code: 'project_changed',
    message: 'index.html changed while the project was being packed',
  });
  rmSync(join(root, 'index.html'));
  await expect(createArchive(listed)).rejects.toMatchObject({ code: 'project_changed' });
});

test('keeps the packed content when a file changes afterwards', async () => {
  const root = project({ 'a.txt': 'a'.repeat(1000), 'b.txt': 'b'.repeat(1000) });
  const archive = await zip(root);
  appendFileSync(join(root, 'b.txt'), 'more');
  const bytes = await buffer(archive.open());
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(archive.sha256);
});

test('measures the archive that it would write', async () => {
  const root = project(files);
  const { files: listed, bytes, sha256 } = await zip(root);
  expect(await measureArchive(listed)).toEqual({ files: listed, bytes, sha256 });
});

test('leaves no temporary files', async () => {
  const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('framework-upload-'));
  const before = folders();
  const archive = await zip(project(files));
  // On other systems the open file has no name, so that it disappears even when the process is killed.
  if (process.platform !== 'win32') expect(folders()).toEqual(before);
  await archive.close();
  expect(folders()).toEqual(before);
  await expect(zip(project({ 'a.bin': 'a'.repeat(1000) }), 10)).rejects.toThrow();
  expect(folders()).toEqual(before);
});

test('lists the largest files of a project that is too large', async () => {
  // Incompressible bytes that are the same in each run.
  const noise = (bytes: number, key: number): Buffer =>
    createCipheriv('aes-128-ctr', Buffer.alloc(16, key), Buffer.alloc(16)).update(Buffer.alloc(bytes));
  const root = project({ 'index.html': '', 'a.bin': noise(300_000, 1), 'b.bin': noise(600_000, 2) });
  await expect(zip(root, 500_000)).rejects.toMatchObject({
    code: 'framework_project_too_large',
    message: [
      'The project is too large to upload: its archive would be larger than 0.5 MB (the files have 0.9 MB). Largest files:',
      '     0.6 MB  b.bin',
      '     0.3 MB  a.bin',
      '     0.0 MB  index.html',
    ].join('\n'),
  });
  expect((await zip(root, 1_000_000)).bytes).toBeGreaterThan(800_000);
});

test('stops when it is aborted', async () => {
  const { files: listed } = await listUploadFiles(project(files));
  await expect(createArchive(listed, { signal: AbortSignal.abort() })).rejects.toThrow('aborted');
});
