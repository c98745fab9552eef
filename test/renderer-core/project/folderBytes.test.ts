// The size of a folder, also while its content changes.
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { diskUsage, folderBytes } from '../../../renderer-core/project/folderBytes.ts';
import { temporaryFolder, writeFiles } from '../../support/project.ts';

test('adds the sizes of all files', async () => {
  const folder = temporaryFolder();
  writeFiles(folder, { 'a.txt': 'aa', 'b/c/d.txt': 'ddd' });
  expect(await folderBytes(folder)).toBe(5);
  expect(await folderBytes(join(folder, 'missing'))).toBe(0);
});

test('counts the other files when a subfolder is deleted meanwhile', async () => {
  const folder = temporaryFolder();
  writeFiles(folder, { 'a.txt': 'a'.repeat(5000) });
  let isOver = false;
  const changes = (async () => {
    while (!isOver) {
      await Promise.all(['b', 'c', 'd'].map((name) => mkdir(join(folder, name, 'x/y'), { recursive: true })));
      await Promise.all(['b', 'c', 'd'].map((name) => rm(join(folder, name), { recursive: true })));
    }
  })();
  const sizes = [];
  for (let round = 0; round < 100; round++) sizes.push(await folderBytes(folder));
  isOver = true;
  await changes;
  expect(new Set(sizes)).toEqual(new Set([5000]));
});

test('counts at least one block of the disk for each file and folder', async () => {
  const folder = temporaryFolder();
  writeFiles(folder, { 'a.txt': '', 'b/c/d.txt': 'd' });
  expect(await diskUsage(folder, 1e9)).toBeGreaterThanOrEqual(4 * 4096);
  expect(await diskUsage(join(folder, 'missing'), 1e9)).toBe(0);
});

test('stops counting beyond the limit', async () => {
  const folder = temporaryFolder();
  for (let at = 0; at < 10; at++) {
    mkdirSync(join(folder, `${at}`));
    writeFileSync(join(folder, `${at}/a`), '');
    truncateSync(join(folder, `${at}/a`), 1e9);
  }
  const bytes = await diskUsage(folder, 2.5e9);
  expect(bytes).toBeGreaterThan(3e9);
  expect(bytes).toBeLessThan(4e9);
});

test('reports folders that are too deep to count', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'a/'.repeat(64)), { recursive: true });
  expect(await diskUsage(folder, 1e9)).toBeLessThan(1e9);
  mkdirSync(join(folder, 'a/'.repeat(65)), { recursive: true });
  expect(await diskUsage(folder, 1e9)).toBe(Number.POSITIVE_INFINITY);
});
