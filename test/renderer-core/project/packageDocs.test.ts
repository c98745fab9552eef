// The files of the package's documentation.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { docNames } from '../../../renderer-core/project/packageDocs.ts';
import { temporaryFolder } from '../../support/project.ts';

test('lists the files with an extension', async () => {
  const folder = temporaryFolder();
  for (const name of ['b.json', 'a.json', 'a.md']) writeFileSync(join(folder, name), '');
  mkdirSync(join(folder, 'images'));
  expect(await docNames(folder, '.json')).toEqual(['a.json', 'b.json']);
});

test('lists nothing when the folder does not exist', async () => {
  expect(await docNames(join(temporaryFolder(), 'docs'), '.json')).toEqual([]);
});

test('reports a folder that cannot be read', async () => {
  const file = join(temporaryFolder(), 'docs');
  writeFileSync(file, '');
  await expect(docNames(file, '.json')).rejects.toMatchObject({
    code: 'internal_error',
    message: expect.stringContaining(`Cannot read the documentation: ENOTDIR`),
  });
});
