// What is unpacked of strangers' archives is a plain project, whole, inside its folder; everything else is refused by name.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../../renderer-core/service/apiErrors.ts';
import { checkArchive, projectFolder, unpackArchive } from '../../renderer-core/service/archive.ts';
import { makeZip, type ZipEntry } from '../support/makeZip.ts';
import { temporaryFolder, writeFiles } from '../support/project.ts';

/** What unpacking gives: files with their texts, or the message of the refusal. Nothing may appear beside the folder. */
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

/** At the upload, before anything is unpacked. */
async function check(zip: Buffer) {
  const path = join(temporaryFolder(), 'project.zip');
  writeFileSync(path, zip);
  return checkArchive(path);
}

describe('a project', () => {
  const plain: ZipEntry[] = [
    { name: 'index.html', data: '<html>' },
    { name: 'assets/', mode: 0o040755 },
    { name: 'assets/a.txt', data: 'aaa', method: 0 },
    { name: 'assets/été 木.txt', data: 'name' },
    { name: 'more.zip', data: makeZip([{ name: '../x' }]) },
  ];

  test('comes out as it was packed; an archive in it is a file like others', async () => {
    const files = await unpack(makeZip(plain));
    expect(files).toMatchObject({ 'index.html': '<html>', 'assets/a.txt': 'aaa', 'assets/été 木.txt': 'name' });
    expect(Object.keys(files)).toHaveLength(4);
    expect((await check(makeZip(plain))).files).toBe(4);
  });

  test('may leave out the flag that says UTF-8', async () => {
    expect(await unpack(makeZip([{ name: 'é.txt', data: 'x', flags: 0 }]))).toEqual({ 'é.txt': 'x' });
  });

  test('of any names and contents comes out the same', async () => {
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

describe('is refused at the upload:', () => {
  const index: ZipEntry = { name: 'index.html', data: 'x' };
  test.each<[string, ZipEntry[], string]>([
    ['a way out', [{ name: '../x' }], '"../x" in the zip archive leads out of the project.'],
    ['a way out on the way', [{ name: 'a/../../x' }], '"a/../../x" in the zip archive leads out of the project.'],
    [
      'an absolute path',
      [{ name: '/etc/x' }],
      '"/etc/x" in the zip archive is an absolute path; names must be relative to the project.',
    ],
    [
      'a drive',
      [{ name: 'C:/x' }],
      '"C:/x" in the zip archive is an absolute path; names must be relative to the project.',
    ],
    ['a backslash', [{ name: '..\\x' }], '"..\\\\x" in the zip archive has a backslash in its name; use slashes.'],
    ['a NUL', [{ name: 'a\0.html' }], '"a\\u0000.html" in the zip archive has a control character in its name.'],
    ['an empty name', [{ name: '' }], 'A name in the zip archive is empty.'],
    ['an empty part', [{ name: 'a//b' }], '"a//b" in the zip archive has an empty part or "." in its path.'],
    ['a dot', [{ name: './a' }], '"./a" in the zip archive has an empty part or "." in its path.'],
    [
      'a name that is not UTF-8',
      [{ name: Buffer.from('caf\xe9.txt', 'latin1') }],
      'A name in the zip archive is not UTF-8: "café.txt".',
    ],
    [
      'a long name',
      [{ name: 'n'.repeat(300) }],
      `"${'n'.repeat(79)}… in the zip archive is longer than a path may be.`,
    ],
    [
      'a symbolic link',
      [{ name: 'l', data: '/etc/passwd', mode: 0o120777 }],
      '"l" in the zip archive is a symbolic link; put the file itself in its place.',
    ],
    ['a device', [{ name: 'd', mode: 0o020666 }], '"d" in the zip archive is neither a file nor a folder.'],
    ['a pipe', [{ name: 'p', mode: 0o010666 }], '"p" in the zip archive is neither a file nor a folder.'],
    ['an encrypted file', [{ name: 'e', flags: 0x801 }], '"e" in the zip archive is encrypted.'],
    [
      'another method',
      [{ name: 'm', method: 14 }],
      '"m" is compressed with method 14; use deflate, as every zip program can.',
    ],
    ['a name twice', [index, index], '"index.html" is in the zip archive twice.'],
    [
      'another case',
      [index, { name: 'INDEX.html' }],
      '"index.html" and "INDEX.html" in the zip archive are the same file on some systems; rename one.',
    ],
    [
      'another composition',
      [{ name: 'é' }, { name: 'e\u0301' }],
      '"é" and "e\u0301" in the zip archive are the same file on some systems; rename one.',
    ],
    ['a file below a file', [{ name: 'a' }, { name: 'a/b' }], '"a" in the zip archive is a file and a folder at once.'],
    [
      'a folder that is a file',
      [{ name: 'a/', mode: 0 }, { name: 'A' }],
      '"A" in the zip archive is a file and a folder at once.',
    ],
    ['a folder with content', [{ name: 'a/', data: 'x', mode: 0 }], '"a/" is a folder, and has content.'],
    [
      'a claim of 3 GiB',
      [{ name: 'a', claimed: { size: 3 * 1024 ** 3 } }],
      'The zip archive unpacks to more than 2 GiB.',
    ],
    [
      'a claim of a bomb',
      [{ name: 'a', claimed: { size: 1024 ** 3 } }],
      'The zip archive unpacks to more than 100 times its size.',
    ],
    [
      'bytes used twice',
      [index, { name: 'b', data: 'x', claimed: { offset: 0 } }],
      '"b" overlaps another file in the zip archive.',
    ],
    [
      'bytes that quote another file',
      [
        { ...index, method: 0, data: 'x'.repeat(99) },
        { name: 'b', claimed: { offset: 60 } },
      ],
      '"b" overlaps another file in the zip archive.',
    ],
    [
      'a stored file of another size',
      [{ ...index, method: 0, claimed: { size: 7 } }],
      'A file in the zip archive is larger or smaller than its directory says.',
    ],
  ])('%s', async (_, entries, message) => {
    expect(await refusal(makeZip(entries))).toBe(message);
  });

  const zip = makeZip([index]);
  test.each<[string, Buffer, string]>([
    ['nothing', Buffer.alloc(0), 'This is no zip archive, or its end is missing.'],
    ['a text', Buffer.from('<html>'.repeat(10)), 'This is no zip archive, or its end is missing.'],
    ['half an archive', zip.subarray(0, zip.length - 10), 'This is no zip archive, or its end is missing.'],
    ['no files', makeZip([]), 'The zip archive is empty.'],
    ['too many files', makeZip([index], { entryCount: 20_001 }), 'The zip archive holds more than 20000 files.'],
    [
      'more files than there are',
      makeZip([index], { entryCount: 2 }),
      'The zip archive is damaged: its directory is cut off.',
    ],
    [
      'fewer files than there are',
      makeZip([index, { name: 'b' }], { entryCount: 1 }),
      'The zip archive is damaged: its directory is not as long as it says.',
    ],
    [
      'bytes in front',
      makeZip([index], { before: Buffer.from('#!/bin/sh\n') }),
      'There are bytes in front of the zip archive.',
    ],
    [
      'bytes behind',
      makeZip([index], { behind: Buffer.from('more') }),
      'There are bytes behind the end of the zip archive.',
    ],
  ])('%s', async (_, archive, message) => {
    expect(await refusal(archive)).toBe(message);
  });
});

describe('is refused when it is unpacked:', () => {
  const zeros = Buffer.alloc(80 * 1024 ** 2);
  test.each<[string, ZipEntry[], string]>([
    [
      'a bomb that claims to be small',
      [{ name: 'a', data: zeros, claimed: { size: 10 } }],
      'A file in the zip archive is larger or smaller than its directory says.',
    ],
    [
      'a file shorter than it says',
      [{ name: 'a', data: 'xx', claimed: { size: 9 } }],
      'A file in the zip archive is larger or smaller than its directory says.',
    ],
    [
      'a wrong checksum',
      [{ name: 'a', data: 'xx', claimed: { crc: 1 } }],
      '"a" in the zip archive is damaged: its checksum is wrong.',
    ],
    [
      'a second name',
      [{ name: 'a', data: 'xx', claimed: { localName: 'b' } }],
      '"a" has another name in the zip archive\'s directory than in front of it.',
    ],
  ])('%s', async (_, entries, message) => {
    expect(await unpack(makeZip(entries))).toBe(message);
  });

  test('a bomb that says what it is', async () => {
    expect(await unpack(makeZip([{ name: 'a', data: zeros }]))).toBe(
      'The zip archive unpacks to more than 100 times its size.',
    );
  });
});

test('a damaged archive is refused or comes out, and never breaks anything', async () => {
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

describe('the project is', () => {
  test.each<[string, Record<string, string>, string]>([
    ['the folder that holds the composition', { 'index.html': '', 'a/index.html': '' }, ''],
    ['the only folder', { 'mine/index.html': '', '__MACOSX/x': '', '.DS_Store': '' }, 'mine'],
    ['not one of several', { 'mine/index.html': '', 'other/x': '' }, ''],
    ['not a file', { 'main.html': '' }, ''],
  ])('%s', async (_, files, expected) => {
    const folder = temporaryFolder();
    writeFiles(folder, files);
    expect(await projectFolder(folder, 'index.html')).toBe(join(folder, expected));
  });
});
