// Sites on the disk of a worker.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keys } from '../../../serverless/keys.ts';
import { siteFolder } from '../../../serverless/sites/siteFiles.ts';
import { temporaryFolder } from '../../support/project.ts';
import { memoryBucket } from '../../support/servers/memoryBucket.ts';

test('deletes the previous site and incomplete downloads', async () => {
  const parent = join(temporaryFolder(), 'sites');
  const site = (name: string) => [{ path: `${name}/index.html`, sha256: name, bytes: 1 }];
  const bucket = memoryBucket({
    [keys.site('one')]: site('a'),
    [keys.siteFile('a')]: 'A',
    [keys.site('two')]: site('b'),
    [keys.siteFile('b')]: 'B',
  });
  const first = await siteFolder(bucket, 'one', parent);
  await mkdir(join(parent, 'half.1.partial'));
  const second = await siteFolder(bucket, 'two', parent);
  expect(existsSync(first)).toBe(false);
  expect(readdirSync(parent)).toEqual(['two']);
  expect(readFileSync(join(second, 'b', 'index.html'), 'utf8')).toBe('B');
});

test.each([
  ['..', 'index.html', 'The plan names a site that cannot exist: ..'],
  ['../elsewhere', 'index.html', 'The plan names a site that cannot exist: ../elsewhere'],
  ['one', '../index.html', 'The site one contains a path outside its folder: ../index.html'],
  ['one', 'a/../../../index.html', 'The site one contains a path outside its folder: a/../../../index.html'],
])('writes nothing outside its folder for the site %j with the file %j', async (siteId, path, message) => {
  const folder = temporaryFolder();
  const bucket = memoryBucket({ [keys.site(siteId)]: [{ path, sha256: 'a', bytes: 1 }], [keys.siteFile('a')]: 'A' });
  await expect(siteFolder(bucket, siteId, join(folder, 'sites'))).rejects.toMatchObject({
    code: 'site_not_found',
    message,
  });
  expect(readdirSync(folder, { recursive: true }).filter((name) => `${name}`.endsWith('index.html'))).toEqual([]);
});
