// The paths that an agent may use: after following all links, they must be in an allowed folder.
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { openFolders } from '../../../cli/mcp/folders.ts';
import { temporaryFolder } from '../../support/project.ts';
import { needLinks } from '../../support/systemPrograms.ts';

let top: string;
let allowed: string;

const folders = () => openFolders(() => [allowed, join(top, 'second')]);

beforeEach((context) => {
  needLinks(context);
  top = realpathSync(temporaryFolder());
  allowed = join(top, 'work');
  for (const folder of ['work/project', 'work-beside', 'second', 'secret'])
    mkdirSync(join(top, folder), { recursive: true });
  writeFileSync(join(top, 'secret/key.txt'), 'key');
  writeFileSync(join(allowed, 'project/index.html'), '');
  symlinkSync(join(top, 'secret'), join(allowed, 'out'));
  symlinkSync(join(top, 'secret/key.txt'), join(allowed, 'key.html'));
  symlinkSync(join(top, 'secret/new.html'), join(allowed, 'dangling.html'));
  symlinkSync(join(allowed, 'project'), join(allowed, 'again'));
  symlinkSync(join(allowed, 'loop'), join(allowed, 'loop'));
});

describe('inside', () => {
  test.each([
    '.',
    'project',
    'project/index.html',
    'project/renders/deep/new.mp4',
    'again/index.html',
    '../work/project',
    '../second/new.mp4',
    'project/..',
    '..hidden/file',
  ])('accepts %s', async (path) => {
    expect(await folders().inside(path)).toBe(join(allowed, path));
  });
  test('accepts an absolute path, and one relative to a subfolder', async () => {
    expect(await folders().inside(join(allowed, 'project'))).toBe(join(allowed, 'project'));
    expect(await folders().inside('a.mp4', join(allowed, 'project'))).toBe(join(allowed, 'project/a.mp4'));
  });
});

describe('outside', () => {
  test.each([
    '..',
    '../secret',
    '../secret/key.txt',
    'project/../../secret',
    '../work-beside',
    '../new.mp4',
    '/',
    '/etc/passwd',
    'out',
    'out/key.txt',
    'out/new.mp4',
    'out/deep/new.mp4',
    'key.html',
    'dangling.html',
    'loop',
    'loop/a',
    // To Windows, it is a path that does not exist yet.
    ...(process.platform === 'win32' ? [] : ['project/index.html/a']),
    'a\0b',
  ])('rejects %s', async (path) => {
    await expect(folders().inside(path)).rejects.toMatchObject({ code: 'usage' });
  });
  test('rejects every path if no folder is allowed', async () => {
    await expect(openFolders(() => []).inside('.')).rejects.toThrow('outside the allowed folders');
  });
});
