// A project as an archive: what other programs read in it, the same bytes each time, and files that change meanwhile.
import { execFileSync, spawnSync } from 'node:child_process';
import { createCipheriv, createHash } from 'node:crypto';
import { appendFileSync, chmodSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Entry, fromBuffer, type ZipFile } from 'yauzl';
import { listSentFiles } from '../../renderer-core/project/sentFiles.ts';
import { archiveProject } from '../../renderer-core/project/zip.ts';
import { project, temporaryFolder, writeFiles } from '../support/project.ts';

async function zip(root: string, limit?: number) {
  const { files } = await listSentFiles(root);
  return archiveProject(files, limit === undefined ? {} : { limit });
}

type Read = { name: string; content: string; entry: Entry };

/** What yauzl, which is strict, reads of an archive. */
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

test('is read by others, and is as long as it said', async () => {
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

// Debian's and macOS's own; where it is missing, the test above has read the same.
const hasUnzip = spawnSync('unzip', ['-v']).status === 0;

test.skipIf(!hasUnzip)('unzip finds nothing wrong with it', async () => {
  const archive = await zip(project(files));
  const path = join(temporaryFolder(), 'project.zip');
  writeFileSync(path, await buffer(archive.open()));
  expect(execFileSync('unzip', ['-tq', path], { encoding: 'utf8' })).toContain('No errors detected');
});

test('the same files give the same bytes, whatever their times, modes and order', async () => {
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

test('any names, any contents', async () => {
  const name = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
    .filter((text) => !/[\\/:\uFFFD\p{Control}]|^\./u.test(text) && Buffer.byteLength(text) < 200)
    .filter((text) => !['node_modules', 'dist', 'renders', '__MACOSX'].includes(text));
  const tree = fc.dictionary(name, fc.string({ maxLength: 200 }), { minKeys: 1, maxKeys: 5, noNullPrototype: true });
  await fc.assert(
    fc.asyncProperty(tree, async (given) => {
      const root = mkdtempSync(join(tmpdir(), 'framework-test-'));
      try {
        writeFiles(root, given);
        const read = await unzip(await buffer((await zip(root)).open()));
        // Some disks take two spellings for one name; what is on the disk counts.
        const onDisk = (await listSentFiles(root)).files;
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

test('a file that changes between listing and packing', async () => {
  const root = project(files);
  const { files: listed } = await listSentFiles(root);
  appendFileSync(join(root, 'index.html'), 'more');
  await expect(archiveProject(listed)).rejects.toMatchObject({
    code: 'project_changed',
    message: 'index.html changed while it was being packed',
  });
  rmSync(join(root, 'index.html'));
  await expect(archiveProject(listed)).rejects.toMatchObject({ code: 'project_changed' });
});

test('a file that changes before it is sent: the end of the archive is never given', async () => {
  const root = project({ 'a.txt': 'a'.repeat(1000), 'b.txt': 'b'.repeat(1000) });
  const archive = await zip(root);
  utimesSync(join(root, 'b.txt'), 1_000_000, 1_000_000);
  await expect(buffer(archive.open())).rejects.toMatchObject({
    code: 'project_changed',
    message: 'b.txt changed while it was being packed',
  });
});

test('a project that is too large names its largest files', async () => {
  // Bytes that cannot be made smaller, and are the same in each run.
  const noise = (bytes: number, key: number): Buffer =>
    createCipheriv('aes-128-ctr', Buffer.alloc(16, key), Buffer.alloc(16)).update(Buffer.alloc(bytes));
  const root = project({ 'index.html': '', 'a.bin': noise(300_000, 1), 'b.bin': noise(600_000, 2) });
  await expect(zip(root, 500_000)).rejects.toMatchObject({
    code: 'framework_project_too_large',
    message: [
      'The project is too large to send: its archive would have more than 0.5 MB (the files have 0.9 MB). The largest:',
      '     0.6 MB  b.bin',
      '     0.3 MB  a.bin',
      '     0.0 MB  index.html',
    ].join('\n'),
  });
  expect((await zip(root, 1_000_000)).bytes).toBeGreaterThan(800_000);
});

test('an aborted one stops', async () => {
  const { files: listed } = await listSentFiles(project(files));
  await expect(archiveProject(listed, { signal: AbortSignal.abort() })).rejects.toThrow('aborted');
});
