// The files of a project that are uploaded: ignore rules, links and invalid names.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readIgnoreRules } from '../../../renderer-core/project/ignoreRules.ts';
import { listProjectFiles } from '../../../renderer-core/project/projectFiles.ts';
import { listUploadFiles } from '../../../renderer-core/project/uploadFiles.ts';
import { project, temporaryFolder } from '../../support/project.ts';

const paths = async (root: string, except?: string[]): Promise<string[]> =>
  (await listUploadFiles(root, except ? { except } : {})).files.map(({ path }) => path);

test('ignores hidden, installed, built and system files', async () => {
  const root = project({
    'index.html': '',
    'assets/a.png': '',
    '.env': 'KEY=1',
    '.git/config': '',
    'assets/.hidden/a.png': '',
    '.DS_Store': '',
    'assets/Thumbs.db': '',
    'Desktop.ini': '',
    'node_modules/gsap/gsap.js': '',
    'lib/node_modules/x.js': '',
    'dist/out.js': '',
    'renders/old.mp4': '',
    '__MACOSX/a': '',
    'distance.txt': '',
    'docs/dist': 'a file',
  });
  const expected = ['assets/a.png', 'distance.txt', 'docs/dist', 'index.html'];
  expect(await paths(root)).toEqual(expected);
  expect(await listProjectFiles(root)).toEqual(expected);
  expect(await paths(root, ['distance.txt'])).toEqual(['assets/a.png', 'docs/dist', 'index.html']);
});

test('reads .frameworkignore with the syntax of .gitignore', async () => {
  const root = project({
    '.frameworkignore': '\uFEFF# comment\r\n*.psd\r\n/raw/\r\ndrafts/*\r\n!drafts/keep.png\r\n\\#odd\r\n',
    'index.html': '',
    'a.psd': '',
    'other.PSD': '',
    'deep/b.psd': '',
    'raw/a.png': '',
    'deep/raw/a.png': '',
    'drafts/a.png': '',
    'drafts/keep.png': '',
    '#odd': '',
    'deep/.frameworkignore': 'raw',
  });
  expect(await paths(root)).toEqual(['deep/raw/a.png', 'drafts/keep.png', 'index.html', 'other.PSD']);
});

test('includes ignored files again, but not hidden ones', async () => {
  const root = project({
    '.frameworkignore': '!dist/\n!node_modules/\nnode_modules/*\n!node_modules/gsap/\n!.env\n',
    'dist/app.js': '',
    'node_modules/gsap/gsap.js': '',
    'node_modules/vitest/index.js': '',
    '.env': '',
    'index.html': '',
  });
  expect(await paths(root)).toEqual(['dist/app.js', 'index.html', 'node_modules/gsap/gsap.js']);
});

test('explains why a file is ignored', () => {
  const why = readIgnoreRules('*.psd\n');
  expect(why('index.html', false)).toBeUndefined();
  expect(why('a/b.psd', false)).toBe('is excluded by "*.psd" in .frameworkignore');
  expect(why('node_modules/gsap/a.js', false)).toBe('is in the excluded folder node_modules/');
  expect(why('a/.cache/b.png', false)).toBe('is hidden: a part of its path starts with a dot');
  expect(why('thumbs.db', false)).toBe('is always excluded');
});

test.skipIf(process.platform === 'win32')('follows links inside the project', async () => {
  const root = project({ 'index.html': '', 'shared/a.png': 'a', 'shared/deep/b.png': 'bb' });
  symlinkSync('shared/a.png', join(root, 'logo.png'));
  symlinkSync('shared', join(root, 'assets'));
  symlinkSync('..', join(root, 'shared/deep/up'));
  symlinkSync('nowhere', join(root, 'broken.png'));
  symlinkSync('/etc', join(root, 'node_modules'));
  const { files, warnings } = await listUploadFiles(root);
  expect(files.map(({ path, size }) => [path, size])).toEqual([
    ['assets/a.png', 1],
    ['assets/deep/b.png', 2],
    ['index.html', 0],
    ['logo.png', 1],
    ['shared/a.png', 1],
    ['shared/deep/b.png', 2],
  ]);
  expect(warnings.sort()).toEqual([
    'assets/deep/up is not uploaded: it is a link to one of its parent folders',
    'broken.png is not uploaded: its link target does not exist',
    'shared/deep/up is not uploaded: it is a link to one of its parent folders',
  ]);
});

test.skipIf(process.platform === 'win32')(
  'rejects links that lead out of the project, unless they are ignored',
  async () => {
    const secret = temporaryFolder();
    writeFileSync(join(secret, 'id_rsa'), 'secret');
    const root = project({ 'index.html': '' });
    symlinkSync(join(secret, 'id_rsa'), join(root, 'key.txt'));
    symlinkSync(secret, join(root, 'ssh'));
    await expect(listUploadFiles(root)).rejects.toMatchObject({
      code: 'asset_invalid',
      message: 'key.txt, ssh are links that point outside the project folder, which cannot be uploaded',
    });
    writeFileSync(join(root, '.frameworkignore'), 'key.txt\nssh/\n');
    expect(await paths(root)).toEqual(['index.html']);
  },
);

test.skipIf(process.platform === 'win32')(
  'warns of names that are not valid in archives, and skips empty folders',
  async () => {
    const root = project({
      'index.html': '',
      'a\\b.png': '',
      'c:d.png': '',
      'ü 日本 🎬.png': '',
      'a\u001b[2J.png': '',
    });
    mkdirSync(join(root, 'empty'));
    writeFileSync(Buffer.concat([Buffer.from(join(root, 'x')), Buffer.from([0xff])]), '');
    const { files, warnings } = await listUploadFiles(root);
    expect(files.map(({ path }) => path)).toEqual(['index.html', 'ü 日本 🎬.png']);
    expect(warnings.sort()).toEqual([
      'a?[2J.png is not uploaded: its name contains a control character',
      'a\\b.png is not uploaded: its name contains a backslash, which separates folders on Windows',
      'c:d.png is not uploaded: its name starts like a drive letter',
      'x\uFFFD is not uploaded: its name is not valid UTF-8',
    ]);
  },
);
