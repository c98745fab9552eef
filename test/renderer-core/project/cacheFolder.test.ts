// Entries of the per-user cache are atomic and private, also with concurrent, killed and hostile processes.
import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cacheEntry, cacheRoot } from '../../../renderer-core/project/cacheFolder.ts';
import { findPackage } from '../../../renderer-core/project/packageFolder.ts';
import { temporaryFolder } from '../../support/project.ts';

test.each([
  [{}, join('/home/ada/.cache/framework')],
  [{ XDG_CACHE_HOME: '/var/xdg' }, join('/var/xdg/framework')],
  [{ XDG_CACHE_HOME: 'relative' }, join('/home/ada/.cache/framework')],
  [{ XDG_CACHE_HOME: '/var/xdg', FRAMEWORK_CACHE: '/scratch/it' }, '/scratch/it'],
])('resolves %j to the cache folder %s', (env, expected) => {
  expect(cacheRoot(env, '/home/ada')).toBe(expected);
});

/** Windows has no modes of files. */
const isPosix = process.platform !== 'win32';

describe('an entry', () => {
  const fillWith = (text: string) => async (folder: string) => writeFileSync(join(folder, 'a.txt'), text);

  test('is created once, readable by its owner only', async () => {
    const root = join(temporaryFolder(), 'deep', 'cache');
    const folder = await cacheEntry(root, 'thing-1', fillWith('one'));
    expect(await cacheEntry(root, 'thing-1', () => Promise.reject(new Error('filled twice')))).toBe(folder);
    expect(folder).toBe(join(root, 'thing-1'));
    if (isPosix) expect([statSync(root).mode & 0o777, statSync(folder).mode & 0o777]).toEqual([0o700, 0o700]);
    expect(readdirSync(root)).toEqual(['thing-1']);
  });

  test('is one folder for several processes that create it at once', async () => {
    const root = temporaryFolder();
    const fill = async (folder: string) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      await fillWith('x')(folder);
    };
    const folders = await Promise.all([1, 2, 3, 4].map(() => cacheEntry(root, 'thing', fill)));
    expect(new Set(folders)).toEqual(new Set([join(root, 'thing')]));
    expect(readdirSync(root)).toEqual(['thing']);
  });

  test('does not exist after an error, and can be created later', async () => {
    const root = temporaryFolder();
    const broken = cacheEntry(root, 'thing', async (folder) => {
      await fillWith('half')(folder);
      throw new Error('cut off');
    });
    await expect(broken).rejects.toThrow('cut off');
    expect(readdirSync(root)).toEqual([]);
    await cacheEntry(root, 'thing', fillWith('whole'));
  });

  test('removes folders of killed processes, but not of running ones', async () => {
    const root = temporaryFolder();
    for (const name of ['.new-thing-old', '.new-thing-busy']) mkdirSync(join(root, name));
    const twoHoursAgo = new Date(Date.now() - 2 * 3600 * 1000);
    utimesSync(join(root, '.new-thing-old'), twoHoursAgo, twoHoursAgo);
    await cacheEntry(root, 'thing', fillWith('x'));
    expect(readdirSync(root).sort()).toEqual(['.new-thing-busy', 'thing']);
  });

  test.runIf(isPosix)('is rejected when others can write to it or when it is a link', async () => {
    const root = temporaryFolder();
    mkdirSync(join(root, 'open'));
    chmodSync(join(root, 'open'), 0o777);
    symlinkSync(temporaryFolder(), join(root, 'link'));
    for (const name of ['open', 'link']) {
      await expect(cacheEntry(root, name, fillWith('x'))).rejects.toMatchObject({ code: 'output_unwritable' });
    }
  });

  test('reports a cache path that is not a folder, with a hint', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    await expect(cacheEntry(join(file, 'cache'), 'thing', fillWith('x'))).rejects.toMatchObject({
      code: 'output_unwritable',
      hint: expect.stringContaining('FRAMEWORK_CACHE'),
    });
  });

  test('reports a full disk', async () => {
    const full = async () => Promise.reject(Object.assign(new Error('write'), { code: 'ENOSPC' }));
    await expect(cacheEntry(temporaryFolder(), 'thing', full)).rejects.toMatchObject({ code: 'disk_full' });
  });
});

describe('a package', () => {
  test('is found although its exports hide package.json', async () => {
    const found = await findPackage('@sparticuz/chromium');
    expect(found?.version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(readdirSync(join(found?.folder ?? '', 'bin'))).toContain('chromium.br');
  });

  test('is resolved from another package', async () => {
    const root = temporaryFolder();
    mkdirSync(join(root, 'node_modules/outer/node_modules/@scope/inner'), { recursive: true });
    const manifest = join(root, 'node_modules/outer/node_modules/@scope/inner/package.json');
    writeFileSync(manifest, '{"name":"@scope/inner","version":"1.2.3"}');
    const from = join(root, 'node_modules/outer/package.json');
    expect(await findPackage('@scope/inner', from)).toMatchObject({ version: '1.2.3' });
    expect(await findPackage('@scope/inner', join(root, 'package.json'))).toBeUndefined();
  });
});
