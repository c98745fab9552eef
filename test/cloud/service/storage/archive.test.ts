// Untrusted archives: valid projects are unpacked completely into their folder, everything else is rejected with a
// clear message.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Entry } from 'yauzl';
import { ApiError } from '../../../../cloud/service/api/apiErrors.ts';
import { projectFolder, readTexts, unpackArchive } from '../../../../cloud/service/storage/archive.ts';
import { readEntry } from '../../../../cloud/service/storage/archiveEntries.ts';
import { makeZip, type ZipEntry } from '../../../support/makeZip.ts';
import { temporaryFolder, writeFiles } from '../../../support/project.ts';

/**
 * Returns the unpacked files with their content, or the error message. Also checks that nothing is written outside the
 * folder.
 */
async function unpack(zip: Buffer): Promise<Record<string, string> | string> {
  const place = temporaryFolder();
  const path = join(place, 'project.zip');
  const folder = join(place, 'project');
  writeFileSync(path, zip);
  mkdirSync(folder);
  try {
    await unpackArchive(path, folder);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    expect(error.code).toBe('framework_project_invalid');
    return error.message;
  } finally {
    expect(readdirSync(place).sort()).toEqual(['project', 'project.zip']);
  }
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const full = join(parentPath, name);
      return [full.slice(folder.length + 1), readFileSync(full, 'utf8')];
    }),
  );
}

const refusal = (zip: Buffer): Promise<string> =>
  check(zip).then(
    () => 'it was taken',
    (error: Error) => error.message,
  );

/** The check at the upload, before anything is unpacked. */
async function check(zip: Buffer) {
  const path = join(temporaryFolder(), 'project.zip');
  writeFileSync(path, zip);
  return readTexts(path, /\.html$/, { fileBytes: 1000, bytes: 1000 });
}

describe('unpacking', () => {
  const plain: ZipEntry[] = [
    { name: 'index.html', data: '<html>' },
    { name: 'assets/', mode: 0o040755 },
    { name: 'assets/a.txt', data: 'aaa', method: 0 },
    { name: 'assets/été 木.txt', data: 'name' },
    { name: 'more.zip', data: makeZip([{ name: '../x' }]) },
  ];

  test('restores all files, with nested archives as plain files', async () => {
    const files = await unpack(makeZip(plain));
    expect(files).toMatchObject({ 'index.html': '<html>', 'assets/a.txt': 'aaa', 'assets/été 木.txt': 'name' });
    expect(Object.keys(files)).toHaveLength(4);
    expect(await check(makeZip(plain))).toEqual([{ path: 'index.html', text: '<html>' }]);
  });

  test('reads UTF-8 names without the UTF-8 flag', async () => {
    expect(await unpack(makeZip([{ name: 'é.txt', data: 'x', flags: 0 }]))).toEqual({ 'é.txt': 'x' });
  });

  test('restores any names and contents', async () => {
    const name = fc.stringMatching(/^[a-z0-9 _-]{1,8}$/);
    const files = fc.dictionary(
      fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/')),
      fc.string({ unit: 'grapheme', maxLength: 500 }),
      { minKeys: 1, maxKeys: 8, noNullPrototype: true },
    );
    await fc.assert(
      fc.asyncProperty(files, async (given) => {
        const names = Object.keys(given);
        fc.pre(!names.some((one) => names.some((other) => other.startsWith(`${one}/`))));
        expect(await unpack(makeZip(names.map((each) => ({ name: each, data: given[each] ?? '' }))))).toEqual(given);
      }),
      { numRuns: 30 },
    );
  });
});

describe('the check at the upload', () => {
  const index: ZipEntry = { name: 'index.html', data: 'x' };
  test.each<[string, ZipEntry[], string]>([
    ['a path outside the project', [{ name: '../x' }], '"../x" in the zip archive is outside the project.'],
    [
      'a path that leaves the project in between',
      [{ name: 'a/../../x' }],
      '"a/../../x" in the zip archive is outside the project.',
    ],
    [
      'an absolute path',
      [{ name: '/etc/x' }],
      '"/etc/x" in the zip archive is an absolute path; names must be relative to the project.',
    ],
    [
      'a drive letter',
      [{ name: 'C:/x' }],
      '"C:/x" in the zip archive is an absolute path; names must be relative to the project.',
    ],
    ['a backslash', [{ name: '..\\x' }], '"..\\\\x" in the zip archive has a backslash in its name; use slashes.'],
    [
      'a NUL character',
      [{ name: 'a\0.html' }],
      '"a\\u0000.html" in the zip archive has a control character in its name.',
    ],
    ['an empty name', [{ name: '' }], 'A file name in the zip archive is empty.'],
    ['an empty path segment', [{ name: 'a//b' }], '"a//b" in the zip archive has an empty segment or "." in its path.'],
    ['a "." segment', [{ name: './a' }], '"./a" in the zip archive has an empty segment or "." in its path.'],
    [
      'a name that is not UTF-8',
      [{ name: Buffer.from('bl\x84tter/caf\x82.txt', 'latin1') }],
      'The file name "blätter/café.txt" in the zip archive is not UTF-8. Rename the file, or create the archive with another program.',
    ],
    ['a long name', [{ name: 'n'.repeat(300) }], `"${'n'.repeat(79)}… in the zip archive has a path that is too long.`],
    [
      'a file in too many folders',
      [{ name: `${'a/'.repeat(33)}b` }],
      `"${'a/'.repeat(33)}b" in the zip archive is in more than 32 folders.`,
    ],
    [
      'a folder in too many folders',
      [{ name: 'a/'.repeat(508), mode: 0o040755 }],
      `"${'a/'.repeat(508)}" in the zip archive is in more than 32 folders.`,
    ],
    [
      'large extra fields',
      [{ ...index, extra: Buffer.alloc(1028) }],
      '"index.html" in the zip archive has more than 1024 bytes of extra fields or comments.',
    ],
    [
      'a long comment',
      [{ ...index, comment: Buffer.alloc(1025) }],
      '"index.html" in the zip archive has more than 1024 bytes of extra fields or comments.',
    ],
    [
      'a symbolic link',
      [{ name: 'l', data: '/etc/passwd', mode: 0o120777 }],
      '"l" in the zip archive is a symbolic link; replace it with the file itself.',
    ],
    ['a device', [{ name: 'd', mode: 0o020666 }], '"d" in the zip archive is neither a file nor a folder.'],
    ['a pipe', [{ name: 'p', mode: 0o010666 }], '"p" in the zip archive is neither a file nor a folder.'],
    ['an encrypted file', [{ name: 'e', flags: 0x801 }], '"e" in the zip archive is encrypted.'],
    [
      'an unknown compression method',
      [{ name: 'm', method: 14 }],
      '"m" in the zip archive uses compression method 14; use deflate.',
    ],
    ['a duplicate name', [index, index], '"index.html" is in the zip archive twice.'],
    [
      'names that differ in case',
      [index, { name: 'INDEX.html' }],
      '"index.html" and "INDEX.html" in the zip archive are the same file on some systems; rename one.',
    ],
    [
      'names that differ in Unicode normalization',
      [{ name: 'é' }, { name: 'e\u0301' }],
      '"é" and "e\u0301" in the zip archive are the same file on some systems; rename one.',
    ],
    ['a file below a file', [{ name: 'a' }, { name: 'a/b' }], '"a" in the zip archive is both a file and a folder.'],
    [
      'a folder that is a file',
      [{ name: 'a/', mode: 0 }, { name: 'A' }],
      '"A" in the zip archive is both a file and a folder.',
    ],
    [
      'a folder with content',
      [{ name: 'a/', data: 'x', mode: 0 }],
      '"a/" in the zip archive is a folder but has content.',
    ],
    [
      'a declared size of 3 GiB',
      [{ name: 'a', claimed: { size: 3 * 1024 ** 3 } }],
      'The zip archive unpacks to more than 2 GiB.',
    ],
    [
      'a declared size with a high ratio',
      [{ name: 'a', claimed: { size: 1024 ** 3 } }],
      'The zip archive unpacks to more than 100 times its size.',
    ],
    [
      'overlapping files',
      [index, { name: 'b', data: 'x', claimed: { offset: 0 } }],
      '"b" overlaps another file in the zip archive.',
    ],
    [
      'a file inside another file',
      [
        { ...index, method: 0, data: 'x'.repeat(99) },
        { name: 'b', claimed: { offset: 60 } },
      ],
      '"b" overlaps another file in the zip archive.',
    ],
    [
      'a stored file with a wrong size',
      [{ ...index, method: 0, claimed: { size: 7 } }],
      'A file in the zip archive has a different size than the directory states.',
    ],
  ])('rejects %s', async (_, entries, message) => {
    expect(await refusal(makeZip(entries))).toBe(message);
  });

  test('accepts a file in 32 folders, extra fields and comments', async () => {
    const deep = { name: `${'a/'.repeat(32)}b`, extra: Buffer.alloc(1024), comment: Buffer.alloc(1024) };
    expect(await refusal(makeZip([deep]))).toBe('it was taken');
  });

  test('keeps no extra fields and comments of entries', () => {
    const extraFields = [{ id: 0, data: Buffer.alloc(0) }];
    const read = { fileNameRaw: Buffer.from('a'), crc32: 1, extraFields, fileCommentRaw: Buffer.alloc(1000) };
    const { entry } = readEntry(Object.assign(new Entry(), { compressionMethod: 0, ...read }));
    expect(entry).toMatchObject({ crc32: 1, compressionMethod: 0 });
    expect(entry).not.toHaveProperty('extraFields');
    expect(entry).not.toHaveProperty('fileCommentRaw');
  });

  test('rejects too many folders, also if they differ only in case', async () => {
    // Each path has 30 folders of its own.
    const deep = (top: string): ZipEntry => ({ name: `${top}/${'a/'.repeat(29)}b`, method: 0 });
    const many = Array.from({ length: 666 }, (_, at) => deep(`${at}`));
    expect(await refusal(makeZip(many))).toBe('it was taken');
    const message = 'The zip archive contains more than 20000 folders.';
    expect(await refusal(makeZip([...many, deep('666')]))).toBe(message);
    const inOneCase = (at: number) =>
      [...'abcdefghij'].map((letter, bit) => ((at >> bit) & 1 ? letter.toUpperCase() : letter)).join('');
    const cases = Array.from({ length: 667 }, (_, at) => ({
      ...deep(inOneCase(at)),
      name: `${deep(inOneCase(at)).name}${at}`,
    }));
    expect(await refusal(makeZip(cases))).toBe(message);
  });

  test('rejects a large directory before it reads it', async () => {
    const entries = Array.from({ length: 260 }, (_, at) => ({ name: `${at}`, extra: Buffer.alloc(65_532) }));
    const message = "The zip archive's directory is larger than 16 MiB.";
    expect(await refusal(makeZip(entries))).toBe(message);
    expect(await refusal(makeZip(entries, { isZip64: true }))).toBe(message);
    expect(await refusal(makeZip([index], { isZip64: true }))).toBe('it was taken');
  });

  const zip = makeZip([index]);
  test.each<[string, Buffer, string]>([
    ['an empty file', Buffer.alloc(0), 'This is not a zip archive, or its end is missing.'],
    ['a text file', Buffer.from('<html>'.repeat(10)), 'This is not a zip archive, or its end is missing.'],
    ['a truncated archive', zip.subarray(0, zip.length - 10), 'This is not a zip archive, or its end is missing.'],
    ['an archive without files', makeZip([]), 'The zip archive is empty.'],
    ['too many files', makeZip([index], { entryCount: 20_001 }), 'The zip archive contains more than 20000 files.'],
    [
      'a file count that is too high',
      makeZip([index], { entryCount: 2 }),
      'The zip archive is damaged: its directory is cut off.',
    ],
    [
      'a file count that is too low',
      makeZip([index, { name: 'b' }], { entryCount: 1 }),
      'The zip archive is damaged: its directory has the wrong length.',
    ],
    [
      'data before the archive',
      makeZip([index], { before: Buffer.from('#!/bin/sh\n') }),
      'There is data before the start of the zip archive.',
    ],
    [
      'data after the archive',
      makeZip([index], { behind: Buffer.from('more') }),
      'There is data after the end of the zip archive.',
    ],
  ])('rejects %s', async (_, archive, message) => {
    expect(await refusal(archive)).toBe(message);
  });
});

describe('unpacking an invalid archive', () => {
  const zeros = Buffer.alloc(80 * 1024 ** 2);
  test.each<[string, ZipEntry[], string]>([
    [
      'a bomb that declares a small size',
      [{ name: 'a', data: zeros, claimed: { size: 10 } }],
      'A file in the zip archive has a different size than the directory states.',
    ],
    [
      'a file shorter than its declared size',
      [{ name: 'a', data: 'xx', claimed: { size: 9 } }],
      'A file in the zip archive has a different size than the directory states.',
    ],
    [
      'a wrong checksum',
      [{ name: 'a', data: 'xx', claimed: { crc: 1 } }],
      '"a" in the zip archive is damaged: wrong checksum.',
    ],
    [
      'a different name in the file header',
      [{ name: 'a', data: 'xx', claimed: { localName: 'b' } }],
      '"a" has different names in the zip archive\'s directory and in its file header.',
    ],
  ])('rejects %s', async (_, entries, message) => {
    expect(await unpack(makeZip(entries))).toBe(message);
  });

  test('rejects a bomb that declares its size', async () => {
    expect(await unpack(makeZip([{ name: 'a', data: zeros }]))).toBe(
      'The zip archive unpacks to more than 100 times its size.',
    );
  });
});

test('rejects or unpacks a damaged archive, and never crashes', async () => {
  const zip = makeZip([
    { name: 'index.html', data: '<html>'.repeat(20) },
    { name: 'a/b.txt', data: 'b', method: 0 },
  ]);
  const harm = fc.array(fc.tuple(fc.nat(zip.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(harm, async (changes) => {
      const damaged = Buffer.from(zip);
      for (const [at, value] of changes) damaged[at] = value;
      await unpack(damaged);
    }),
    { numRuns: 300 },
  );
});

describe('the project folder', () => {
  test.each<[string, Record<string, string>, string]>([
    ['the folder that contains the composition', { 'index.html': '', 'a/index.html': '' }, ''],
    ['the only subfolder', { 'mine/index.html': '', '__MACOSX/x': '', '.DS_Store': '' }, 'mine'],
    ['not one of several subfolders', { 'mine/index.html': '', 'other/x': '' }, ''],
    ['never a file', { 'main.html': '' }, ''],
  ])('is %s', async (_, files, expected) => {
    const folder = temporaryFolder();
    writeFiles(folder, files);
    expect(await projectFolder(folder, 'index.html')).toBe(join(folder, expected));
  });
});

describe('damaged archives', () => {
  const files: ZipEntry[] = [
    { name: 'index.html', data: '<html>'.repeat(50) },
    { name: 'assets/', mode: 0o040755 },
    { name: 'assets/a.txt', data: 'aaa', method: 0 },
  ];
  const seeds = [
    makeZip(files),
    makeZip(files, { isZip64: true }),
    makeZip([{ name: 'index.html', data: '', method: 0 }]),
    makeZip([{ name: 'ü.html', data: 'x', extra: Buffer.from([1, 0, 2, 0, 0, 0]), comment: Buffer.from('note') }]),
    makeZip(Array.from({ length: 60 }, (_, at) => ({ name: `${at}.html`, data: 'x'.repeat(at) }))),
    makeZip(Array.from({ length: 9 }, (_, at) => ({ name: `${'a/'.repeat(at)}b.html`, data: 'x' }))),
    makeZip([
      { name: 'my-video/index.html', data: '<html>' },
      { name: '__MACOSX/._index.html' },
      { name: '.DS_Store' },
    ]),
    makeZip([{ name: 'inner.zip', data: makeZip(files), method: 0 }]),
    makeZip([
      { name: 'index.html', data: '<html>', flags: 0 },
      { name: 'b.bin', data: Buffer.alloc(70_000, 7) },
    ]),
    makeZip(
      files.map((file) => ({ ...file, extra: Buffer.alloc(900), comment: Buffer.alloc(500, 32) })),
      { isZip64: true },
    ),
  ];

  test('an impossible position of the directory is a damaged archive', async () => {
    const zip = makeZip(files, { isZip64: true });
    // The offset in the zip64 record: 2^63.
    zip.writeBigUInt64LE(2n ** 63n, zip.length - 22 - 20 - 8);
    expect(await refusal(zip)).toMatch(/^The zip archive is damaged/);
  });

  test(
    'any change of bytes is refused with a reason, or taken',
    () =>
      fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...seeds),
          fc.array(fc.tuple(fc.nat(), fc.oneof(fc.constantFrom(0, 1, 0x7f, 0x80, 0xff), fc.nat(255))), {
            minLength: 1,
            maxLength: 8,
          }),
          async (seed, changes) => {
            const zip = Buffer.from(seed);
            // Most changes are in the records at the end, which say where everything is.
            for (const [at, byte] of changes) zip[zip.length - 1 - (at % (at % 3 === 0 ? zip.length : 80))] = byte;
            await unpack(zip);
          },
        ),
        { numRuns: Number(process.env.MUTATIONS ?? 500) },
      ),
    600_000,
  );
});
