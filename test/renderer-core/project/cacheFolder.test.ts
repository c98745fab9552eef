// Entries of the per-user cache: whole or not there, whoever else fills, dies or plants.
import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cacheEntry, cacheRoot } from '../../renderer-core/project/cacheFolder.ts';
import { findPackage } from '../../renderer-core/project/packageFolder.ts';
import { temporaryFolder } from '../support/project.ts';

test.each([
  [{}, '/home/ada/.cache/framework'],
  [{ XDG_CACHE_HOME: '/var/xdg' }, '/var/xdg/framework'],
  [{ XDG_CACHE_HOME: 'relative' }, '/home/ada/.cache/framework'],
  [{ XDG_CACHE_HOME: '/var/xdg', FRAMEWORK_CACHE: '/scratch/it' }, '/scratch/it'],
])('%j puts the cache at %s', (env, expected) => {
  expect(cacheRoot(env, '/home/ada')).toBe(expected);
});

describe('an entry', () => {
  const fillWith = (text: string) => async (folder: string) => writeFileSync(join(folder, 'a.txt'), text);

  test('is filled once, privately', async () => {
    const root = join(temporaryFolder(), 'deep', 'cache');
    const folder = await cacheEntry(root, 'thing-1', fillWith('one'));
    expect(await cacheEntry(root, 'thing-1', () => Promise.reject(new Error('filled twice')))).toBe(folder);
    expect(folder).toBe(join(root, 'thing-1'));
    expect([statSync(root).mode & 0o777, statSync(folder).mode & 0o777]).toEqual([0o700, 0o700]);
    expect(readdirSync(root)).toEqual(['thing-1']);
  });

  test('filled by several at once is one folder, and all get it', async () => {
    const root = temporaryFolder();
    const fill = async (folder: string) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      await fillWith('x')(folder);
    };
    const folders = await Promise.all([1, 2, 3, 4].map(() => cacheEntry(root, 'thing', fill)));
    expect(new Set(folders)).toEqual(new Set([join(root, 'thing')]));
    expect(readdirSync(root)).toEqual(['thing']);
  });

  test('whose filling failed is not there, and can be filled later', async () => {
    const root = temporaryFolder();
    const broken = cacheEntry(root, 'thing', async (folder) => {
      await fillWith('half')(folder);
      throw new Error('cut off');
    });
    await expect(broken).rejects.toThrow('cut off');
    expect(readdirSync(root)).toEqual([]);
    await cacheEntry(root, 'thing', fillWith('whole'));
  });

  test('sweeps what a killed process left, but not what another one is filling', async () => {
    const root = temporaryFolder();
    for (const name of ['.new-thing-old', '.new-thing-busy']) mkdirSync(join(root, name));
    const twoHoursAgo = new Date(Date.now() - 2 * 3600 * 1000);
    utimesSync(join(root, '.new-thing-old'), twoHoursAgo, twoHoursAgo);
    await cacheEntry(root, 'thing', fillWith('x'));
    expect(readdirSync(root).sort()).toEqual(['.new-thing-busy', 'thing']);
  });

  test('that others can change, or that is a link, is refused', async () => {
    const root = temporaryFolder();
    mkdirSync(join(root, 'open'));
    chmodSync(join(root, 'open'), 0o777);
    symlinkSync(temporaryFolder(), join(root, 'link'));
    for (const name of ['open', 'link']) {
      await expect(cacheEntry(root, name, fillWith('x'))).rejects.toMatchObject({ code: 'output_unwritable' });
    }
  });

  test('in a place that is no folder is an error that names the way out', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    await expect(cacheEntry(join(file, 'cache'), 'thing', fillWith('x'))).rejects.toMatchObject({
      code: 'output_unwritable',
      hint: expect.stringContaining('FRAMEWORK_CACHE'),
    });
  });

  test('for which the disk is full says so', async () => {
    const full = async () => Promise.reject(Object.assign(new Error('write'), { code: 'ENOSPC' }));
    await expect(cacheEntry(temporaryFolder(), 'thing', full)).rejects.toMatchObject({ code: 'disk_full' });
  });
});

describe('a package', () => {
  test('is found though its exports hide package.json', async () => {
    const found = await findPackage('@sparticuz/chromium');
    expect(found?.version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(readdirSync(join(found?.folder ?? '', 'bin'))).toContain('chromium.br');
  });

  test('is found from another package, as that one would', async () => {
    const root = temporaryFolder();
    mkdirSync(join(root, 'node_modules/outer/node_modules/@scope/inner'), { recursive: true });
    const manifest = join(root, 'node_modules/outer/node_modules/@scope/inner/package.json');
    writeFileSync(manifest, '{"name":"@scope/inner","version":"1.2.3"}');
    const from = join(root, 'node_modules/outer/package.json');
    expect(await findPackage('@scope/inner', from)).toMatchObject({ version: '1.2.3' });
    expect(await findPackage('@scope/inner', join(root, 'package.json'))).toBeUndefined();
  });
});
